/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* A Playdate that updates a hundred times, and draws nothing. */

#include "pd_api.h"

#include <stdarg.h>
#include <stdio.h>

static PDCallbackFunction *update_game;
static void *update_user;

static void log_line(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
}

static void set_update(PDCallbackFunction *update, void *user)
{
    update_game = update;
    update_user = user;
}

static void clear_screen(LCDColor color)
{
    (void)color;
}

static void draw_rect(int x, int y, int width, int height, LCDColor color)
{
    (void)x, (void)y, (void)width, (void)height, (void)color;
}

int main(void)
{
    static const struct playdate_sys system = {log_line, set_update};
    static const struct playdate_graphics graphics = {clear_screen, draw_rect};
    PlaydateAPI playdate = {&system, &graphics};

    eventHandler(&playdate, kEventInit, 0);
    for (int i = 0; i < 100; i++)
        update_game(update_user);
    eventHandler(&playdate, kEventTerminate, 0);
    return 0;
}
