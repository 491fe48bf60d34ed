/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Stands for the header of the Playdate SDK. */

#ifndef PD_API_H
#define PD_API_H

#include <stdint.h>

typedef enum { kEventInit, kEventTerminate = 6 } PDSystemEvent;
typedef uintptr_t LCDColor;
enum { kColorBlack, kColorWhite };
typedef int PDCallbackFunction(void *user);

struct playdate_sys {
    void (*logToConsole)(const char *format, ...);
    void (*setUpdateCallback)(PDCallbackFunction *update, void *user);
};

struct playdate_graphics {
    void (*clear)(LCDColor color);
    void (*drawRect)(int x, int y, int width, int height, LCDColor color);
};

typedef struct PlaydateAPI {
    const struct playdate_sys *system;
    const struct playdate_graphics *graphics;
} PlaydateAPI;

int eventHandler(PlaydateAPI *playdate, PDSystemEvent event, uint32_t argument);

#endif
