#pragma once

#include <errno.h>
#include <seccomp.h>
#include <unistd.h>

// Why: seccomp_rule_add is variadic, and the actions and comparisons are macros.

// A filter under which each system call fails with EPERM; null where there is no memory for it.
static inline scmp_filter_ctx lunara_seccomp_refuse_all(void) { return seccomp_init(SCMP_ACT_ERRNO(EPERM)); }

// A filter under which each system call that is not refused stays allowed; null where there is no memory for it.
static inline scmp_filter_ctx lunara_seccomp_allow_all(void) { return seccomp_init(SCMP_ACT_ALLOW); }

// Makes a system call fail with EPERM. One that this architecture does not have is passed over. 0, or minus an errno.
static inline int lunara_seccomp_refuse(scmp_filter_ctx filter, const char *name) {
  const int number = seccomp_syscall_resolve_name(name);
  return number < 0 ? 0 : seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), number, 0);
}

// Allows a system call. One that this architecture has under another name, or not at all, is passed over. 0, or minus
// an errno.
static inline int lunara_seccomp_allow(scmp_filter_ctx filter, const char *name) {
  const int number = seccomp_syscall_resolve_name(name);
  return number < 0 ? 0 : seccomp_rule_add(filter, SCMP_ACT_ALLOW, number, 0);
}

// Allows a system call where some bits of an argument, counted from 0, have a value. 0, or minus an errno.
static inline int lunara_seccomp_allow_where(
    scmp_filter_ctx filter, const char *name, unsigned argument, scmp_datum_t bits, scmp_datum_t value) {
  const int number = seccomp_syscall_resolve_name(name);
  if (number < 0) return 0;
  return seccomp_rule_add(
      filter, SCMP_ACT_ALLOW, number, 1, SCMP_CMP(argument, SCMP_CMP_MASKED_EQ, bits, value));
}

// Refuses a system call where some bits of an argument, counted from 0, have a value. 0, or minus an errno.
static inline int lunara_seccomp_refuse_where(
    scmp_filter_ctx filter, const char *name, unsigned argument, scmp_datum_t bits, scmp_datum_t value) {
  const int number = seccomp_syscall_resolve_name(name);
  if (number < 0) return 0;
  return seccomp_rule_add(
      filter, SCMP_ACT_ERRNO(EPERM), number, 1, SCMP_CMP(argument, SCMP_CMP_MASKED_EQ, bits, value));
}

// Refuses a system call whose first argument is another number. 0, or minus an errno.
static inline int lunara_seccomp_refuse_others(scmp_filter_ctx filter, const char *name, scmp_datum_t first) {
  const int number = seccomp_syscall_resolve_name(name);
  return number < 0 ? 0 : seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), number, 1, SCMP_A0(SCMP_CMP_NE, first));
}

// Writes a filter to a file, as the kernel takes it. 0, or minus an errno.
static inline int lunara_seccomp_export(scmp_filter_ctx filter, int file) { return seccomp_export_bpf(filter, file); }

// Allows new threads, and no new processes. 0, or minus an errno.
static inline int lunara_seccomp_allow_threads(scmp_filter_ctx filter) {
  // CLONE_THREAD of sched.h, which is behind _GNU_SOURCE.
  const scmp_datum_t thread = 0x00010000;
  const int error =
      seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, thread, thread));
  // The flags of clone3 lie in memory, which a filter cannot read. With ENOSYS the C library uses clone.
  return error != 0 ? error : seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
}

// Allows a thread of the process to stop another one by a signal and let it go on, as collectors of garbage do. 0, or
// minus an errno.
static inline int lunara_seccomp_allow_pauses(scmp_filter_ctx filter) {
  // SIGUSR1 of signal.h, which Swift has from elsewhere.
  const scmp_datum_t process = getpid(), pause = 10;
  const int error = seccomp_rule_add(
      filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 2, SCMP_A0(SCMP_CMP_EQ, process), SCMP_A2(SCMP_CMP_EQ, pause));
  return error != 0 ? error : lunara_seccomp_allow(filter, "rt_sigsuspend");
}

// Applies the filter to all threads of the process, and gives up new privileges. 0, or minus an errno.
static inline int lunara_seccomp_apply(scmp_filter_ctx filter) {
  const int error = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
  return error != 0 ? error : seccomp_load(filter);
}

// Makes a system call with a first argument, and zeros for the others, for tests; syscall is variadic, and behind
// _GNU_SOURCE. 0, or an errno.
static inline int lunara_seccomp_attempt(const char *name, long first) {
  extern long syscall(long number, ...);
  return syscall(seccomp_syscall_resolve_name(name), first, 0L, 0L, 0L, 0L, 0L) < 0 ? errno : 0;
}
