# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The VSP authors
#
# Reads the call graphs that gcc -fcallgraph-info=su writes, all files of a
# program at once.  Prints
#
#     N bytes: NAME          the deepest stack below a public function
#     counted as 0: NAME     called, but compiled elsewhere: mem*, libgcc
#     problem: WHAT          why a depth above may be too small
#
# -v pointers="FILE:NAME ..." lists functions that may call through pointers.

/^node:/ {
    split($0, part, "\"")
    name = part[2]
    if (match($0, /[0-9]+ bytes/)) {
        frame[name] = substr($0, RSTART, RLENGTH) + 0
        if ($0 !~ /\(static\)|bounded\)/)
            print "problem: frame of unknown size: " name
    }
}

/^edge:/ {
    split($0, part, "\"")
    calls[part[2]] = calls[part[2]] " " part[4]
    if (part[4] == "__indirect_call" && !index(pointers " ", part[2] " "))
        print "problem: call through a pointer: " part[2]
}

# returns the frame of a function plus the deepest of those it calls
function depth(name, list, count, i, below, most) {
    if (name in known) return known[name]
    if (name in open) { print "problem: recursion: " name; return 0 }
    if (!(name in frame)) return known[name] = unknown(name)
    open[name] = 1
    count = split(calls[name], list, " ")
    for (i = 1; i <= count; i++) {
        below = depth(list[i])
        if (below > most) most = below
    }
    delete open[name]
    return known[name] = frame[name] + most
}

function unknown(name) {
    if (name ~ /vsp/) print "problem: no frame: " name
    else print "counted as 0: " name
    return 0
}

END {
    for (name in frame)
        if (name ~ /^vsp_[a-z_]+$/) print depth(name) " bytes: " name
}
