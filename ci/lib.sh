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

# fail WHAT: counts and prints a failure: what was expected, what happened
fail() {
    failed=$((failed + 1))
    echo "FAILED ci/$step: $*"
}

# check WHAT COMMAND...: passes if the command succeeds; else prints its output
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

# nothing WHAT: passes if $work/found is empty, else prints it
nothing() {
    if [ -s "$work/found" ]; then
        fail "$1"
        head -n 20 "$work/found"
    else
        pass
    fi
}

# need TOOL...: ends the step if one is missing
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

# renew FILE NAME TEXT: prints FILE with the lines of TEXT between the marks
# <!-- NAME --> and <!-- end of NAME -->
renew() {
    awk -v name="$2" '
        FNR == NR { text = text $0 "\n"; next }
        $0 == "<!-- end of " name " -->" { inside = 0; ends++ }
        !inside
        $0 == "<!-- " name " -->" {
            printf "\n%s\n", text
            inside = 1
            begins++
        }
        END { exit begins != 1 || ends != 1 || inside }' "$3" "$1"
}

# rewrite FILE NAME TEXT: does so in place
rewrite() {
    renew "$1" "$2" "$3" >"$work/renewed" && cp "$work/renewed" "$1" ||
        fail "$1 has not one pair of the marks <!-- $2 -->"
}

# hold_text FILE NAME TEXT COMMAND: fails if rewrite would change the file
hold_text() {
    renew "$1" "$2" "$3" >"$work/renewed" ||
        fail "$1 has not one pair of the marks <!-- $2 -->"
    check "$1: the tables between the marks <!-- $2 --> are old: $4" \
        diff "$1" "$work/renewed"
}

