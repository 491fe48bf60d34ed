# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The VSP authors
#
# What the steps share.  A step sources this file, makes its checks and ends
# with `finish`, which prints `N passed, N failed`.

set -u
cd "$(dirname "$0")/.." || exit 2

BUILD=${BUILD:-build}
step=$(basename "$0")
work=$BUILD/ci/$step
mkdir -p "$work"
passed=0
failed=0

pass() {
    passed=$((passed + 1))
}

# fail WHAT: what was expected and what happened instead
fail() {
    failed=$((failed + 1))
    echo "FAILED ci/$step: $*"
}

# check WHAT COMMAND...: passes when the command does; shows its output else
check() {
    what=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        pass
    else
        fail "$what"
        tail -n 40 "$work/log"
        echo "    rerun: $*"
    fi
}

# need TOOL...: ends the step when one is missing
need() {
    for tool in "$@"; do
        if ! command -v "$tool" >/dev/null 2>&1; then
            fail "$tool is missing: ci/setup installs it"
            finish
        fi
    done
}

finish() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
    exit
}

ENGINE="vsp.c vsp_collide.c vsp_solver.c vsp_replay.c \
vsp_diff.c"
STANDARD="-std=c99 -ffp-contract=off -I."
STRICT="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wdouble-promotion \
-Wundef -Wvla -Wstrict-prototypes -Wmissing-prototypes -Werror"
