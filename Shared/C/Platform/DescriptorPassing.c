#define _GNU_SOURCE
#include "DescriptorPassing.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

enum { mostDescriptors = 64 };

int lunara_message_sockets(int ends[2]) {
  int low[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, low) != 0) return errno;
  int error = 0;
  for (int i = 0; i < 2; i++) {
    ends[i] = fcntl(low[i], F_DUPFD_CLOEXEC, 10);
    if (ends[i] < 0) error = errno;
    close(low[i]);
  }
  if (error == 0) return 0;
  for (int i = 0; i < 2; i++)
    if (ends[i] >= 0) close(ends[i]);
  return error;
}

int lunara_send_message(
    int socket, const void *bytes, size_t count, const int *descriptors, int descriptor_count, int waits) {
  if (descriptor_count > mostDescriptors) return EINVAL;
  struct iovec part = {(void *)bytes, count};
  union {
    char room[CMSG_SPACE(mostDescriptors * sizeof(int))];
    struct cmsghdr alignment;
  } control;
  memset(&control, 0, sizeof control);
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (descriptor_count > 0) {
    message.msg_control = control.room;
    message.msg_controllen = CMSG_SPACE((size_t)descriptor_count * sizeof(int));
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN((size_t)descriptor_count * sizeof(int));
    memcpy(CMSG_DATA(header), descriptors, (size_t)descriptor_count * sizeof(int));
  }
  ssize_t sent;
  do sent = sendmsg(socket, &message, MSG_NOSIGNAL | (waits ? 0 : MSG_DONTWAIT));
  while (sent < 0 && errno == EINTR);
  return sent < 0 ? errno : 0;
}

ssize_t lunara_next_message_length(int socket) {
  ssize_t length;
  do length = recv(socket, NULL, 0, MSG_PEEK | MSG_TRUNC);
  while (length < 0 && errno == EINTR);
  return length;
}

ssize_t lunara_receive_message(int socket, void *bytes, size_t room, int *descriptors, int *descriptor_count) {
  *descriptor_count = 0;
  struct iovec part = {bytes, room};
  union {
    char room[CMSG_SPACE(mostDescriptors * sizeof(int))];
    struct cmsghdr alignment;
  } control;
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.room, .msg_controllen = sizeof control.room};
  ssize_t length;
  do length = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  while (length < 0 && errno == EINTR);
  if (length < 0) return length;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    int count = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    memcpy(descriptors + *descriptor_count, CMSG_DATA(header), (size_t)count * sizeof(int));
    *descriptor_count += count;
  }
  return length;
}

int lunara_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

int lunara_sized_memory_file(const char *name, size_t size) {
  int file = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return -1;
  if (ftruncate(file, (off_t)size) == 0 && fcntl(file, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) == 0)
    return file;
  int error = errno;
  close(file);
  errno = error;
  return -1;
}
