/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A line of UDP to one other machine. */

#ifndef LINE_H
#define LINE_H

#include <stdbool.h>
#include <stddef.h>

/* Opens a line from a port of this machine to a port of a host. */
bool line_open(const char *port, const char *host, const char *to);

/* Receives a message, and returns its size; 0 if there is none. */
size_t line_get(void *bytes, size_t capacity);

/* Sends a message.  It may be lost. */
void line_put(const void *bytes, size_t size);

#endif
