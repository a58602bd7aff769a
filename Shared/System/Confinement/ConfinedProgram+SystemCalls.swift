import CSeccomp
import Glibc
import System

/// The system calls of a confined program. All others fail with `EPERM`.
extension ConfinedProgram {
  /// The names, as in syscalls(2). A call has several where architectures or versions of the C library differ.
  private static let systemCalls = [
    // The start of a program, and its end.
    "execve", "brk", "arch_prctl", "set_tid_address", "set_robust_list", "rseq", "exit", "exit_group",
    // Memory, time and random numbers.
    "mmap", "munmap", "mremap", "mprotect", "madvise", "getrandom", "clock_gettime", "clock_getres", "gettimeofday",
    "time", "times", "clock_nanosleep", "nanosleep",
    // Threads of its own, and signals that it gets.
    "futex", "sched_yield", "sched_getaffinity", "membarrier", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn",
    "sigaltstack", "restart_syscall",
    // Questions about itself and the system.
    "getpid", "gettid", "getppid", "getpgrp", "getpgid", "getsid", "getuid", "geteuid", "getgid", "getegid",
    "getresuid", "getresgid", "getgroups", "getcwd", "getrlimit", "getrusage", "uname", "sysinfo", "getcpu",
    // Files, as far as Landlock lets it have them.
    "open", "openat", "close", "stat", "lstat", "fstat", "newfstatat", "statx", "statfs", "fstatfs", "access",
    "faccessat", "faccessat2", "readlink", "readlinkat", "getdents", "getdents64", "chdir", "read", "readv", "pread64",
    "preadv", "write", "writev", "pwrite64", "lseek", "fadvise64", "dup", "dup2", "dup3", "pipe", "pipe2",
    // Waiting for several descriptors.
    "poll", "ppoll", "select", "pselect6", "epoll_create", "epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait",
    "eventfd2",
    // Connections.
    "connect", "bind", "getsockname", "getpeername", "getsockopt", "setsockopt", "shutdown", "sendto", "sendmsg",
    "sendmmsg", "recvfrom", "recvmsg", "recvmmsg",
  ]

  /// Calls that are allowed for some values of an argument, of which the lower 32 bits count.
  private static let partialCalls: [(name: String, argument: UInt32, values: [Int32])] = [
    // A socket of the kind AF_NETLINK is how the C library asks for the machine's addresses.
    ("socket", 0, [AF_INET, AF_INET6, AF_NETLINK]),
    // Another number would be the id of another process.
    ("prlimit64", 0, [0]),
    // Signals to others can be arranged by F_SETOWN.
    (
      "fcntl", 1,
      [F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW]
    ),
    ("ioctl", 1, [Int32(TCGETS), Int32(TIOCGWINSZ), Int32(FIONBIO), Int32(FIONREAD), fioclex, fionclex]),
    ("prctl", 0, [setName, getName]),
  ]

  /// Numbers of sys/ioctl.h and sys/prctl.h.
  private static let fioclex: Int32 = 0x5451
  private static let fionclex: Int32 = 0x5450
  private static let setName: Int32 = 15
  private static let getName: Int32 = 16

  /// Returns the filter as the kernel takes it. It is made before the program's process, in which no memory may be
  /// allocated.
  static func filter() throws(Errno) -> [UInt8] {
    guard let filter = lunara_seccomp_refuse_all() else { throw .noMemory }
    defer { seccomp_release(filter) }
    for name in systemCalls { try check(lunara_seccomp_allow(filter, name)) }
    for call in partialCalls {
      for value in call.values {
        let number = UInt64(UInt32(bitPattern: value))
        try check(lunara_seccomp_allow_where(filter, call.name, call.argument, 0xffff_ffff, number))
      }
    }
    try check(lunara_seccomp_allow_threads(filter))
    let file = try Descriptor.memoryFile("filter")
    try check(lunara_seccomp_export(filter, file.number))
    return try file.readBytes(upTo: 1 << 16, at: 0)
  }

  private static func check(_ result: Int32) throws(Errno) {
    if result != 0 { throw Errno(-result) }
  }
}
