/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Datagrams by POSIX sockets, none of which waits for anything. */

#ifndef UDP_H
#define UDP_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>

/* Opens a socket on a port, 0 for any, of the loopback interface or of all of
 * them.  *own is its address.  Returns it; -1, with errno, when refused. */
int udp_open(unsigned port, bool is_local, struct sockaddr_in *own);

/* Finds the address of HOST:PORT.  Returns false when there is none. */
bool udp_find(const char *name, struct sockaddr_in *address);

void udp_send(int socket, const struct sockaddr_in *to, const void *bytes,
              size_t size);

/* Returns the size of what came, and from where; 0 when nothing has. */
size_t udp_receive(int socket, struct sockaddr_in *from, void *bytes,
                   size_t capacity);

bool udp_is_same(const struct sockaddr_in *a, const struct sockaddr_in *b);

#endif
