/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Console and exit of all Arm machines: semihosting, a trap that QEMU or a
 * debugger answers.  Each profile has its own instruction for the trap. */

#include "../port.h"

#define SYS_WRITEC 0x03
#define SYS_EXIT_EXTENDED 0x20
#define APPLICATION_EXIT 0x20026

#if defined __aarch64__
#define TRAP "hlt #0xf000"
#define OPERATION "x0"
#define ARGUMENT "x1"
#define LINK "x30"
#elif defined __ARM_ARCH_PROFILE && __ARM_ARCH_PROFILE == 'M'
#define TRAP "bkpt #0xab"
#define OPERATION "r0"
#define ARGUMENT "r1"
#define LINK "lr"
#else
#define TRAP "svc #0x123456"
#define OPERATION "r0"
#define ARGUMENT "r1"
#define LINK "lr"
#endif

static void call_host(uintptr_t operation, const void *argument)
{
    register uintptr_t r0 __asm__(OPERATION) = operation;
    register const void *r1 __asm__(ARGUMENT) = argument;

    /* clobber lr: the trap sets it when taken in the mode that handles the
     * trap */
    __asm__ volatile(TRAP : "+r"(r0) : "r"(r1) : "memory", LINK);
}

void port_write(const char *bytes, uint32_t count)
{
    while (count--)
        call_host(SYS_WRITEC, bytes++);
}

void port_exit(int status)
{
    uintptr_t block[2];

    block[0] = APPLICATION_EXIT;
    block[1] = (uintptr_t)status;
    for (;;)
        call_host(SYS_EXIT_EXTENDED, block);
}
