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
           -Wdouble-promotion -Wundef
FLAGS = -std=c99 -O2 -ffp-contract=off $(WARNINGS) -I. -MMD -MP

ENGINE = vsp.c vsp_solver.c vsp_collide.c vsp_replay.c vsp_diff.c
SCENES = tests/scene.c tests/scenes.c tests/scenes_calls.c \
         tests/scenes_micro.c
HOST = $(ENGINE) $(SCENES) tests/golden.c $(wildcard port/host/*.c)
RUNNER = tests/test.c tests/help.c
MEASURE = port/host/measure.c port/host/oracle.c port/host/simulation.c \
          port/host/solid.c
TESTS = $(ENGINE) $(RUNNER) $(MEASURE) $(SCENES) tests/golden.c \
        tests/play.c tests/list.c tests/test_golden.c \
        tests/test_snapshot.c tests/test_collide.c tests/test_material.c \
        tests/test_stats.c tests/test_physics.c tests/test_stacking.c
SMALL = $(ENGINE) $(RUNNER) tests/list_small.c tests/test_api.c \
        tests/test_limits.c tests/test_validate.c tests/test_replay.c
GOLDEN = $(ENGINE) $(SCENES) tests/golden.c tests/golden_main.c
HEAP = $(ENGINE) $(SCENES) tests/heap_main.c

# The objects of each program are compiled under its own options.
objects = $(patsubst %.c,$(BUILD)/$(1)/%.o,$(2))
HOST_OBJECTS = $(call objects,host,$(HOST))
TEST_OBJECTS = $(call objects,full,$(TESTS))
GOLDEN_OBJECTS = $(call objects,full,$(GOLDEN))
HEAP_OBJECTS = $(call objects,full,$(HEAP))
SMALL_OBJECTS = $(call objects,small,$(SMALL))

HOST_CONFIG = -DVSP_CONFIG='"port/host/vsp_config.h"'
TEST_CONFIG = -DVSP_CONFIG='"tests/vsp_config.h"'
SMALL_CONFIG = -DVSP_CONFIG='"tests/small_config.h"'

.PHONY: all programs run test test-quick golden qemu size \
        size-baseline fuzz bench clean help

all: programs test-quick ## build the tool and the tests, run the quick tests

programs: $(BUILD)/vsp $(BUILD)/tests $(BUILD)/tests-small

$(BUILD)/vsp: $(HOST_OBJECTS)
	@echo "  LD $@"
	$(Q)$(CC) $(FLAGS) $(CFLAGS) $^ $(LDFLAGS) -lm -o $@

$(BUILD)/tests: $(TEST_OBJECTS)
	@echo "  LD $@"
	$(Q)$(CC) $(FLAGS) $(CFLAGS) $^ $(LDFLAGS) -lm -o $@

$(BUILD)/tests-small: $(SMALL_OBJECTS)
	@echo "  LD $@"
	$(Q)$(CC) $(FLAGS) $(CFLAGS) $^ $(LDFLAGS) -lm -o $@

$(BUILD)/golden: $(GOLDEN_OBJECTS)
	@echo "  LD $@"
	$(Q)$(CC) $(FLAGS) $(CFLAGS) $^ $(LDFLAGS) -lm -o $@

$(BUILD)/heap: $(HEAP_OBJECTS)
	@echo "  LD $@"
	$(Q)$(CC) $(FLAGS) $(CFLAGS) $^ $(LDFLAGS) -lm -o $@

$(BUILD)/host/%.o: %.c
	@mkdir -p $(@D)
	@echo "  CC $@"
	$(Q)$(CC) $(FLAGS) $(HOST_CONFIG) $(CFLAGS) -c $< -o $@

$(BUILD)/full/%.o: %.c
	@mkdir -p $(@D)
	@echo "  CC $@"
	$(Q)$(CC) $(FLAGS) $(TEST_CONFIG) $(CFLAGS) -c $< -o $@

$(BUILD)/small/%.o: %.c
	@mkdir -p $(@D)
	@echo "  CC $@"
	$(Q)$(CC) $(FLAGS) $(SMALL_CONFIG) $(CFLAGS) -c $< -o $@

run: $(BUILD)/vsp ## simulate the hard scenes: a table, and pictures
	@mkdir -p $(BUILD)/pictures
	@$(BUILD)/vsp gallery -o $(BUILD)/pictures >$(BUILD)/gallery.log 2>&1 & \
	gallery=$$!; failed=0; \
	$(BUILD)/vsp run || failed=1; \
	wait $$gallery || failed=1; \
	cat $(BUILD)/gallery.log; \
	exit $$failed

test: ## everything that CI runs, in about ten minutes
	@ci/all

test-quick: $(BUILD)/tests $(BUILD)/tests-small ## the tests of seconds
	@$(BUILD)/tests-small --quick && $(BUILD)/tests --quick

golden: $(BUILD)/golden ## write tests/golden.txt anew, after a change of bits
	@$(BUILD)/golden >$(BUILD)/golden.txt
	@mv $(BUILD)/golden.txt tests/golden.txt

qemu: $(BUILD)/vsp ## golden hashes on emulated CPUs
	@TARGET='$(TARGET)' SCENE='$(SCENE)' REPLAY='$(REPLAY)' ci/qemu

size: ## code, stack and memory by cross compilers, and their bars
	@ci/size

fuzz: $(BUILD)/vsp ## feed both readers hostile bytes, for SECONDS=60
	@ci/fuzz $(SECONDS)

size-baseline: ## hold CI and the README's tables to the sizes of today
	@ci/size --write

bench: $(BUILD)/vsp ## time the scenes (ci/bench also times other engines)
	@ci/bench $(BUILD)/vsp

clean: ## remove what was built
	rm -rf $(BUILD)

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' \
	    Makefile

-include $(HOST_OBJECTS:.o=.d) $(TEST_OBJECTS:.o=.d) $(SMALL_OBJECTS:.o=.d)
-include $(GOLDEN_OBJECTS:.o=.d) $(HEAP_OBJECTS:.o=.d)
