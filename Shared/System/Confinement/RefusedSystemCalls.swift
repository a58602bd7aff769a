import CSeccomp
import Glibc
public import Model
import System

/// System calls that a process gives up although it keeps all others: it decodes data that strangers have made, and
/// needs devices, files, threads and the network all the same. What it never needs is refused, so that a fault of a
/// decoder does not reach other programs or rarely used parts of the kernel.
///
/// This is weaker than a `ConfinementProfile`, which names what a process keeps.
public struct RefusedSystemCalls: Sendable {
  /// A group of system calls, each of which then fails with `EPERM`.
  public enum Group: CaseIterable, Sendable {
    /// Starts of programs. New processes of the same program stay allowed.
    case programs
    /// Access to the memory and the descriptors of other processes, signals to them, and limits of theirs.
    case otherProcesses
    /// Changes of files that Landlock does not cover: their owners, times and attributes, and modes by which a file can
    /// be run or a folder entered. ALSA's mixer sets the mode and the group of its socket.
    case attributes
    /// Changes of the machine: mounts, namespaces, kernel modules, clock, swap, reboot, accounting.
    case machine
    /// Parts of the kernel that have had many faults, or that work around the checks of other calls.
    case kernel
  }

  /// The groups that are refused.
  public var groups: [Group]

  public init(_ groups: [Group]) { self.groups = groups }

  /// The groups for a player, which needs sound devices and servers, files and the network.
  public static let player = RefusedSystemCalls(Group.allCases)

  /// Refuses the system calls in all threads and for good, also in processes that this one starts, and gives up new
  /// privileges.
  ///
  /// - Throws: `internal.notConfined` if the kernel refuses the filter.
  public func refuse() throws(LunaraError) {
    guard let filter = lunara_seccomp_allow_all() else { throw ConfinementProfile.failure(.noMemory) }
    defer { seccomp_release(filter) }
    for name in groups.flatMap(\.names) { try ConfinementProfile.check(lunara_seccomp_refuse(filter, name)) }
    if groups.contains(.otherProcesses) { try Self.refuseSignals(filter) }
    if groups.contains(.attributes) { try Self.refuseModes(filter) }
    try ConfinementProfile.check(lunara_seccomp_apply(filter))
  }

  /// Refuses signals to other processes than this one, and what arranges them, and limits of other processes.
  private static func refuseSignals(_ filter: scmp_filter_ctx) throws(LunaraError) {
    let own = UInt64(getpid())
    for name in ["kill", "tgkill"] { try ConfinementProfile.check(lunara_seccomp_refuse_others(filter, name, own)) }
    try ConfinementProfile.check(lunara_seccomp_refuse_others(filter, "prlimit64", 0))
    for command in [F_SETOWN, setOwner] { try refuse("fcntl", 1, .max, UInt64(command), filter) }
    for command in [setOwnerOfFile, setOwnerOfSocket] { try refuse("ioctl", 1, .max, command, filter) }
  }

  /// Refuses modes with other bits than those of reading and writing.
  private static func refuseModes(_ filter: scmp_filter_ctx) throws(LunaraError) {
    for bit in [0o1, 0o10, 0o100, 0o1000, 0o2000, 0o4000] as [UInt64] {
      try refuse("chmod", 1, UInt32(bit), bit, filter)
      try refuse("fchmodat", 2, UInt32(bit), bit, filter)
    }
  }

  /// Refuses a call where some of the lower 32 bits of an argument, which are those that the kernel uses, have a value.
  private static func refuse(
    _ name: String, _ argument: UInt32, _ bits: UInt32, _ value: UInt64, _ filter: scmp_filter_ctx
  ) throws(LunaraError) {
    try ConfinementProfile.check(lunara_seccomp_refuse_where(filter, name, argument, UInt64(bits), value))
  }

  /// F_SETOWN_EX of fcntl(2), and FIOSETOWN and SIOCSPGRP of ioctl(2).
  private static let setOwner: Int32 = 15
  private static let setOwnerOfFile: UInt64 = 0x8901
  private static let setOwnerOfSocket: UInt64 = 0x8902
}

extension RefusedSystemCalls.Group {
  /// The names of the system calls, as in syscalls(2).
  fileprivate var names: [String] {
    switch self {
    case .programs: ["execve", "execveat"]
    case .otherProcesses:
      [
        "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease", "kcmp", "pidfd_getfd",
        "pidfd_send_signal", "migrate_pages", "move_pages", "tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo",
      ]
    case .attributes:
      [
        "fchmod", "fchmodat2", "fchown", "lchown", "setxattr", "lsetxattr", "fsetxattr", "setxattrat", "removexattr",
        "lremovexattr", "fremovexattr", "removexattrat", "utime", "utimes", "futimesat", "utimensat", "file_setattr",
      ]
    case .machine:
      [
        "mount", "umount", "umount2", "pivot_root", "chroot", "open_tree", "move_mount", "mount_setattr", "fsopen",
        "fsconfig", "fsmount", "fspick", "unshare", "setns", "init_module", "finit_module", "delete_module",
        "kexec_load", "kexec_file_load", "reboot", "swapon", "swapoff", "acct", "quotactl", "quotactl_fd",
        "settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "sethostname", "setdomainname", "syslog",
        "vhangup", "iopl", "ioperm", "nfsservctl",
      ]
    case .kernel:
      [
        "bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register",
        "open_by_handle_at", "lookup_dcookie", "keyctl", "add_key", "request_key",
        "fanotify_init", "personality", "modify_ldt", "uselib", "ustat", "sysfs", "_sysctl", "vmsplice",
        "io_setup", "io_submit",
      ]
    }
  }
}
