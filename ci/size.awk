# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The VSP authors
#
# Reads figures, as in ci/size-baseline.txt, and then README.md; prints that
# README with the tables between its two marks made anew, and the world of
# small.h where the text names it.
#
# -v machines= core= optional= ladder= are the columns and rows, in order.

FNR == NR {
    if ($0 !~ /^#/) figure[$1] = $2
    next
}
/^<!-- size -->/ { print; tables(); inside = 1 }
/^<!-- end of size -->/ { inside = 0 }
!inside {
    sub(/[0-9,]+ bytes for 32 bodies/,
        comma(figure["memory.small.world"]) " bytes for 32 bodies")
    if ($0 !~ /^<!-- size -->/) print
}

function comma(n, head) {
    if (n == "") return "-"
    head = int(n / 1000)
    return head ? comma(head) "," sprintf("%03d", n % 1000) : n ""
}

# row(HEAD, CELLS): cells are parted by blanks
function row(head, cells, count, cell, i) {
    printf "| %-28s |", head
    count = split(cells, cell, " ")
    for (i = 1; i <= count; i++)
        printf " %10s |", cell[i] ~ /^[0-9]+$/ ? comma(cell[i]) : cell[i]
    print ""
}

function rule(columns, i) {
    printf "|---|"
    for (i = 1; i <= columns; i++) printf "---:|"
    print ""
}

# figures(BEFORE, NAMES, AFTER): BEFORE.NAME.AFTER for each name, with blanks
function figures(before, names, after, count, name, i, key, all) {
    count = split(names, name, " ")
    for (i = 1; i <= count; i++) {
        key = before "." name[i] after
        all = all " " (key in figure ? figure[key] : "-")
    }
    return all
}

function tables() {
    print ""
    code_table("float, gcc -Os", "")
    print ""
    code_table("fixed, gcc -Os", "-fixed")
    print ""
    memory_table("float", "")
    print ""
    memory_table("fixed", "-fixed")
    print ""
    row("one more", EACH)
    rule(6)
    each_rows("float", "each")
    each_rows("fixed", "each-fixed")
    print ""
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
    code(core, "", suffix)
    code(optional, ", optional", suffix)
    row("everything", figures("code", machines, suffix ".everything"))
    row("core, parts left out", figures("code", machines, suffix ".core"))
    row("small, PGS alone", figures("code", machines, suffix ".small"))
    row("small, linked", figures("code", machines, suffix ".program"))
    row("small, linked, -flto", figures("code", machines, suffix ".whole"))
    row("stack of a step", figures("stack", machines, suffix))
}

# files that are empty on all machines have no row
function code(files, note, suffix, count, file, i, cells) {
    count = split(files, file, " ")
    for (i = 1; i <= count; i++) {
        cells = figures("code", machines, suffix "." file[i])
        if (cells ~ /[1-9]/) row(file[i] note, cells)
    }
}

BEGIN { EACH = "body shape pair manifold contact joint" }
