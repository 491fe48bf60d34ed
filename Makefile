# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The VSP authors
#
# Builds the host tool and the tests.  Needs a C compiler and make; the steps
# of `make test` need what ci/setup installs.  Your own flags go into CFLAGS
# and come last, so that they win: make CC=clang CFLAGS=-O3 BUILD=build/o3

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

ENGINE = $(sort $(wildcard vsp*.c))
SCENES = tests/scene.c tests/scenes.c tests/scenes_build.c \
        tests/scenes_calls.c tests/scenes_calls2.c tests/scenes_joints.c \
        tests/scenes_micro.c tests/scenes_paper.c tests/scenes_shapes.c \
        tests/table_sets.c tests/tables.c
HOST = $(ENGINE) $(SCENES) tests/golden.c $(wildcard port/host/*.c)
RUNNER = tests/test.c tests/help.c
MEASURE = port/host/measure.c port/host/oracle.c port/host/simulation.c \
          port/host/solid.c
MAKER = port/host/bulk.c port/host/distance.c port/host/field.c \
        port/host/figure.c port/host/file.c port/host/form.c \
        port/host/hull.c port/host/mesh.c port/host/obj.c \
        port/host/sdf.c port/host/table.c
SMALL_ROOMS = tests/test_api.c tests/test_limits.c tests/test_validate.c \
        tests/test_replay.c tests/test_table.c tests/test_joint_api.c
ROOMS = $(filter-out $(SMALL_ROOMS),$(sort $(wildcard tests/test_*.c)))
CHARACTER = port/character/character.c
LOCKSTEP = port/lockstep/faults.c port/lockstep/game.c port/lockstep/line.c
TESTS = $(ENGINE) $(RUNNER) $(MEASURE) $(SCENES) tests/golden.c tests/play.c \
        $(CHARACTER) $(LOCKSTEP) tests/list.c $(ROOMS) $(MAKER) \
        tests/convex_oracle.c
SMALL = $(ENGINE) $(RUNNER) tests/list_small.c $(SMALL_ROOMS)
GOLDEN = $(ENGINE) $(SCENES) tests/golden.c tests/golden_main.c
WALK = $(ENGINE) $(CHARACTER) port/character/main.c port/host/clock.c
MATCH = $(ENGINE) $(LOCKSTEP) port/lockstep/alone.c port/lockstep/flip.c \
        port/lockstep/machine.c port/lockstep/main.c port/lockstep/match.c \
        port/lockstep/play.c port/lockstep/tally.c port/lockstep/udp.c \
        port/host/bulk.c port/host/file.c \
        port/host/png.c port/host/raster.c port/host/render.c \
        port/host/solid.c port/host/tint.c port/host/view.c
HEAP = $(ENGINE) $(SCENES) tests/heap_main.c

HOST_CONFIG = -DVSP_CONFIG='"port/host/vsp_config.h"'
TEST_CONFIG = -DVSP_CONFIG='"tests/vsp_config.h"'
SMALL_CONFIG = -DVSP_CONFIG='"tests/small_config.h"'
GAME_CONFIG = -DVSP_CONFIG='"port/template/small.h"'

.PHONY: all programs run test test-quick golden qemu link size \
        size-baseline count count-baseline fuzz bench clean help

all: programs test-quick ## build the tool and the tests, run the quick tests

# Each program is built from float numbers and, with -fixed behind its name,
# from fixed-point ones.
PROGRAMS = vsp tests tests-small golden heap character lockstep
both = $(BUILD)/$(1) $(BUILD)/$(1)-fixed

programs: $(call both,vsp) $(call both,tests) $(call both,tests-small) \
        $(call both,lockstep)

$(foreach program,$(PROGRAMS),$(call both,$(program))):
	@echo "  LD $@"
	$(Q)$(CC) $(FLAGS) $(CFLAGS) $^ $(LDFLAGS) -lm -o $@

# $(call program,NAME,SOURCES,FOLDER): of objects that have options of their
# own.  $(call objects,FOLDER,OPTIONS): how to make these.
define program
$(BUILD)/$(1): $(2:%.c=$(BUILD)/$(3)/%.o)
$(BUILD)/$(1)-fixed: $(2:%.c=$(BUILD)/fixed/$(3)/%.o)
-include $(2:%.c=$(BUILD)/$(3)/%.d) $(2:%.c=$(BUILD)/fixed/$(3)/%.d)
endef

define objects
$(BUILD)/$(1)/%.o: %.c
	@mkdir -p $$(@D)
	@echo "  CC $$@"
	$$(Q)$$(CC) $$(FLAGS) $(2) $$(CFLAGS) -c $$< -o $$@
endef

$(eval $(call program,vsp,$(HOST),host))
$(eval $(call program,tests,$(TESTS),full))
$(eval $(call program,golden,$(GOLDEN),full))
$(eval $(call program,heap,$(HEAP),full))
$(eval $(call program,character,$(WALK),host))
$(eval $(call program,lockstep,$(MATCH),game))
$(eval $(call program,tests-small,$(SMALL),small))
$(eval $(call objects,host,$$(HOST_CONFIG)))
$(eval $(call objects,full,$$(TEST_CONFIG)))
$(eval $(call objects,small,$$(SMALL_CONFIG)))
$(eval $(call objects,game,$$(GAME_CONFIG)))
$(eval $(call objects,fixed/host,$$(HOST_CONFIG) -DVSP_FIXED=1))
$(eval $(call objects,fixed/full,$$(TEST_CONFIG) -DVSP_FIXED=1))
$(eval $(call objects,fixed/small,$$(SMALL_CONFIG) -DVSP_FIXED=1))
$(eval $(call objects,fixed/game,$$(GAME_CONFIG) -DVSP_FIXED=1))

# What takes longer to compile than to run.
$(foreach part,small full/tests/test_,$(BUILD)/$(part)% \
    $(BUILD)/fixed/$(part)%): LEVEL = -O1

# On two cores: the table of fixed point takes as long as the other one and
# the pictures, when it ends before the shot at the tower.
run: $(call both,vsp) $(BUILD)/lockstep ## hard scenes: a table, and pictures
	@mkdir -p $(BUILD)/pictures
	@$(BUILD)/vsp-fixed run --steps 400 >$(BUILD)/fixed.log 2>&1 & \
	fixed=$$!; failed=0; \
	$(BUILD)/vsp run || failed=1; \
	$(BUILD)/vsp gallery -o $(BUILD)/pictures || failed=1; \
	$(BUILD)/vsp paper pgs-sm -o $(BUILD)/pictures || failed=1; \
	$(BUILD)/lockstep match --steps 1200 --latency 100 --loss 10 \
	    --picture $(BUILD)/pictures/lockstep.png || failed=1; \
	wait $$fixed || failed=1; \
	cat $(BUILD)/fixed.log; \
	exit $$failed

test: ## everything that CI runs, in about 20 minutes
	@ci/all

test-quick: $(call both,tests-small) $(call both,tests) ## those of seconds
	@for program in $^; do $$program --quick || exit 1; done

golden: $(call both,golden) ## write tests/golden.txt anew, after other bits
	@$(BUILD)/golden >$(BUILD)/golden.txt
	@$(BUILD)/golden-fixed >$(BUILD)/golden-fixed.txt
	@grep -v '^#' $(BUILD)/golden-fixed.txt >>$(BUILD)/golden.txt
	@mv $(BUILD)/golden.txt tests/golden.txt

qemu: $(BUILD)/vsp ## golden hashes on emulated CPUs
	@TARGET='$(TARGET)' SCENE='$(SCENE)' REPLAY='$(REPLAY)' ci/qemu

link: $(call both,vsp) $(call both,lockstep) ## two emulated machines that play
	@port/link $(or $(TARGETS),cortex-m4f mips32-be) $(or $(KIND),float)

size: ## code, stack and memory by cross compilers, and their bars
	@ci/size

fuzz: $(BUILD)/vsp ## feed readers and tables hostile bytes, for SECONDS=60
	@ci/fuzz $(SECONDS)

size-baseline: ## hold CI and the README's tables to the sizes of today
	@ci/size --write

count: ## instructions of a step and its phases, on small machines
	@ci/count --print

count-baseline: ## hold CI to the instructions of today
	@ci/count --write

bench: $(BUILD)/vsp ## time the scenes (ci/bench also times other engines)
	@ci/bench $(BUILD)/vsp

clean: ## remove what was built
	rm -rf $(BUILD)

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' \
	    Makefile
