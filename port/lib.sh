# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The VSP authors
#
# What the scripts of this folder share: they read port/targets, build a guest,
# and run it.

BUILD=${BUILD:-build}
BOUND=${BOUND:-480} # seconds after which a guest is stopped
COUNT=${COUNT:-yes} # no: do not count instructions, which saves a tenth of the
                    # time

# The files of the engine.  The linker drops functions that a guest does not
# call. ci/qemu replaces these files once.
GUEST_ENGINE=${GUEST_ENGINE:-"vsp.c vsp_solver.c vsp_collide.c"}
GUEST="port/guest/console.c port/guest/memory.c port/guest/measure.c"
GUEST_GOLDEN="port/guest/golden.c $(echo port/scenes/*.c)"
GUEST_REPLAY="port/guest/replay.c port/scenes/table_sets.c \
port/scenes/tables.c"
GUEST_LOCKSTEP="port/lockstep/flip.c port/lockstep/frame.c \
port/lockstep/game.c port/lockstep/guest.c port/lockstep/tally.c \
port/lockstep/wire.c"
GUEST_COUNT=port/guest/count.c
GUEST_FLAGS=
# options of port/plugin/count.c: COUNTER=FUNCTION, where it becomes active
GUEST_COUNTERS="1=mark_step_begin 0=mark_step_end"

# load_target NAME KIND: sets name, class, cc ... from port/targets, for float
# or fixed-point numbers
load_target() {
    name=$1
    kind=$2
    case $kind in
    float) kind_flag= ;;
    fixed) kind_flag=-DVSP_FIXED=1 ;;
    *)
        echo "the kinds are float and fixed, not $kind" >&2
        exit 2 ;;
    esac
    class=
    options= # replaces the options of the class
    level=-O2
    level_float=
    level_fixed=
    kinds=
    rows=
    image=elf
    end=status
    cores=1
    stack=yes
    uart=
    lines=
    . port/targets
    if [ -z "$class" ]; then
        echo "port/targets has no $name" >&2
        exit 2
    fi
    eval "level=\${level_$kind:-$level}"
    room=$class # what the machine has memory for
    [ -n "${LONG:-}" ] || class=${rows:-$class}
    prefix=${cc%% *}
    prefix=${prefix%gcc}
    prefix=${prefix%clang}
    prefix=${prefix:-llvm-}
    work=$BUILD/qemu/$name-$kind # objects
    out=$work                    # the guest and its output
    tool=$BUILD/vsp # records and plays this kind on this computer
    [ "$kind" = float ] || tool=$tool-$kind
    mkdir -p "$work"
}

target() {
    [ "$1" = "$name" ] || return 0
    shift
    for pair; do
        eval "${pair%%=*}=\${pair#*=}"
    done
}

# need_tools: fails if a command is missing, and names it in $missing
need_tools() {
    for missing in "${cc%% *}" "${run%% *}"; do
        command -v "$missing" >/dev/null 2>&1 || return 1
    done
}


# ---- Building --------------------------------------------------------------

COMMON="-std=c99 -ffp-contract=off -ffreestanding -fno-common -fno-pic \
-fno-stack-protector -fno-asynchronous-unwind-tables -ffunction-sections \
-fdata-sections -I."

# Warnings are errors here; elsewhere they are off, because nobody reads them.
warnings() {
    case $cc in *-Werror*) echo -Wall -Wextra ;; esac
}

# no_loops FILE: prints the flags without which memcpy would call memcpy
no_loops() {
    case ${cc%% *}:$1 in
    clang:*/memory.c) echo -fno-builtin ;;
    *:*/memory.c) echo -fno-builtin -fno-tree-loop-distribute-patterns ;;
    esac
}

# optimise FILE: prints the optimisation level.  Files outside the engine take
# long to compile with an optimiser, and little time to run, except floats in
# software; but on small machines they fit only when optimised.
optimise() {
    case $room:$1 in
    *:port/softfloat/*) echo -O2 ;;
    console:port/scenes/* | console:port/guest/golden.c) echo -O0 ;;
    *) echo "$level" ;;
    esac
}

# guest_flags FILE: prints flags for files of the guest program alone
guest_flags() {
    case $1 in
    port/guest/*) echo "-DGUEST_SCENE=\"${SCENE:-}\" $GUEST_FLAGS" ;;
    port/uart/*) echo "$uart" | cut -s -d ' ' -f 2- ;;
    esac
}

# parts FILE: prints a checksum of the files that a file of the engine includes
parts() {
    case ${1##*/} in
    vsp*.c) cat "$(dirname "$1")"/src/*/*.[ch] | cksum ;;
    esac
}

# class_flags: prints options that a class's golden rows need beyond its file
class_flags() {
    case $class:${options:-} in
    small: | console:) echo -DVSP_SHELLS=1 -DVSP_MAX_RUNTIME_HULLS=6 ;;
    esac
}

# compile FILE: compiles to $work/FILE.o, with slashes as dashes, unless neither
# the command nor any file has changed.  Scripts may do so in parallel.
compile() {
    made=$work/$(object "$1")
    key="$cc $level $(no_loops "$1") $class $options $kind_flag \
$(guest_flags "$1") ${CFLAGS:-} $headers $(parts "$1") $(cksum <"$1")"
    [ -e "$made" ] && [ "$key" = "$(cat "$made.key" 2>/dev/null)" ] && return
    rm -f "$made.key"
    $cc $COMMON $(warnings) $(optimise "$1") $(no_loops "$1") \
        "-DVSP_CONFIG=\"${options:-port/template/$class.h}\"" $kind_flag \
        $(class_flags) \
        $(guest_flags "$1") ${CFLAGS:-} -c "$1" -o "$out/new.o" &&
        mv "$out/new.o" "$made" && printf '%s\n' "$key" >"$made.key"
}

object() {
    echo "$1.o" | tr / -
}

# compile_all FILES...: compiles all of them, and sets $objects
compile_all() {
    objects=
    headers=$(cat port/lib.sh ./*.h port/*.h port/*/*.h port/*/*/*.h | cksum)
    for source; do
        compile "$source" || return 1
        objects="$objects $work/$(object "$source")"
    done
}

