/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Console and exit in WebAssembly: functions that the host, port/wasm/run.mjs,
 * provides.  The module exports main. */

#include "../port.h"

__attribute__((import_module("port"), import_name("write"))) void host_write(
    const char *bytes, uint32_t count);
__attribute__((import_module("port"), import_name("exit"))) void host_exit(
    int status);

void port_write(const char *bytes, uint32_t count)
{
    host_write(bytes, count);
}

void port_exit(int status)
{
    host_exit(status);
    for (;;)
        continue;
}
