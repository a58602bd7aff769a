import Model

/// What the program tells its caller.
enum ExitStatus: Int32, Sendable {
  /// It is done.
  case done = 0
  /// It was refused or failed; the message says what to do.
  case failed = 1
  /// The command line was wrong.
  case wrongUsage = 2
  /// There was nobody to ask.
  case nothingReachable = 3
  /// A person ended it with Ctrl-C.
  case interrupted = 130

  /// The status that an error leads to.
  init(_ error: any Error) {
    if error is CancellationError || LunaraError(error).code == "bus.cancelled" {
      self = .interrupted
    } else if error is UsageError {
      self = .wrongUsage
    } else {
      self = Self.unreachable.contains(LunaraError(error).code) ? .nothingReachable : .failed
    }
  }

  private static let unreachable: Set<String> = [
    "cli.noHousehold", "cli.noReplayTarget", "cli.pairNobody", "bus.unreachable",
  ]
}
