public import Model

/// The times for which what plugins found is kept.
public enum SourceLifetime {
  /// The time for which sources are used.
  public static let usual = Milliseconds(7 * day)
  /// The time for which sources of tracks in playlists and of those that somebody keeps are used.
  public static let kept = Milliseconds(30 * day)
  /// The age from which sources are looked for again while nobody waits.
  public static let checkedAfter = Milliseconds(day)

  private static let day: Int64 = 86_400_000

  /// The states of what was found before.
  public enum State: Hashable, Sendable {
    /// It is used.
    case fresh
    /// It is used, and looked for again in the background.
    case aging
    /// It has to be looked for.
    case void
  }

  /// Returns the state of sources.
  ///
  /// - Parameters:
  ///   - age: the time since they were found.
  ///   - isKept: true for a track of a playlist, or one that somebody keeps.
  ///   - plugins: the mark of the plugins that were asked (`mark`).
  ///   - now: the mark of the plugins that are used now.
  public static func state(age: Milliseconds, isKept: Bool, asked plugins: UInt64, now: UInt64) -> State {
    guard plugins == now, age >= .zero, age < (isKept ? kept : usual) else { return .void }
    return age >= checkedAfter ? .aging : .fresh
  }

  /// Returns a mark of the plugins that are switched on and of their order. Sources that were found under another mark
  /// are void.
  public static func mark(enabled: Set<String>, order: [String]) -> UInt64 {
    FNV1a.hash(enabled.sorted().joined(separator: "\0") + "\0\0" + order.joined(separator: "\0"))
  }
}
