import Messages
import Model
import Storage
import Text

/// Filters and private times as they are kept.
extension Withholding {
  /// So long are private times kept: facts may be late by as much as a journal keeps them.
  private static let keptDays: Int64 = 400

  /// Reads them.
  static func read(_ transaction: ReadTransaction) throws -> Withholding {
    Withholding(
      filters: try transaction.rows("SELECT kind, value FROM filters ORDER BY kind, folded") {
        Scrobble.Filter(kind: try $0.value(0), value: try $0.value(1))
      },
      privateTimes: try transaction.rows("SELECT began_at, ended_at FROM private_times") {
        PrivateTime(began: try $0.value(0), ended: try $0.value(1))
      })
  }

  /// Until when listening is private; nil where it is not now. A clock that was set back ends no private time.
  static func privateUntil(at now: Timestamp, _ transaction: ReadTransaction) throws -> Timestamp? {
    try transaction.row(
      "SELECT max(ended_at) FROM private_times WHERE ended_at > ? AND ended_at > began_at", now
    ) { try $0.value(0) as Timestamp? } ?? nil
  }

  /// Begins a private time, or makes the one that runs end then; without a duration ends what runs.
  static func setPrivate(_ duration: Milliseconds?, at now: Timestamp, _ transaction: Transaction) throws {
    // What a person keeps to themselves must stay so after a power cut.
    transaction.requireDurability(.power)
    try transaction.execute("DELETE FROM private_times WHERE ended_at < ?", now - Milliseconds(keptDays * 86_400_000))
    // One that begins in the future ran before the clock was set back: it covers what is heard now.
    try transaction.execute(
      "UPDATE private_times SET began_at = ? WHERE began_at > ? AND ended_at > began_at", now - present, now)
    try transaction.execute("UPDATE private_times SET ended_at = ? WHERE ended_at > ?", now, now)
    guard let duration, duration > .zero else { return }
    let end = Timestamp(microseconds: now.microseconds + min(duration.rawValue, keptDays * 86_400_000) * 1000)
    try transaction.execute("INSERT INTO private_times (began_at, ended_at) VALUES (?, ?)", now, end)
  }

  /// Adds and removes filters.
  ///
  /// - Throws: `scrobble.badFilter`.
  static func change(add: [Scrobble.Filter], remove: [Scrobble.Filter], _ transaction: Transaction) throws {
    for filter in add + remove {
      guard Kind(rawValue: filter.kind) != nil, !filter.value.folded.isEmpty else {
        throw LunaraError(
          "scrobble.badFilter",
          "A filter is one of \(Kind.allCases.map(\.rawValue).joined(separator: ", ")) and a name, not “\(filter.kind) \(filter.value)”."
        )
      }
    }
    for filter in remove {
      try transaction.execute(
        "DELETE FROM filters WHERE kind = ? AND folded = ?", filter.kind, filter.value.folded)
    }
    for filter in add {
      try transaction.execute(
        "INSERT OR REPLACE INTO filters (kind, folded, value) VALUES (?, ?, ?)", filter.kind,
        filter.value.folded, filter.value)
    }
  }
}
