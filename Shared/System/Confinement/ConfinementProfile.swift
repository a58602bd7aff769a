import CPlatform
import CSeccomp
public import Model
import System

/// The rights that a process keeps once it reads data that strangers have made, such as pictures. A fault of the
/// program that reads them must not reach anything else.
///
/// A process confines itself in two steps: `isolate` first of all, while it has one thread, and `refuseSystemCalls`
/// once its libraries are loaded and before it reads anything. Everything that it then works with is passed to it as an
/// open descriptor.
public struct ConfinementProfile: Sendable {
  /// Groups of system calls that a process keeps. Every call outside of them fails with `EPERM`.
  public enum SystemCalls: Sendable {
    /// Reads and writes of open descriptors, memory, time, random numbers, and the end of the process.
    case basic
    /// New threads; never new processes.
    case threads
    /// A limit of its own processor time.
    case timers
    /// Questions of an engine of scripts about itself: processor time, limits, and the order of memory between threads;
    /// and the signal by which its collector of garbage stops the other threads of the process.
    case scripts
  }

  /// The most bytes that the process may address.
  public var memory: UInt64
  /// The most bytes of a file that it writes.
  public var fileSize: UInt64
  /// The nice value, from 0 to 19, the lowest priority.
  public var nice: Int32
  /// The system calls that are left.
  public var systemCalls: [SystemCalls]

  public init(memory: UInt64, fileSize: UInt64, nice: Int32, systemCalls: [SystemCalls]) {
    self.memory = memory
    self.fileSize = fileSize
    self.nice = nice
    self.systemCalls = systemCalls
  }

  /// The profile of programs that read tags: twice the memory of the largest picture in a file. Four of them at once
  /// stay below the limit of the library's unit. Their priority is low, as the thread that writes what they read must
  /// not wait for them, and music comes first.
  public static let tags = ConfinementProfile(
    memory: 160 << 20, fileSize: 64 << 20, nice: 10, systemCalls: [.basic, .timers])

  /// The profile of programs that read tags with libavformat, whose libraries alone take more than half of the memory,
  /// most of it only as addresses.
  public static let formats = ConfinementProfile(
    memory: 384 << 20, fileSize: 64 << 20, nice: 10, systemCalls: [.basic, .timers])

  /// The profile of programs that decode pictures: several times the memory of the largest picture that is accepted. It
  /// has the lowest priority but one, as music comes first.
  public static let pictures = ConfinementProfile(
    memory: 3 << 30, fileSize: 64 << 20, nice: 10, systemCalls: [.basic, .threads])

  /// The profile of programs that run the scripts of plugins. Their engine reserves more addresses than any limit that
  /// would protect something, so the service that starts them watches the memory that they really use. They write no
  /// file.
  public static let plugins = ConfinementProfile(
    memory: .max, fileSize: 0, nice: 10, systemCalls: [.basic, .threads, .scripts])

  /// Limits memory, files and priority, and leaves the namespaces of users, network, mounts and IPC where the kernel
  /// allows that. Must be called while the process has one thread.
  public func isolate() {
    lunara_limit_resources(memory, fileSize)
    lunara_lower_priority(nice)
    // A unit may forbid namespaces. The filter of system calls holds without them.
    _ = lunara_leave_namespaces()
  }

  /// Refuses all system calls but those of the profile, in all threads and for good: no file, socket or program can be
  /// opened any more.
  ///
  /// - Throws: `internal.notConfined` if the kernel refuses the filter.
  public func refuseSystemCalls() throws(LunaraError) {
    guard let filter = lunara_seccomp_refuse_all() else { throw Self.failure(.noMemory) }
    defer { seccomp_release(filter) }
    for group in systemCalls {
      for name in group.names { try Self.check(lunara_seccomp_allow(filter, name)) }
      if group == .threads { try Self.check(lunara_seccomp_allow_threads(filter)) }
      if group == .scripts { try Self.check(lunara_seccomp_allow_pauses(filter)) }
    }
    try Self.check(lunara_seccomp_apply(filter))
  }

  static func check(_ result: Int32) throws(LunaraError) {
    if result != 0 { throw failure(Errno(-result)) }
  }

  static func failure(_ error: Errno) -> LunaraError {
    LunaraError(
      "internal.notConfined",
      "The kernel refuses the filter of system calls (seccomp), without which files of strangers are neither read nor played. Allow it in the unit or container that Lunara runs in.",
      cause: error)
  }
}

extension ConfinementProfile.SystemCalls {
  /// The names of the system calls, as in syscalls(2). A call has several where architectures or versions of the C
  /// library differ.
  fileprivate var names: [String] {
    switch self {
    case .basic:
      [
        "read", "readv", "pread64", "write", "writev", "lseek", "close", "recvmsg", "recvfrom", "sendmsg", "sendto",
        "poll", "ppoll", "mmap", "munmap", "mremap", "mprotect", "madvise", "brk", "futex", "sched_yield",
        "sched_getaffinity", "clock_gettime", "clock_nanosleep", "nanosleep", "gettimeofday", "getrandom", "getpid",
        "gettid", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "restart_syscall", "exit",
        "exit_group",
      ]
    case .threads: ["set_robust_list", "rseq"]
    case .timers: ["setitimer"]
    case .scripts: ["getrusage", "membarrier", "getrlimit", "sysinfo"]
    }
  }
}
