/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

#define _POSIX_C_SOURCE 200112L

#include "udp.h"

#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int udp_open(unsigned port, bool is_local, struct sockaddr_in *own)
{
    int it = socket(AF_INET, SOCK_DGRAM, 0);
    socklen_t size = sizeof *own;

    memset(own, 0, sizeof *own);
    own->sin_family = AF_INET;
    own->sin_port = htons((uint16_t)port);
    own->sin_addr.s_addr = htonl(is_local ? INADDR_LOOPBACK : INADDR_ANY);
    if (it < 0)
        return -1;
    if (bind(it, (struct sockaddr *)own, sizeof *own) == 0 &&
        getsockname(it, (struct sockaddr *)own, &size) == 0 &&
        fcntl(it, F_SETFL, O_NONBLOCK) == 0)
        return it;
    close(it);
    return -1;
}

bool udp_find(const char *name, struct sockaddr_in *address)
{
    const char *colon = strrchr(name, ':');
    struct addrinfo hints, *found;
    char host[256];
    size_t length;

    if (!colon || (length = (size_t)(colon - name)) >= sizeof host)
        return false;
    memcpy(host, name, length);
    host[length] = '\0';
    memset(&hints, 0, sizeof hints);
    hints.ai_family = AF_INET;
    hints.ai_socktype = SOCK_DGRAM;
    if (getaddrinfo(host, colon + 1, &hints, &found) != 0)
        return false;
    memcpy(address, found->ai_addr, sizeof *address);
    freeaddrinfo(found);
    return true;
}

void udp_send(int socket, const struct sockaddr_in *to, const void *bytes,
              size_t size)
{
    /* a datagram that cannot be sent counts as lost */
    (void)!sendto(socket, bytes, size, 0, (const struct sockaddr *)to,
                  sizeof *to);
}

size_t udp_receive(int socket, struct sockaddr_in *from, void *bytes,
                   size_t capacity)
{
    socklen_t length = sizeof *from;
    ssize_t size = recvfrom(socket, bytes, capacity, 0, (struct sockaddr *)from,
                            &length);

    return size > 0 ? (size_t)size : 0;
}

bool udp_is_same(const struct sockaddr_in *a, const struct sockaddr_in *b)
{
    return a->sin_port == b->sin_port &&
           a->sin_addr.s_addr == b->sin_addr.s_addr;
}
