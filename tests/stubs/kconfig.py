# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The VSP authors
#
# Reads Kconfig files and settings as Zephyr and ESP-IDF do, by kconfiglib, and
# prints the result as CMake variables:
#
#     python3 kconfig.py KCONFIG SETTINGS

import sys

import kconfiglib

kconfig = kconfiglib.Kconfig(sys.argv[1])
kconfig.warn_assign_undef = True
kconfig.load_config(sys.argv[2])
if kconfig.warnings:
    sys.exit("\n".join(kconfig.warnings))
for symbol in kconfig.unique_defined_syms:
    if symbol.str_value and symbol.str_value != "n":
        print('set(CONFIG_%s "%s")' % (symbol.name, symbol.str_value))
