# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The VSP authors
#
# Builds the host tool and the tests.  Needs a C compiler and make; the steps
# of `make test` need more, which ci/setup installs.  CFLAGS is for your own
# flags: they come last, so they win.  BUILD is the folder of all output:
#
#     make CC=clang CFLAGS=-O3 BUILD=build/o3

BUILD ?= build
CFLAGS ?=
LDFLAGS ?=

# make V=1 shows whole commands
V ?= 0
Q = $(if $(filter 0,$(V)),@)

WARNINGS = -Wall -Wextra -Wpedantic -Wconversion -Wshadow \
           -Wdouble-promotion -Wundef -Wvla -Wstrict-prototypes \
           -Wmissing-prototypes
LEVEL = -O2
FLAGS = -std=c99 $(LEVEL) -ffp-contract=off $(WARNINGS) -I. -MMD -MP

ENGINE = vsp.c vsp_solver.c vsp_collide.c
# What the host tool and the tests share: scenes, makers of tables, measurements
# in double precision, pictures.
SCENES = $(sort $(wildcard port/scenes/*.c))
GEOMETRY = $(sort $(wildcard port/geometry/*.c)) port/file.c
MEASURE = $(sort $(wildcard port/measure/*.c))
RENDER = $(sort $(wildcard port/render/*.c))
LOCKSTEP = port/lockstep/faults.c port/lockstep/frame.c port/lockstep/game.c

# Suites that fill worlds are in a program of their own, with small worlds.
SMALL_SUITES = tests/test_api.c tests/test_limits.c tests/test_validate.c \
        tests/test_replay.c tests/test_table.c tests/test_joint_api.c
SUITES = $(filter-out $(SMALL_SUITES),$(sort $(wildcard tests/test_*.c)))
TEST_RUNNER = tests/test.c tests/fixture.c

# The source files of each program.
HOST_TOOL = $(ENGINE) $(SCENES) $(GEOMETRY) $(MEASURE) $(RENDER) \
        $(sort $(wildcard port/paper/*.c)) port/command.c port/threads/pool.c \
        $(filter-out port/host/demo.c,$(sort $(wildcard port/host/*.c)))
DEMO = $(ENGINE) $(SCENES) $(MEASURE) $(RENDER) port/host/apng.c \
        port/host/clock.c port/host/demo.c port/host/gallery.c \
        port/host/picture.c port/host/report.c
TESTS = $(ENGINE) $(TEST_RUNNER) tests/scene_fixture.c tests/convex_oracle.c \
        tests/grounds.c tests/bounds_scenes.c tests/shell_check.c \
        tests/shell_scenes.c tests/suites.c $(SUITES) $(SCENES) $(GEOMETRY) \
        $(MEASURE) $(LOCKSTEP) port/threads/pool.c
SMALL_TESTS = $(ENGINE) $(TEST_RUNNER) tests/suites_small.c $(SMALL_SUITES)
GOLDEN = $(ENGINE) $(SCENES) tests/golden_main.c
HEAP = $(ENGINE) $(SCENES) tests/heap_main.c
WORLDS = $(ENGINE) $(SCENES) $(sort $(wildcard tests/worlds_*.c))
LOCKSTEP_DEMO = $(ENGINE) $(LOCKSTEP) $(RENDER) port/lockstep/alone.c \
        port/lockstep/flip.c port/lockstep/machine.c port/lockstep/main.c \
        port/lockstep/match.c port/lockstep/play.c port/lockstep/tally.c \
        port/lockstep/udp.c port/measure/solid.c port/file.c port/command.c

HOST_CONFIG = -DVSP_CONFIG='"port/host/vsp_config.h"'
TEST_CONFIG = -DVSP_CONFIG='"tests/vsp_config.h"'
SMALL_CONFIG = -DVSP_CONFIG='"tests/small_config.h"'
GAME_CONFIG = -DVSP_CONFIG='"port/template/small.h"'
CALLS_CONFIG = -DVSP_CONFIG='"tests/worlds_config.h"'

.PHONY: all programs run play gallery test test-quick golden qemu link size \
        size-baseline count count-baseline worlds exhaustive fuzz bench dist \
        format layers web clean help

all: programs test-quick ## build the tool and the tests, run the quick tests

# The folder of the objects of the fixed host tool, whose options they have.  CI
# takes `full`, which the tests have too, so that the engine and what they share
# are compiled once for both: worlds of a quarter of the size, without a clock.
# The tool of floats draws the figures of papers, which need more bodies.
TOOL ?= host

# Each program is built twice: with floats, and with fixed-point numbers under
# a name that ends in -fixed.
PROGRAMS = vsp demo tests tests-small golden heap lockstep worlds
both = $(BUILD)/$(1) $(BUILD)/$(1)-fixed

programs: $(call both,vsp) $(call both,tests) $(call both,tests-small) \
        $(call both,lockstep)

$(foreach program,$(PROGRAMS),$(call both,$(program))):
	@echo "  LD $@"
	$(Q)$(CC) $(FLAGS) $(CFLAGS) $^ $(LDFLAGS) -lm -lpthread -o $@

# $(call program,NAME,SOURCES,FOLDER): the program's objects are in FOLDER; with
# one more folder, those of the fixed program are in that one.
# $(call objects,FOLDER,OPTIONS): the objects in FOLDER have these options.
define program
$(BUILD)/$(1): $(2:%.c=$(BUILD)/$(3)/%.o)
$(BUILD)/$(1)-fixed: $(2:%.c=$(BUILD)/fixed/$(or $(4),$(3))/%.o)
-include $(2:%.c=$(BUILD)/$(3)/%.d)
-include $(2:%.c=$(BUILD)/fixed/$(or $(4),$(3))/%.d)
endef

define objects
$(BUILD)/$(1)/%.o: %.c
	@mkdir -p $$(@D)
	@echo "  CC $$@"
	$$(Q)$$(CC) $$(FLAGS) $(2) $$(CFLAGS) -c $$< -o $$@
endef

$(eval $(call program,vsp,$(HOST_TOOL),host,$(TOOL)))
$(eval $(call program,demo,$(DEMO),host))
$(eval $(call program,tests,$(TESTS),full))
$(eval $(call program,golden,$(GOLDEN),full))
$(eval $(call program,heap,$(HEAP),full))
$(eval $(call program,lockstep,$(LOCKSTEP_DEMO),game))
$(eval $(call program,worlds,$(WORLDS),calls))
$(eval $(call program,tests-small,$(SMALL_TESTS),small))
$(eval $(call objects,host,$$(HOST_CONFIG)))
$(eval $(call objects,full,$$(TEST_CONFIG)))
$(eval $(call objects,small,$$(SMALL_CONFIG)))
$(eval $(call objects,game,$$(GAME_CONFIG)))
$(eval $(call objects,calls,$$(CALLS_CONFIG)))
$(eval $(call objects,fixed/host,$$(HOST_CONFIG) -DVSP_FIXED=1))
$(eval $(call objects,fixed/full,$$(TEST_CONFIG) -DVSP_FIXED=1))
$(eval $(call objects,fixed/small,$$(SMALL_CONFIG) -DVSP_FIXED=1))
$(eval $(call objects,fixed/game,$$(GAME_CONFIG) -DVSP_FIXED=1))
$(eval $(call objects,fixed/calls,$$(CALLS_CONFIG) -DVSP_FIXED=1))

# These take longer to compile at -O2 than they gain, but for the renderer.
$(foreach part,small game calls full/tests/test_ host/port/ full/port/host/ \
    full/port/paper/,$(BUILD)/$(part)% $(BUILD)/fixed/$(part)%): LEVEL = -O1
$(BUILD)/host/port/render/%: LEVEL = -O2

# Uses all cores, unless `make -j` says how many.
CORES = $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
PARALLEL = $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(CORES))

run: ## run hard scenes: a table, pictures
	@MAKE='$(MAKE)' PARALLEL='$(PARALLEL)' BUILD='$(BUILD)' port/demo

play: ## build the game for two at a terminal, build/play
	@mkdir -p $(BUILD)
	@$(MAKE) -s -C port/examples/game VSP=../../.. GAME=$(abspath $(BUILD))/play

# The page has both kinds of numbers as modules of WebAssembly.  It must be
# small, and its steps fast: the solver takes most of the time of a step.
WEB = $(BUILD)/web
WEB_PARTS = $(ENGINE) $(SCENES) $(sort $(wildcard port/web/*.c)) \
        port/lockstep/faults.c port/lockstep/flip.c port/lockstep/game.c \
        port/lockstep/tally.c port/guest/memory.c
WEB_FLAGS = --target=wasm32-unknown-unknown -std=c99 -ffp-contract=off \
        -ffreestanding -mbulk-memory -ffunction-sections -fdata-sections \
        -I. -DVSP_CONFIG='"port/web/vsp_config.h"' -MMD -MP
WEB_LEVEL = -O2 -mllvm -inline-threshold=-20
$(WEB)/%/vsp_solver.o: WEB_LEVEL = -O2 -fno-vectorize -fno-slp-vectorize
$(WEB)/fixed/vsp_solver.o: WEB_LEVEL = -Os
$(WEB)/%/vsp_collide.o: WEB_LEVEL = -Oz
$(WEB)/%/vsp.o: WEB_LEVEL = -Oz
$(WEB)/float/port/%.o $(WEB)/fixed/port/%.o: WEB_LEVEL = -Oz
$(WEB)/%/port/web/draw.o: WEB_LEVEL = -O2
$(WEB)/%/port/guest/memory.o: WEB_LEVEL = -O2 -fno-builtin

define module
$(WEB)/$(1)/%.o: %.c
	@mkdir -p $$(@D)
	@echo "  CC $$@"
	$$(Q)clang $$(WEB_FLAGS) $$(WEB_LEVEL) $(2) -c $$< -o $$@
$(WEB)/$(1).wasm: $(WEB_PARTS:%.c=$(WEB)/$(1)/%.o)
	@echo "  LD $$@"
	$$(Q)wasm-ld --no-entry --gc-sections --strip-all -z stack-size=262144 \
	    $$^ -o $$@
-include $(WEB_PARTS:%.c=$(WEB)/$(1)/%.d)
endef

$(eval $(call module,float,))
$(eval $(call module,fixed,-DVSP_FIXED=1))

$(WEB)/index.html: $(WEB)/float.wasm $(WEB)/fixed.wasm tests/golden.txt \
        $(wildcard port/web/*)
	@port/web/build $(WEB)

web: ## build a page that runs the scenes in a browser (clang, wasm-ld, xz)
	@$(MAKE) --no-print-directory $(PARALLEL) $(WEB)/index.html

gallery: $(BUILD)/vsp $(BUILD)/lockstep ## draw all pictures and figures
	@mkdir -p $(BUILD)/pictures $(BUILD)/paper
	@$(BUILD)/lockstep match --steps 1200 --latency 100 --loss 10 \
	    --picture $(BUILD)/pictures/lockstep.png >$(BUILD)/lockstep.log
	@$(BUILD)/vsp gallery --all -o $(BUILD)/pictures
	@$(BUILD)/vsp paper pgs-sm-merit -o $(BUILD)/paper

test: ## run all that CI runs, in about 25 minutes
	@ci/all

test-quick: $(call both,tests-small) $(call both,tests) ## run the quick tests
	@for program in $^; do $$program --quick || exit 1; done

golden: $(call both,golden) ## rewrite tests/golden.txt when bits change
	@$(BUILD)/golden >$(BUILD)/golden.txt
	@$(BUILD)/golden-fixed >$(BUILD)/golden-fixed.txt
	@grep -v '^#' $(BUILD)/golden-fixed.txt >>$(BUILD)/golden.txt
	@mv $(BUILD)/golden.txt tests/golden.txt

qemu: $(BUILD)/vsp ## check golden hashes on emulated machines
	@TARGET='$(TARGET)' SCENE='$(SCENE)' REPLAY='$(REPLAY)' ci/qemu

link: $(call both,vsp) $(call both,lockstep) ## lockstep of two machines
	@port/link $(or $(TARGETS),cortex-m4f mips32-be) $(or $(KIND),float)

size: ## print sizes of code, stack and worlds, and their limits
	@ci/size

worlds: ## random calls to three worlds, under sanitizers: STEPS=1000000
	@ci/worlds $(or $(STEPS),1000000)

exhaustive: ## run helpers of one number for all 2^32 patterns of bits
	@LONG=1 ci/scalar patterns

fuzz: $(BUILD)/vsp ## feed hostile bytes to all readers, for SECONDS=60
	@ci/fuzz $(SECONDS)

size-baseline: ## write today's sizes to the baseline and the documents
	@ci/size --write

count: ## print instructions of a step and its phases, on small machines
	@ci/count --print

count-baseline: ## write today's counts to the baseline and the documents
	@ci/count --write

bench: $(BUILD)/vsp ## time the scenes (ci/bench also times other engines)
	@$(BUILD)/vsp bench

dist: ## write a release to build/dist
	@BUILD='$(BUILD)' ci/dist

format: ## format the sources as .clang-format says
	@ci/format --write

layers: ## check that calls between the rooms of src/ go one way
	@ci/layers

clean: ## remove all output
	rm -rf $(BUILD)

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' \
	    Makefile
