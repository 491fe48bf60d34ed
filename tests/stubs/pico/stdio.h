/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Stands for the C library of the Pico SDK. */

#ifndef STDIO_H
#define STDIO_H

int printf(const char *format, ...);

#endif
