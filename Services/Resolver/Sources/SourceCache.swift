import Messages
import Model
import Plugins
import Storage

/// Keeps what plugins found for tracks. Addresses at which something sounds are kept in memory only, as they may hold
/// tokens; the rest is stored.
struct SourceCache: Sendable {
  /// The most tracks whose sources are stored; the oldest ones go first.
  static let trackLimit = 50_000

  /// The sources that are known of a track.
  struct CachedSources: Sendable {
    var mark: UInt64
    var askedAt: Timestamp
    var found: [FoundTrack]
  }

  let database: Database

  /// Returns what is known of a track; nil if plugins were never asked for it.
  func read(_ track: String) async throws -> CachedSources? {
    try await database.read { transaction in
      let asked = try transaction.row("SELECT mark, asked_at FROM tracks WHERE id = ?", track) { row in
        (mark: try row.value(0) as Int64, at: try row.value(1) as Timestamp)
      }
      guard let asked else { return nil }
      let found = try transaction.rows(
        "SELECT source, own, page, is_stream FROM sources WHERE track = ? ORDER BY plugin", track
      ) { row in
        FoundTrack(
          source: try MessageCoding.decode(TrackSource.self, from: try row.value(0) as [UInt8]),
          own: PluginValue(json: try row.value(1)) ?? .null, page: try row.value(2), isStream: try row.value(3))
      }
      return CachedSources(mark: UInt64(bitPattern: asked.mark), askedAt: asked.at, found: found)
    }
  }

  /// Stores what plugins found for a track. What other plugins found before is kept: those that failed now, and those
  /// that are switched off.
  ///
  /// - Parameter answered: the ids of the plugins that answered, also of those that found nothing.
  func write(
    _ found: [FoundTrack], of track: String, from answered: Set<String>, mark: UInt64, at now: Timestamp
  ) async throws {
    let rows = try found.map { one in
      (one: one, source: try MessageCoding.encode(one.source), own: try one.stored.json())
    }
    try await database.write { transaction in
      try transaction.execute(
        "INSERT OR REPLACE INTO tracks (id, mark, asked_at) VALUES (?, ?, ?)", track, Int64(bitPattern: mark), now)
      for plugin in answered {
        try transaction.execute("DELETE FROM sources WHERE track = ? AND plugin = ?", track, plugin)
      }
      for row in rows {
        try transaction.execute(
          "INSERT OR REPLACE INTO sources (track, plugin, source, own, page, is_stream) VALUES (?, ?, ?, ?, ?, ?)",
          track, row.one.source.plugin, row.source, row.own, row.one.page, row.one.isStream)
      }
    }
  }

  /// Removes the tracks that were asked for longest ago, beyond `trackLimit`.
  func prune() async throws {
    try await database.write { transaction in
      try transaction.execute(
        "DELETE FROM tracks WHERE id NOT IN (SELECT id FROM tracks ORDER BY asked_at DESC LIMIT ?)", Self.trackLimit)
      try transaction.execute("DELETE FROM sources WHERE track NOT IN (SELECT id FROM tracks)")
    }
  }
}

extension FoundTrack {
  /// The plugin's own description without what may be a secret: the address at which it sounds.
  fileprivate var stored: PluginValue {
    guard case .object(var members) = own else { return .null }
    for name in ["source", "sources", "headers"] { members[name] = nil }
    if stream != nil { members["url"] = nil }
    return .object(members)
  }
}
