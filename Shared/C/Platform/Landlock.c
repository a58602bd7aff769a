#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "Confinement.h"

// Names of later headers: rights on files, the right to take a port, and what is kept within the process and those that
// it starts.
static const __u64 truncating = 1ULL << 14, controlling = 1ULL << 15;
static const __u64 listening = 1ULL << 0;
static const __u64 abstract_sockets = 1ULL << 0, signals = 1ULL << 1;
struct ruleset {
  __u64 files, network, scoped;
};

static const __u64 first = (1ULL << 13) - 1;
static const __u64 reading = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
static const __u64 meeting = LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_REMOVE_FILE;
static const __u64 writing = LANDLOCK_ACCESS_FS_WRITE_FILE | truncating | controlling;
// The rights that a rule may give on something else than a folder.
static const __u64 of_files = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | writing;

int lunara_landlock_version(void) {
  const long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version > 0 ? (int)version : 0;
}

// Allows the rights on a file or folder. One that is not there, or that is out of reach already, is passed over.
static int allow(int ruleset, const char *path, __u64 rights) {
  const int file = open(path, O_PATH | O_CLOEXEC);
  if (file < 0) return 0;
  struct stat status;
  if (fstat(file, &status) == 0 && !S_ISDIR(status.st_mode)) rights &= of_files;
  const struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = file};
  int error = 0;
  if (rights != 0 && syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0) error = errno;
  close(file);
  return error;
}

static int allow_all(int ruleset, char *const *paths, __u64 rights) {
  int error = 0;
  for (; *paths != NULL && error == 0; paths++) error = allow(ruleset, *paths, rights);
  return error;
}

// A ruleset that allows what lunara_confine_files says. -1 on failure.
static int make_ruleset(char *const *readable, char *const *writable, char *const *meetings) {
  const int version = lunara_landlock_version();
  if (version == 0) {
    errno = ENOSYS;
    return -1;
  }
  const struct ruleset rules = {
      .files = first | (version >= 2 ? LANDLOCK_ACCESS_FS_REFER : 0) | (version >= 3 ? truncating : 0) |
               (version >= 5 ? controlling : 0),
      .network = version >= 4 ? listening : 0,
      .scoped = version >= 6 ? abstract_sockets | signals : 0};
  const int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
  if (ruleset < 0) return -1;
  const __u64 making = LANDLOCK_ACCESS_FS_MAKE_REG | meeting;
  int error = allow_all(ruleset, readable, reading);
  if (error == 0) error = allow_all(ruleset, writable, rules.files & (reading | writing | making));
  if (error == 0) error = allow_all(ruleset, meetings, meeting);
  if (error == 0) error = allow(ruleset, "/dev/null", rules.files & (LANDLOCK_ACCESS_FS_READ_FILE | writing));
  if (error == 0) return ruleset;
  close(ruleset);
  errno = error;
  return -1;
}

int lunara_confine_files(char *const *readable, char *const *writable, char *const *meetings) {
  const int ruleset = make_ruleset(readable, writable, meetings);
  if (ruleset < 0) return errno;
  int error = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : errno;
  if (error == 0 && syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) error = errno;
  close(ruleset);
  return error;
}

static void limit(int resource, unsigned long long most) {
  const struct rlimit limits = {most, most};
  setrlimit(resource, &limits);
}

// Runs in the child before execve: makes only calls that are safe after a fork of a program with threads.
static void become_reader(
    const char *path, char *const *arguments, char *const *environment, const int *descriptors, int count, int ruleset,
    const struct sock_fprog *filter, unsigned long long memory, int seconds) {
  struct sigaction usual = {.sa_handler = SIG_DFL};
  for (int number = 1; number < NSIG; number++) sigaction(number, &usual, NULL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  setpgid(0, 0);
  lunara_end_with_parent();
  for (int index = 0; index < count; index++)
    if (dup2(descriptors[index], index) < 0) return;
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_DATA, memory);
  limit(RLIMIT_CPU, (unsigned long long)seconds);
  limit(RLIMIT_NOFILE, 256);
  setpriority(PRIO_PROCESS, 0, 10);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
  if (syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) return;
  // Every descriptor but the first ones closes with execve.
  if (syscall(SYS_close_range, (unsigned)count, ~0U, 4U) != 0) return;
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, filter, 0, 0) != 0) return;
  execve(path, arguments, environment);
}

int lunara_spawn_reader(
    pid_t *pid, const char *path, char *const *arguments, char *const *environment, const int *descriptors, int count,
    char *const *readable, const void *filter, unsigned length, unsigned long long memory, int seconds) {
  struct sock_filter program[BPF_MAXINSNS];
  if (length > sizeof program) return EINVAL;
  memcpy(program, filter, length);
  const struct sock_fprog calls = {.len = (unsigned short)(length / sizeof *program), .filter = program};
  char *const none = NULL;
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) return errno;
  // The child's descriptors must not take the place of its report.
  const int writing = fcntl(report[1], F_DUPFD_CLOEXEC, 10);
  int error = writing < 0 ? errno : 0;
  close(report[1]);
  const int ruleset = error == 0 ? make_ruleset(readable, &none, &none) : -1;
  if (error == 0 && ruleset < 0) error = errno;
  const int high = error == 0 ? fcntl(ruleset, F_DUPFD_CLOEXEC, 10) : -1;
  if (error == 0 && high < 0) error = errno;
  if (ruleset >= 0) close(ruleset);
  if (error == 0) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t child = fork();
    if (child == 0) {
      become_reader(path, arguments, environment, descriptors, count, high, &calls, memory, seconds);
      const int reason = errno;
      const ssize_t written = write(writing, &reason, sizeof reason);
      _exit(written == sizeof reason ? 127 : 126);
    }
    if (child < 0) error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    *pid = child;
  }
  if (high >= 0) close(high);
  if (writing >= 0) close(writing);
  if (error == 0) {
    int reason = 0;
    ssize_t length;
    do length = read(report[0], &reason, sizeof reason);
    while (length < 0 && errno == EINTR);
    if (length == sizeof reason) {
      error = reason;
      while (waitpid(*pid, NULL, 0) < 0 && errno == EINTR) continue;
    }
  }
  close(report[0]);
  return error;
}
