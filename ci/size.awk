# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The VSP authors
#
# Reads figures, as in ci/size-baseline.txt; prints the tables of
# docs/SIZE.md, or those of README.md with -v short=1.
#
# -v machines= detailed= rooms= ladder= are columns and rows, in order.

/^#/ { next }
{ figure[$1] = $2 }
END { if (short) summary(); else tables() }

function comma(n, head) {
    if (n == "") return "-"
    head = int(n / 1000)
    return head ? comma(head) "," sprintf("%03d", n % 1000) : n ""
}

# row(HEAD, CELLS): prints a row; blanks separate cells
function row(head, cells, count, cell, i) {
    printf "| %-22s |", head
    count = split(cells, cell, " ")
    for (i = 1; i <= count; i++) gsub(/_/, " ", cell[i])
    for (i = 1; i <= count; i++)
        printf " %9s |", cell[i] ~ /^[0-9]+$/ ? comma(cell[i]) : cell[i]
    print ""
}

function rule(columns, i) {
    printf "|---|"
    for (i = 1; i <= columns; i++) printf "---:|"
    print ""
}

# figures(BEFORE, NAMES, AFTER): returns BEFORE.NAME.AFTER for each name,
# separated by blanks
function figures(before, names, after, count, name, i, key, all) {
    count = split(names, name, " ")
    for (i = 1; i <= count; i++) {
        key = before "." name[i] after
        all = all " " (key in figure ? figure[key] : "-")
    }
    return all
}

# the figures that most readers look for
function summary() {
    row("bytes", "M0,_fixed M3,_fixed M4F,_float RV32,_fixed")
    rule(4)
    row("code, everything", summary_of("code", ".everything"))
    row("code, small, linked -flto", summary_of("code", ".whole"))
    row("RAM, a world of " figure["memory.small.bodies"] " bodies",
        summary_of("memory.small", ".world"))
    row("stack of a step", summary_of("stack", ""))
}

# summary_of(BEFORE, AFTER): figures for the columns of summary()
function summary_of(before, after, all, i, list) {
    split("cortex-m0-fixed cortex-m3-fixed cortex-m4f rv32imac-fixed", list,
          " ")
    for (i = 1; i <= 4; i++)
        if (before ~ /^memory/)
            all = all " " \
                figure[before (list[i] ~ /fixed/ ? "-fixed" : "") after]
        else
            all = all figures(before, list[i], after)
    return all
}

function tables() {
    code_table("fixed, gcc -Os", "-fixed")
    print ""
    details()
    print ""
    memory_table("float", "")
    print ""
    memory_table("fixed", "-fixed")
    print ""
    row("one more", EACH)
    rule(6)
    each_rows("float", "each")
    each_rows("fixed", "each-fixed")
}

function each_rows(kind, name) {
    row("adds to a world, " kind, figures(name, EACH, ".world"))
    row("to a snapshot, " kind, figures(name, EACH, ".snapshot"))
}

function memory_table(kind, suffix, count, list, i) {
    row("options, " kind, "bodies contacts world snapshot")
    rule(4)
    count = split(ladder, list, " ")
    for (i = 1; i <= count; i++)
        row(list[i], figures("memory." list[i] suffix,
                             "bodies contacts world snapshot"))
}

function code_table(head, suffix, count, list, i) {
    count = split(machines, list, " ")
    row(head, machines)
    rule(count)
    row("everything", figures("code", machines, suffix ".everything"))
    row("small, linked, -flto", figures("code", machines, suffix ".whole"))
    row("stack of a step", figures("stack", machines, suffix))
    row("stack of a recording", figures("record-stack", machines, suffix))
    row("stack of a character", figures("move-stack", machines, suffix))
}

# more figures of one machine: of both kinds, and of floats
function details(kinds, count, room, i) {
    kinds = detailed " " detailed "-fixed"
    row(detailed ", gcc -Os", "float fixed")
    rule(2)
    row("everything", figures("code", kinds, ".everything"))
    row("core", figures("code", kinds, ".core"))
    row("small", figures("code", kinds, ".small"))
    row("small, linked", figures("code", kinds, ".program"))
    row("small, linked, -flto", figures("code", kinds, ".whole"))
    row("stack of a step", figures("stack", kinds, ""))
    row("stack of a recording", figures("record-stack", kinds, ""))
    row("stack of a character", figures("move-stack", kinds, ""))
    print ""
    row(detailed ", gcc -Os", "float")
    rule(1)
    row("everything", figures("code", detailed, ".everything"))
    row("simulation", figures("code", detailed, ".simulation"))
    row("of it, joints", figures("code", detailed, ".joints"))
    row("of it, ranges", figures("code", detailed, ".ranges"))
    row("of it, hinge loops", figures("code", detailed, ".hinge-loops"))
    row("of it, unions", figures("code", detailed, ".unions"))
    row("of it, characters", figures("code", detailed, ".character"))
    row("of it, seams", figures("code", detailed, ".seams"))
    row("of it, locked axes", figures("code", detailed, ".locks"))
    row("of it, belts", figures("code", detailed, ".belts"))
    row("of it, distances", figures("code", detailed, ".distances"))
    row("of it, drives", figures("code", detailed, ".drives"))
    row("of it, gears", figures("code", detailed, ".gears"))
    row("of it, rolling friction", figures("code", detailed, ".rolling"))
    row("of it, cylinders and cones", figures("code", detailed, ".rounds"))
    row("of it, tapered capsules", figures("code", detailed, ".tapers"))
    row("of it, scales", figures("code", detailed, ".scales"))
    row("of it, materials", figures("code", detailed, ".materials"))
    row("of it, field edits", figures("code", detailed, ".field-edits"))
    row("arithmetic for programs", figures("code", detailed, ".math"))
    row("drawing", figures("code", detailed, ".draw"))
    row("edits", figures("code", detailed, ".edits"))
    row("explosions", figures("code", detailed, ".explosions"))
    row("lists of hits", figures("code", detailed, ".hit-lists"))
    row("rules of pairs", figures("code", detailed, ".pair-rules"))
    row("workers", figures("code", detailed, ".workers"))
    row("rest", figures("code", detailed, ".rest"))
    count = split(rooms, room, " ")
    for (i = 1; i <= count; i++)
        row(room[i], figures("code", detailed, "." room[i]))
}

BEGIN { EACH = "body shape pair manifold contact joint" }
