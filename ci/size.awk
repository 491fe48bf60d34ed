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
    printf "| %-22s |", head
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

function tables(count, list, i) {
    count = split(machines, list, " ")
    print ""
    row("code, gcc -Os", machines)
    rule(count)
    code(core, "")
    row("together", figures("code", machines, ".together"))
    code(optional, ", optional")
    row("stack of a step", figures("stack", machines))
    print ""
    row("options", "bodies contacts world snapshot")
    rule(4)
    count = split(ladder, list, " ")
    for (i = 1; i <= count; i++)
        row(list[i], figures("memory." list[i],
                             "bodies contacts world snapshot"))
    print ""
    row("one more", "body shape pair manifold contact")
    rule(5)
    row("adds to the world", figures("each", EACH, ".world"))
    row("adds to a snapshot", figures("each", EACH, ".snapshot"))
    print ""
}

function code(files, note, count, file, i) {
    count = split(files, file, " ")
    for (i = 1; i <= count; i++)
        row(file[i] note, figures("code", machines, "." file[i]))
}

BEGIN { EACH = "body shape pair manifold contact" }
