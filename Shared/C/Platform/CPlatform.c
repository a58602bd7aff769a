#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/pidfd.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

char **lunara_environment(void) { return environ; }

int lunara_pipe(int ends[2]) {
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  for (int i = 0; i < 2; i++) {
    int high = fcntl(ends[i], F_DUPFD_CLOEXEC, 10);
    int error = errno;
    if (high < 0) {
      close(ends[0]);
      close(ends[1]);
      return error;
    }
    close(ends[i]);
    ends[i] = high;
  }
  return 0;
}

int lunara_accept(int socket, struct sockaddr *address, socklen_t *length) {
  return accept4(socket, address, length, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

int lunara_signal_descriptor(const int *signals, int count) {
  sigset_t set;
  sigemptyset(&set);
  for (int i = 0; i < count; i++) sigaddset(&set, signals[i]);
  int error = pthread_sigmask(SIG_BLOCK, &set, NULL);
  if (error != 0) {
    errno = error;
    return -1;
  }
  return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static volatile int caught_signals = -1;

static void catch_signal(int number) {
  int error = errno;
  struct signalfd_siginfo info = {.ssi_signo = (uint32_t)number};
  // A pipe that is full holds the same signal many times already.
  ssize_t written = write(caught_signals, &info, sizeof info);
  (void)written;
  errno = error;
}

int lunara_caught_signal_descriptor(const int *signals, int count) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
  caught_signals = ends[1];
  struct sigaction action = {.sa_handler = catch_signal, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < count; i++) {
    if (sigaction(signals[i], &action, NULL) != 0) return -1;
  }
  return ends[0];
}

int lunara_next_signal(int descriptor) {
  struct signalfd_siginfo info;
  return read(descriptor, &info, sizeof info) == (ssize_t)sizeof info ? (int)info.ssi_signo : 0;
}

int lunara_process_descriptor(pid_t pid) { return pidfd_open(pid, 0); }

void lunara_signal_process(int descriptor, int signal) { pidfd_send_signal(descriptor, signal, NULL, 0); }

int lunara_spawn(
    pid_t *pid, const char *path, char *const *arguments, char *const *environment, const int *descriptors,
    int count) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int error = posix_spawn_file_actions_init(&actions);
  if (error != 0) return error;
  error = posix_spawnattr_init(&attributes);
  if (error != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return error;
  }
  for (int i = 0; i < count && error == 0; i++)
    error = posix_spawn_file_actions_adddup2(&actions, descriptors[i], i);
  if (error == 0) error = posix_spawn_file_actions_addclosefrom_np(&actions, count);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  if (error == 0) error = posix_spawn(pid, path, &actions, &attributes, arguments, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

int lunara_reap(pid_t pid, int waits, int *ending) {
  int status = 0;
  pid_t found;
  do found = waitpid(pid, &status, waits ? 0 : WNOHANG);
  while (found < 0 && errno == EINTR);
  if (found <= 0) return found;
  *ending = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
  return 1;
}

static locale_t utf8;
static pthread_once_t utf8_once = PTHREAD_ONCE_INIT;
static void make_utf8(void) { utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0); }

int lunara_columns(unsigned int scalar) {
  pthread_once(&utf8_once, make_utf8);
  if (utf8 == (locale_t)0) return scalar < 32 || scalar == 127 ? -1 : 1;
  locale_t before = uselocale(utf8);
  int columns = wcwidth((wchar_t)scalar);
  uselocale(before);
  return columns;
}
