import Synchronization

/// The parts of the server whose changes `idle` reports.
enum Subsystem: String, CaseIterable, Sendable {
  case database, update
  case storedPlaylist = "stored_playlist"
  case playlist, player, mixer, output, options, partition, sticker, subscription, message, neighbor, mount
}

/// The changes that one connection has not reported to its client, and the subsystems for which the client waits.
struct IdleState: Sendable {
  private var pending: Set<Subsystem> = []
  private var awaited: Set<Subsystem>?

  /// True while the client waits.
  var isIdle: Bool { awaited != nil }

  /// Notes changes.
  mutating func add(_ changes: Set<Subsystem>) { pending.formUnion(changes) }

  /// Begins to wait; an empty set means all subsystems.
  mutating func begin(_ subsystems: Set<Subsystem>) {
    awaited = subsystems.isEmpty ? Set(Subsystem.allCases) : subsystems
  }

  /// Returns the changes for which the client waits, in a fixed order, and ends the wait; nil if there are none.
  mutating func takeChanges() -> [Subsystem]? {
    guard let awaited, !pending.isDisjoint(with: awaited) else { return nil }
    let changes = Subsystem.allCases.filter { pending.contains($0) && awaited.contains($0) }
    pending.subtract(awaited)
    self.awaited = nil
    return changes
  }

  /// Ends the wait; returns false if the client did not wait.
  mutating func end() -> Bool {
    defer { awaited = nil }
    return isIdle
  }
}
