#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "Confinement.h"

// The rights on files that a version of Landlock knows. Later headers have the last two.
static const __u64 truncating = 1ULL << 14, controlling = 1ULL << 15;
static const __u64 first = (1ULL << 13) - 1;
static const __u64 reading = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;

int lunara_landlock_version(void) {
  const long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version > 0 ? (int)version : 0;
}

// Allows the rights on a file or folder. One that is not there is passed over.
static int allow(int ruleset, const char *path, __u64 rights) {
  const int file = open(path, O_PATH | O_CLOEXEC);
  if (file < 0) return 0;
  struct stat status;
  if (fstat(file, &status) == 0 && !S_ISDIR(status.st_mode)) rights &= ~(__u64)LANDLOCK_ACCESS_FS_READ_DIR;
  const struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = file};
  const long result = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  const int error = result == 0 ? 0 : errno;
  close(file);
  return error;
}

// A ruleset that allows reading the paths. -1 on failure.
static int make_ruleset(char *const *readable) {
  const int version = lunara_landlock_version();
  if (version == 0) {
    errno = ENOSYS;
    return -1;
  }
  const struct landlock_ruleset_attr rules = {
      .handled_access_fs = first | (version >= 2 ? LANDLOCK_ACCESS_FS_REFER : 0) | (version >= 3 ? truncating : 0) |
                           (version >= 5 ? controlling : 0)};
  const int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
  if (ruleset < 0) return -1;
  int error = 0;
  for (; *readable != NULL && error == 0; readable++) error = allow(ruleset, *readable, reading);
  if (error == 0) error = allow(ruleset, "/dev/null", LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE);
  if (error == 0) return ruleset;
  close(ruleset);
  errno = error;
  return -1;
}

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define REFUSE BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
#define REFUSED(name) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), REFUSE

// Refuses local sockets, by which other programs of the machine are reached, and signals to them. What opens sockets
// past the filter is refused as well. Landlock keeps their memory and files apart.
static int refuse_neighbours(void) {
#ifdef ARCHITECTURE
  struct sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
      REFUSE,
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#ifdef __x86_64__
      // The system calls of the ABI x32 have numbers of their own.
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
      REFUSE,
#endif
      REFUSED(kill),
      REFUSED(tkill),
      REFUSED(tgkill),
      REFUSED(rt_sigqueueinfo),
      REFUSED(rt_tgsigqueueinfo),
      REFUSED(pidfd_send_signal),
      REFUSED(ptrace),
      REFUSED(process_vm_readv),
      REFUSED(process_vm_writev),
      REFUSED(io_uring_setup),
      REFUSED(keyctl),
      REFUSED(bpf),
      REFUSED(perf_event_open),
      REFUSED(userfaultfd),
      REFUSED(unshare),
      REFUSED(mount),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 0, 1),
      REFUSE,
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog filter = {.len = sizeof program / sizeof *program, .filter = program};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0);
#else
  errno = ENOSYS;
  return -1;
#endif
}

static void limit(int resource, unsigned long long most) {
  const struct rlimit limits = {most, most};
  setrlimit(resource, &limits);
}

// Runs in the child before execve: makes only calls that are safe after a fork of a program with threads.
static void become_reader(
    const char *path, char *const *arguments, char *const *environment, const int *descriptors, int count, int ruleset,
    unsigned long long memory, int seconds) {
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
  if (refuse_neighbours() != 0) return;
  execve(path, arguments, environment);
}

int lunara_spawn_reader(
    pid_t *pid, const char *path, char *const *arguments, char *const *environment, const int *descriptors, int count,
    char *const *readable, unsigned long long memory, int seconds) {
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) return errno;
  // The child's descriptors must not take the place of its report.
  const int writing = fcntl(report[1], F_DUPFD_CLOEXEC, 10);
  int error = writing < 0 ? errno : 0;
  close(report[1]);
  const int ruleset = error == 0 ? make_ruleset(readable) : -1;
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
      become_reader(path, arguments, environment, descriptors, count, high, memory, seconds);
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
