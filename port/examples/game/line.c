/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

#define _POSIX_C_SOURCE 200112L

#include "line.h"

#include <fcntl.h>
#include <netdb.h>
#include <sys/socket.h>
#include <sys/types.h>

static int line = -1;

bool line_open(const char *port, const char *host, const char *to)
{
    const struct addrinfo hints = {.ai_family = AF_INET,
                                   .ai_socktype = SOCK_DGRAM,
                                   .ai_flags = AI_PASSIVE};
    struct addrinfo *own, *other;
    bool is_open = false;

    if (getaddrinfo(NULL, port, &hints, &own) != 0)
        return false;
    if (getaddrinfo(host, to, &hints, &other) == 0) {
        line = socket(AF_INET, SOCK_DGRAM, 0);
        is_open = line >= 0 && bind(line, own->ai_addr, own->ai_addrlen) == 0 &&
                  connect(line, other->ai_addr, other->ai_addrlen) == 0 &&
                  fcntl(line, F_SETFL, O_NONBLOCK) == 0;
        freeaddrinfo(other);
    }
    freeaddrinfo(own);
    return is_open;
}

size_t line_get(void *bytes, size_t capacity)
{
    ssize_t size = recv(line, bytes, capacity, 0);

    return size > 0 ? (size_t)size : 0;
}

void line_put(const void *bytes, size_t size)
{
    (void)send(line, bytes, size, 0);
}
