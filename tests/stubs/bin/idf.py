#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The VSP authors
#
# Stands for idf.py of ESP-IDF: idf.py -C SOURCE build

[ "$1 $3" = "-C build" ] && [ $# -eq 3 ] || exit 2
cmake -S "$2" -B "$2/build" && cmake --build "$2/build"
