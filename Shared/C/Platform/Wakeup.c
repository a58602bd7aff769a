#define _GNU_SOURCE
#include "Wakeup.h"

#include <poll.h>
#include <stddef.h>
#include <sys/eventfd.h>
#include <sys/resource.h>

int lunara_wakeup(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int lunara_poll(struct pollfd *polled, unsigned long count, long long nanoseconds) {
  struct timespec timeout = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  return ppoll(polled, count, nanoseconds < 0 ? NULL : &timeout, NULL);
}

void lunara_allow_descriptors(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  rlim_t wanted = limit.rlim_max < 8192 ? limit.rlim_max : 8192;
  if (limit.rlim_cur >= wanted) return;
  limit.rlim_cur = wanted;
  setrlimit(RLIMIT_NOFILE, &limit);
}
