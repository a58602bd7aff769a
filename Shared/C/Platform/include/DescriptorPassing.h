#pragma once

#include <sys/types.h>

// Why: the macros of cmsg(3) do not import, and memfd_create is behind _GNU_SOURCE.
/// A pair of connected sockets that keep the borders of messages (unix(7), SOCK_SEQPACKET). Both numbers are 10 or more,
/// and neither is inherited. 0, or an errno.
int lunara_message_sockets(int ends[_Nonnull 2]);
/// Sends a message with descriptors, of which there are at most 64. 0, or an errno: EAGAIN where the receiver is slow and
/// `waits` is 0.
int lunara_send_message(
    int socket, const void *_Nonnull bytes, size_t count, const int *_Nonnull descriptors, int descriptor_count,
    int waits);
/// The length of the next message, for which it waits; 0 at the end, -1 on failure.
ssize_t lunara_next_message_length(int socket);
/// Receives the next message and up to 64 descriptors, whose number is put into `descriptor_count`. Returns its length;
/// 0 at the end, -1 on failure.
ssize_t lunara_receive_message(
    int socket, void *_Nonnull bytes, size_t room, int *_Nonnull descriptors, int *_Nonnull descriptor_count);
/// An open file in memory without a path; -1 on failure.
int lunara_memory_file(const char *_Nonnull name);
/// The same with a size that nobody can change.
int lunara_sized_memory_file(const char *_Nonnull name, size_t size);
