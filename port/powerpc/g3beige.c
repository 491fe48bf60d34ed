/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Console of a PowerPC 750 desktop computer, QEMU's `g3beige`: the serial port
 * of its I/O controller.  The controller is on the PCI bus, and its address is
 * set here.  The machine has no simple power switch, so the runner ends it. */

#include "../port.h"

#include <stdbool.h>

/* PCI configuration space, through the Grackle bridge; little-endian */
#define CONFIG_ADDRESS (*(volatile uint32_t *)0xfec00000u)
#define CONFIG_DATA (*(volatile uint32_t *)0xfee00000u)
#define CONFIG_ENABLE 0x80000000u
#define PCI_ID 0x00u
#define PCI_COMMAND 0x04u
#define PCI_CLASS 0x08u
#define PCI_BASE 0x10u
#define PCI_MEMORY 2u /* command: respond to memory accesses */
#define APPLE 0x106bu
#define CLASS_OTHER 0xff00u /* class that the I/O controller reports */

/* Zilog SCC, channel A: a register is chosen by a write to CONTROL */
#define CONTROLLER 0x80000000u
#define SCC(offset) (*(volatile uint8_t *)(CONTROLLER + 0x13000u + (offset)))
#define SCC_CONTROL 0x20u
#define SCC_DATA 0x30u
#define SCC_TRANSMIT 5u
#define SCC_TRANSMIT_8_BITS 0x68u

static void order_accesses(void)
{
    __asm__ volatile("eieio; sync" ::: "memory");
}

static uint32_t swap_bytes(uint32_t a)
{
    return a >> 24 | (a >> 8 & 0xff00u) | (a << 8 & 0xff0000u) | a << 24;
}

static void choose_register(uint32_t device, uint32_t offset)
{
    CONFIG_ADDRESS = swap_bytes(CONFIG_ENABLE | device << 11 | offset);
    order_accesses();
}

static uint32_t config(uint32_t device, uint32_t offset)
{
    uint32_t value;

    choose_register(device, offset);
    value = swap_bytes(CONFIG_DATA);
    order_accesses();
    return value;
}

static void set_config(uint32_t device, uint32_t offset, uint32_t value)
{
    choose_register(device, offset);
    CONFIG_DATA = swap_bytes(value);
    order_accesses();
}

static void set_scc(uint32_t offset, uint32_t value)
{
    SCC(offset) = (uint8_t)value;
    order_accesses();
}

static void open_console(void)
{
    for (uint32_t device = 0; device < 32; device++)
        if ((config(device, PCI_ID) & 0xffffu) == APPLE &&
            config(device, PCI_CLASS) >> 16 == CLASS_OTHER) {
            set_config(device, PCI_BASE, CONTROLLER);
            set_config(device, PCI_COMMAND, PCI_MEMORY);
        }
    set_scc(SCC_CONTROL, SCC_TRANSMIT);
    set_scc(SCC_CONTROL, SCC_TRANSMIT_8_BITS);
}

void port_write(const char *bytes, uint32_t count)
{
    static bool is_open;

    if (!is_open)
        open_console();
    is_open = true;
    while (count--)
        set_scc(SCC_DATA, (uint8_t)*bytes++);
}

void port_exit(int status)
{
    port_exit_line(status);
    for (;;)
        continue;
}