# borrow FOLDER: copies the objects that ci/all built, without those of the
# engine, for programs in FOLDER whose engine is built with other flags
borrow() {
    make -s programs >"$work/log" 2>&1 || {
        fail "the programs do not build"
        tail -n 20 "$work/log"
        finish
    }
    for part in host full small fixed/host fixed/full fixed/small; do
        [ -d "$BUILD/$part" ] || continue # see TOOL of the Makefile
        mkdir -p "$1/$part"
        cp -r "$BUILD/$part"/*/ "$1/$part"
    done
}

# emulator_32: prints the emulator for 32-bit x86 programs, if the kernel of a
# 64-bit machine cannot run them
emulator_32() {
    echo 'int main(void) { return 0; }' |
        gcc -m32 -x c - -o "$work/program-32" || return 1
    "$work/program-32" 2>/dev/null || echo qemu-i386
}


# ---- Documents -------------------------------------------------------------

# fences DOCUMENT FOLDER: writes the fenced blocks of a document to FOLDER, as
# 001.c, 002.sh, 003.text and so on, by their languages
fences() {
    rm -rf "$2"
    mkdir -p "$2"
    awk -v folder="$2" '
        /^```/ && inside { close(file); inside = 0; next }
        /^```/ {
            kind = substr($0, 4) == "" ? "none" : substr($0, 4)
            file = sprintf("%s/%03d.%s", folder, ++count, kind)
            inside = 1
            next
        }
        inside { print >file }' "$1"
}

# targets DOCUMENT: prints lines LINE TARGET for its links
targets() {
    awk '/^```/ { inside = !inside }
        !inside {
            rest = $0
            while (match(rest, /\]\([^)]*\)/)) {
                print FNR, substr(rest, RSTART + 2, RLENGTH - 3)
                rest = substr(rest, RSTART + RLENGTH)
            }
        }' "$1"
}

# anchors DOCUMENT: prints its headings, as links name them
anchors() {
    awk '/^```/ { inside = !inside } !inside && /^#+ /' "$1" |
        sed 's/^#* //' | tr 'A-Z' 'a-z' | tr ' ' '-' | tr -cd 'a-z0-9_\n-'
}

# dead_links DOCUMENT: prints the links that lead nowhere
dead_links() {
    folder=$(dirname "$1")
    targets "$1" | while read -r line target; do
        case $target in http://*|https://*) continue ;; esac
        file=${target%%#*}
        path=$folder/$file
        [ -n "$file" ] || path=$1
        if [ ! -e "$path" ]; then
            echo "$1:$line: $target: no such file"
        elif [ "$target" != "$file" ] &&
            ! anchors "$path" | grep -qxF -e "${target#*#}"; then
            echo "$1:$line: $target: no such heading"
        fi
    done
}

# version: prints VSP_VERSION as 1.2.3
version() {
    sed -n 's/^#define VSP_VERSION 0x\(..\)\(..\)\(..\)u$/\1 \2 \3/p' vsp.h | {
        read -r a b c
        echo "$((0x$a)).$((0x$b)).$((0x$c))"
    }
}

# release: prints the folder of a release: that of DIST, or one just made
release() {
    if [ -z "${DIST:-}" ]; then
        make -s BUILD="$work" dist >"$work/log" 2>&1 || cat "$work/log" >&2
    fi
    echo "${DIST:-$work/dist}"
}


# ---- Sources ---------------------------------------------------------------

ENGINE="vsp.c vsp_solver.c vsp_collide.c"
KINDS="float fixed"
STANDARD="-std=c99 -ffp-contract=off -I."
STRICT="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wdouble-promotion \
-Wundef -Wvla -Wstrict-prototypes -Wmissing-prototypes -Werror"


# options KIND: prints the compiler options of a kind
options() {
    [ "$1" = float ] || echo -DVSP_FIXED=1
}


# ---- Measuring the compiled engine -----------------------------------------

# machines of port/targets whose code is measured without running it
MEASURED="cortex-m0 cortex-m3 cortex-m4f rv32imac"

# cross MACHINE: prints its compiler and flags
cross() (
    machine=$1
    target() {
        [ "$1" = "$machine" ] || return 0
        shift
        for pair; do
            case $pair in cc=*) echo "${pair#cc=}" ;; esac
        done
    }
    . port/targets
)

# guest_objects MACHINE KIND FILES...: prints the engine's objects as guests
# have them; uses those of an earlier ci/qemu
guest_objects() (
    . port/lib.sh
    load_target "$1" "$2"
    out=$BUILD/ci/$step/$1-$2
    shift 2
    mkdir -p "$out"
    compile_all "$@" >"$out/log" 2>&1 || {
        tail -n 20 "$out/log" >&2
        exit 1
    }
    echo $objects
)

# binutils COMPILER: prints the prefix of the compiler's nm and size
binutils() {
    case $1 in *-gcc) echo "${1%gcc}" ;; esac
}

# Functions that compilers may call: mem*, and arithmetic that a CPU lacks.
# None in double precision: an engine that calls those rounds in another format.
HELPERS='mem(cpy|set|move|cmp)
__aeabi_(f(add|sub|mul|div|cmp(eq|lt|le|ge|gt|un))|f2u?iz|u?i2f)
__aeabi_(lmul|llsl|llsr|lasr|u?lcmp|u?[il]div(mod)?)
__gnu_thumb1_case_[su](qi|hi|i)
__(add|sub|mul|div|eq|ne|lt|le|ge|gt|unord)sf[23]
__(fixsfsi|fixunssfsi|floatsisf|floatunsisf)
__(mul|u?div|u?mod|ashl|ashr|lshr|clz|ctz)[sd]i[23]'

# outside NM -u OBJECTS...: prints the functions that they need, except their
# own and HELPERS
outside() {
    "$@" | awk '$1 == "U" { print $2 }' | sort -u |
        grep -vxE "vsp_.*|$(echo "$HELPERS" | paste -sd '|' -)"
}

# own_data SIZE OBJECTS...: prints the objects with .data or .bss, and the sizes
# of these
own_data() {
    "$@" | awk 'NR > 1 && $2 + $3 > 0 { print $6, $2, $3 }'
}

# depths GRAPHS...: prints stack depths, deepest first (ci/stack.awk).  Calls of
# the program's functions do not count: a recorder writes, a query answers, a
# rollback makes steps and checks inputs.
depths() {
    cat "$@" | awk -v pointers="vsp.c:find_all vsp.c:put_bytes \
vsp__draw_line vsp.c:draw_triangle \
vsp.c:make_step vsp__is_valid_input vsp_rollback_input" \
        -f ci/stack.awk | sort -rn
}
