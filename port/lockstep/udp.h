/* SPDX-License-Identifier: MIT
 * SPDX-FileCopyrightText: 2026 The VSP authors */

/* Datagrams by POSIX sockets; no function blocks. */

#ifndef UDP_H
#define UDP_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>

/* Opens a socket on a port, 0 for any, of the loopback interface or of all
 * interfaces.  Returns the socket, and its address in *own; -1, with errno, if
 * that fails. */
int udp_open(unsigned port, bool is_local, struct sockaddr_in *own);

/* Resolves HOST:PORT.  Returns false if there is no such address. */
bool udp_find(const char *name, struct sockaddr_in *address);

void udp_send(int socket, const struct sockaddr_in *to, const void *bytes,
              size_t size);

/* Returns the size of a received datagram, and its sender; 0 if there is
 * none. */
size_t udp_receive(int socket, struct sockaddr_in *from, void *bytes,
                   size_t capacity);

bool udp_is_same(const struct sockaddr_in *a, const struct sockaddr_in *b);

#endif
