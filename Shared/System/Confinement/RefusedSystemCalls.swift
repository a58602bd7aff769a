import CSeccomp
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
    /// Access to the memory and the descriptors of other processes.
    case otherProcesses
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
    try ConfinementProfile.check(lunara_seccomp_apply(filter))
  }
}

extension RefusedSystemCalls.Group {
  /// The names of the system calls, as in syscalls(2).
  fileprivate var names: [String] {
    switch self {
    case .programs: ["execve", "execveat"]
    case .otherProcesses:
      [
        "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease", "kcmp", "pidfd_getfd",
        "pidfd_send_signal", "migrate_pages", "move_pages",
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
