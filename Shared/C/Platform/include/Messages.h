#pragma once

#include <sys/types.h>

// Why: the macros of control messages (cmsg(3)) do not import.
/// Sends one message on a socket of messages, with a descriptor unless it is negative; does not wait where the receiver
/// is slow. 0, or an errno.
int lunara_send_message(int socket, const void *_Nonnull bytes, size_t count, int descriptor);
/// Receives one message: the number of its bytes, 0 at the end, or -1 with errno, EMSGSIZE for one longer than `count`.
/// `descriptor` becomes the one that came with it, not inherited by children, or -1.
ssize_t lunara_receive_message(int socket, void *_Nonnull bytes, size_t count, int *_Nonnull descriptor);

// Why: sys/prctl.h is no part of the Glibc module, which gives the resources another type than setrlimit takes.
/// Limits a process that decodes what strangers have made: so many bytes of memory of its own, no core, no rights that
/// programs give to those who start them; and it ends with the thread that started it.
void lunara_bound_decoder(unsigned long long memory);
