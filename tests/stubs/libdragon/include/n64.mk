# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The VSP authors
#
# Stands for n64.mk of libdragon: its flags that change floats, and a program
# for this computer as the ROM.

N64_CFLAGS = -I$(N64_INST)/include -O1 -ffast-math -ftrapping-math \
    -fno-associative-math -Wall -Werror -std=gnu99
SOURCE_DIR ?= .

%.z64: CFLAGS += $(N64_CFLAGS)
%.z64: $(BUILD_DIR)/%.elf
	cp $< $@

$(BUILD_DIR)/%.o: $(SOURCE_DIR)/%.c
	@mkdir -p $(@D)
	$(CC) -c $(CFLAGS) -o $@ $<

%.elf:
	$(CC) -o $@ $^
