/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Where the Arduino IDE looks for a library's header.  `make dist` puts this
 * file into src/ of a release, which has no sources: one C file of a sketch
 * defines its options and VSP_IMPLEMENTATION and includes the engine, see
 * examples/arduino. */

#include "../single/vsp.h"
