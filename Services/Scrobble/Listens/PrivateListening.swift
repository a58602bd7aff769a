import Messages
import Model
import Storage
import Text

/// Decides which counted listens are sent to no service: those in a private time, and those that match a filter.
struct PrivateListening: Hashable, Sendable {
  struct PrivateTime: Hashable, Sendable {
    var began: Timestamp
    var ended: Timestamp
  }

  /// A listen, or the current track of a room.
  struct HeardTrack: Sendable {
    var track: Track
    var room: RoomName
    /// The start of listening; `ended` is the time when enough was heard, or the present time.
    var began: Timestamp
    var ended: Timestamp
    /// The present time by the clock; nil if a clock that was set back does not matter.
    var now: Timestamp?
  }

  enum Kind: String, CaseIterable {
    case source, section, room, artist, genre
  }

  /// The largest age at which a listen counts as heard now, if the clock may have been set back.
  static let present = Milliseconds(600_000)
  /// The reason for listens in a private time.
  static let reasonPrivate = "private"
  /// The time for which private times are kept, in days: facts may come as late as journals keep them.
  private static let keptDays: Int64 = 400

  var filters: [Scrobble.Filter] = []
  var privateTimes: [PrivateTime] = []

  /// Returns the reason why a listen is not sent: `private`, or the filter, such as `artist: Ada`; nil if it is sent.
  func reason(_ heard: HeardTrack) -> String? {
    // A listen of which any part is in a private time is private.
    if privateTimes.contains(where: { $0.began <= heard.ended && heard.began < $0.ended }) {
      return Self.reasonPrivate
    }
    // A private time that begins in the future began before the clock was set back, and still lasts.
    if let now = heard.now, now - heard.ended < Self.present,
      privateTimes.contains(where: { $0.began > now && $0.ended > $0.began })
    {
      return Self.reasonPrivate
    }
    return filters.first { Self.matches($0, heard) }.map { "\($0.kind): \($0.value)" }
  }

  private static func matches(_ filter: Scrobble.Filter, _ heard: HeardTrack) -> Bool {
    let (track, value) = (heard.track, filter.value.folded)
    let found: [String] =
      switch Kind(rawValue: filter.kind) {
      case .source: [track.id.source]
      case .section: track.section.map { [$0] } ?? []
      case .room: [heard.room.rawValue]
      case .artist: [track.artist, track.albumArtist]
      case .genre: track.genres
      case nil: []
      }
    return found.contains { $0.folded == value }
  }

  static func read(_ transaction: ReadTransaction) throws -> PrivateListening {
    PrivateListening(
      filters: try transaction.rows("SELECT kind, value FROM filters ORDER BY kind, folded") {
        Scrobble.Filter(kind: try $0.value(0), value: try $0.value(1))
      },
      privateTimes: try transaction.rows("SELECT began_at, ended_at FROM private_times") {
        PrivateTime(began: try $0.value(0), ended: try $0.value(1))
      })
  }

  /// Returns the end of the present private time; nil if there is none. Setting the clock back does not end a private
  /// time.
  static func privateUntil(at now: Timestamp, _ transaction: ReadTransaction) throws -> Timestamp? {
    try transaction.row(
      "SELECT max(ended_at) FROM private_times WHERE ended_at > ? AND ended_at > began_at", now
    ) { try $0.value(0) as Timestamp? } ?? nil
  }

  /// Starts a private time or changes the end of the present one; without a duration, ends it.
  static func setPrivate(_ duration: Milliseconds?, at now: Timestamp, _ transaction: Transaction) throws {
    // Private listening must stay private after a power cut.
    transaction.requireDurability(.power)
    try transaction.execute("DELETE FROM private_times WHERE ended_at < ?", now - Milliseconds(keptDays * 86_400_000))
    // A private time that begins in the future began before the clock was set back: it must cover the present listens.
    try transaction.execute(
      "UPDATE private_times SET began_at = ? WHERE began_at > ? AND ended_at > began_at", now - present, now)
    try transaction.execute("UPDATE private_times SET ended_at = ? WHERE ended_at > ?", now, now)
    guard let duration, duration > .zero else { return }
    let end = Timestamp(microseconds: now.microseconds + min(duration.rawValue, keptDays * 86_400_000) * 1000)
    try transaction.execute("INSERT INTO private_times (began_at, ended_at) VALUES (?, ?)", now, end)
  }

  /// Adds and removes filters. Throws `scrobble.badFilter`.
  static func change(add: [Scrobble.Filter], remove: [Scrobble.Filter], _ transaction: Transaction) throws {
    for filter in add + remove {
      guard Kind(rawValue: filter.kind) != nil, !filter.value.folded.isEmpty else {
        throw LunaraError(
          "scrobble.badFilter",
          "“\(filter.kind) \(filter.value)” is no filter. Give one of \(Kind.allCases.map(\.rawValue).joined(separator: ", ")), and a name."
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
