/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Stands for the start of ESP-IDF. */

void app_main(void);

int main(void)
{
    app_main();
    return 0;
}
