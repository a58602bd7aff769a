#define _GNU_SOURCE
#include "Messages.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

int lunara_send_message(int socket, const void *bytes, size_t count, int descriptor) {
  struct iovec part = {(void *)bytes, count};
  union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr header;
  } control;
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (descriptor >= 0) {
    memset(&control, 0, sizeof control);
    message.msg_control = &control;
    message.msg_controllen = sizeof control;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  }
  ssize_t sent;
  do sent = sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  while (sent < 0 && errno == EINTR);
  return sent < 0 ? errno : 0;
}

ssize_t lunara_receive_message(int socket, void *bytes, size_t count, int *descriptor) {
  struct iovec part = {bytes, count};
  union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr header;
  } control;
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  *descriptor = -1;
  ssize_t received;
  do received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  while (received < 0 && errno == EINTR);
  if (received < 0) return -1;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
    memcpy(descriptor, CMSG_DATA(header), sizeof *descriptor);
  if (message.msg_flags & MSG_TRUNC) {
    if (*descriptor >= 0) close(*descriptor);
    *descriptor = -1;
    errno = EMSGSIZE;
    return -1;
  }
  return received;
}

void lunara_bound_decoder(unsigned long long memory) {
  const struct rlimit data = {memory, memory}, none = {0, 0};
  setrlimit(RLIMIT_DATA, &data);
  setrlimit(RLIMIT_CORE, &none);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}