# build_guest SOURCES...: makes $out/guest.elf, and $program, which is run
build_guest() {
    program=$out/guest.elf
    compile_all $GUEST_ENGINE $GUEST $sources "$@" >"$out/log" 2>&1 || return 1
    $cc $objects -Wl,--gc-sections $link \
        -o "$program" >>"$out/log" 2>&1 || return 1
    [ "$image" = elf ] && return
    program=$out/guest.bin
    "${prefix}objcopy" -O binary "$out/guest.elf" "$program"
}


# ---- Running ---------------------------------------------------------------

# address SYMBOL: prints its address in the guest, in hexadecimal
address() {
    "${prefix}nm" "$out/guest.elf" | awk -v s="$1" '$3 == s { print $1 }'
}

# Builds the plugin that counts instructions, once; prints the options to load
# it.
plugin() {
    made=$BUILD/qemu/count.so
    if [ ! "$made" -nt port/plugin/count.c ]; then
        gcc -O2 -shared -fPIC -fvisibility=hidden port/plugin/count.c \
            -o "$made.$$" && mv "$made.$$" "$made"
    fi
    echo "$made$(counters),out=$out/count"
}

# Prints the address where each counter becomes active, as options of the
# plugin.
counters() {
    for counter in $GUEST_COUNTERS; do
        printf ',%s=%s' "${counter%%=*}" "$(address "${counter#*=}")"
    done
}

# run_guest: runs the guest, with the console in $out/log.  Returns its status,
# or 124 if it did not end.
run_guest() {
    rm -f "$out/count"
    set -- $(echo "$run" | sed "s|@|$program|g")
    first=$1
    shift
    case $COUNT$cores:$first in
    yes1:qemu-*) set -- -plugin "$(plugin)" "$@" ;;
    esac
    export QEMU_AUDIO_DRV=none
    if [ "$end" = line ]; then
        run_to_line "$first" "$@"
    else
        timeout "$BOUND" "$first" "$@" </dev/null >"$out/log" 2>&1
    fi
}

# run_to_line COMMAND...: runs the command until the console shows EXIT:status
run_to_line() {
    "$@" </dev/null >"$out/log" 2>&1 &
    pid=$!
    waits=0
    until grep -aq '^EXIT:[0-9]' "$out/log" || ! kill -0 $pid 2>/dev/null ||
        [ $waits -ge $((BOUND * 10)) ]; do
        sleep 0.1
        waits=$((waits + 1))
    done
    kill $pid 2>/dev/null
    wait $pid 2>/dev/null
    code=$(sed -n 's/^EXIT:\([0-9]*\).*/\1/p' "$out/log")
    return "${code:-124}"
}


# ---- Results of a run ------------------------------------------------------

# Prints the rows of tests/golden.txt for this target, kind and scene.
golden_rows() {
    awk -v class="$class" -v kind="$kind" -v scene="${SCENE:-}" '
        function rank(name) { return index("micro tiny small console", name) }
        /^#/ || NF != 6 || $3 != kind || rank($4) > rank(class) { next }
        scene == "" || $1 == scene { print; next }
        { bare = $1; sub(/[:~^@].*/, "", bare) }
        bare == scene' tests/golden.txt
}

# measured WHAT: prints a number of the line from port/guest/measure.c
measured() {
    awk -v what="$1" '/^# steps/ {
        for (i = 2; i < NF; i++) if ($i == what) print $(i + 1) }' "$out/log"
}

# Writes the bytes that a guest printed, in lines of `@ ` and hexadecimal
# digits.
printed_bytes() {
    LC_ALL=C awk '
        BEGIN { for (i = 0; i < 256; i++) value[sprintf("%02x", i)] = i }
        /^@ / {
            for (i = 3; i < length($0); i += 2)
                printf "%c", value[substr($0, i, 2)]
        }' "$out/log"
}

# Prints the instructions a step, or -
instructions() {
    if [ -s "$out/count" ]; then
        awk '{ printf "%.0f\n", $1 ? $2 / $1 : 0 }' "$out/count"
    else
        echo -
    fi
}

# Prints the code and constants of the engine, with those the guest does not
# use.
text_bytes() {
    for source in $GUEST_ENGINE; do
        "${prefix}size" "$work/$(object "$source")"
    done 2>/dev/null | awk '/^ *[0-9]/ { sum += $1 } END { print sum + 0 }'
}

# Prints all flash of the guest: code, constants and start values of .data.
flash_bytes() {
    "${prefix}size" "$out/guest.elf" | awk 'NR == 2 { print $1 + $2 }'
}

# Prints the data of the guest, including the world's buffer, and its stack.
ram_bytes() {
    "${prefix}size" "$out/guest.elf" 2>/dev/null |
        awk -v stack="$(measured stack)" '
        /^ *[0-9]/ { print $3 ? $2 + $3 + stack : "-" }'
}
