import Glibc

/// How a process ended.
enum Ending: Hashable, Sendable {
  /// By itself, with an exit status.
  case exited(Int32)
  /// By a signal.
  case killed(Int32)

  /// Reads what `lunara_reap` says.
  init(_ reaped: Int32) { self = reaped < 0 ? .killed(-reaped) : .exited(reaped) }
}

extension Ending: CustomStringConvertible {
  var description: String {
    switch self {
    case .exited(let status): "ended with status \(status)"
    case .killed(let signal): "was ended by \(Self.names[signal] ?? "signal \(signal)")"
    }
  }

  private static let names = [
    SIGKILL: "SIGKILL", SIGTERM: "SIGTERM", SIGSEGV: "SIGSEGV", SIGABRT: "SIGABRT", SIGILL: "SIGILL",
    SIGTRAP: "SIGTRAP", SIGBUS: "SIGBUS", SIGINT: "SIGINT", SIGHUP: "SIGHUP", SIGPIPE: "SIGPIPE", SIGFPE: "SIGFPE",
  ]
}
