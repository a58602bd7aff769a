// Simulates a host whose clock is a year ahead. Loaded before the C library (LD_PRELOAD), it adds a year to the wall
// clock's time; monotonic clocks are unchanged. As the kernel's clock is not ahead, absolute times for which a thread
// waits are set back by a year.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const time_t ahead = 365L * 86400;

static time_t right(void) {
  struct timespec now;
  return syscall(SYS_clock_gettime, CLOCK_REALTIME, &now) == 0 ? now.tv_sec : 0;
}

// Only times of the wall clock are set back; those of other clocks are far smaller.
static struct timespec put_back(const struct timespec *moment) {
  struct timespec result = *moment;
  if (result.tv_sec > right() + ahead / 2) result.tv_sec -= ahead;
  return result;
}

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
  time_t now = right() + ahead;
  if (moment) *moment = now;
  return now;
}

int pthread_cond_timedwait(
    pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict end) {
  static int (*next)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
  if (!next) next = (int (*)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *))dlsym(RTLD_NEXT, __func__);
  struct timespec moment = put_back(end);
  return next(condition, mutex, &moment);
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict end) {
  static int (*next)(sem_t *, const struct timespec *);
  if (!next) next = (int (*)(sem_t *, const struct timespec *))dlsym(RTLD_NEXT, __func__);
  struct timespec moment = put_back(end);
  return next(semaphore, &moment);
}
