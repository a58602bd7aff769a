// A host whose clock is a year ahead: loaded before the C library, it adds that to what the wall clock says. All other
// clocks are right, so nothing waits longer or shorter.
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const time_t ahead = 365L * 86400;

int clock_gettime(clockid_t clock, struct timespec *moment) {
  int result = (int)syscall(SYS_clock_gettime, clock, moment);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) moment->tv_sec += ahead;
  return result;
}

int gettimeofday(struct timeval *restrict moment, void *restrict zone) {
  (void)zone;
  int result = (int)syscall(SYS_gettimeofday, moment, NULL);
  if (result == 0) moment->tv_sec += ahead;
  return result;
}

time_t time(time_t *moment) {
  time_t now = 0;
  struct timespec exact;
  if (clock_gettime(CLOCK_REALTIME, &exact) == 0) now = exact.tv_sec;
  if (moment) *moment = now;
  return now;
}
