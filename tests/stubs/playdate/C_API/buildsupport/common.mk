# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The VSP authors
#
# Stands for common.mk of the Playdate SDK: the product is a folder with a
# program for this computer.

$(PRODUCT)/pdex: $(SRC)
	@mkdir -p $(PRODUCT)
	$(CC) -O1 -Wall -Wextra -Werror -I$(SDK)/C_API $(UINCDIR:%=-I%) \
	    $(UDEFS) $^ $(SDK)/C_API/console.c -o $@
