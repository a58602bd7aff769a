import Messages
import Model
import Plugins
import Storage

/// The decisions of people on the sources of tracks: wrong songs, and plugins that they prefer.
struct SourceDecisions: Sendable {
  let database: Database

  /// The decisions that concern a track.
  struct Decisions: Sendable {
    var blocked: Set<BlockedSource> = []
    var preferred: String?
  }

  func read(for wanted: DescribedTrack) async throws -> Decisions {
    let id = wanted.track.id.native
    let key = BlockedSource.Names(of: wanted)
    return try await database.read { transaction in
      let blocked = try transaction.rows(
        "SELECT plugin, source_id FROM blocks WHERE artist = ? AND title = ?", key.artist, key.title
      ) { row in
        BlockedSource(plugin: try row.value(0), sourceID: try row.value(1), names: key)
      }
      return Decisions(
        blocked: Set(blocked),
        preferred: try transaction.value("SELECT plugin FROM preferences WHERE track = ?", id))
    }
  }

  /// Stores a decision.
  ///
  /// - Throws: `resolver.unknownSource` for a block without the id of a source.
  func decide(_ request: Resolver.DecideSource) async throws {
    let id = request.described.track.id.native
    let key = BlockedSource.Names(of: request.described)
    let source = request.sourceID
    if source == nil, request.verdict == .block || request.verdict == .unblock {
      throw LunaraError(
        "resolver.unknownSource",
        "The source has no id of its own, so it cannot be told from others. Prefer another plugin for this track.")
    }
    try await database.write(.power) { transaction in
      switch request.verdict {
      case .block:
        try transaction.execute(
          "INSERT OR IGNORE INTO blocks (plugin, artist, title, source_id) VALUES (?, ?, ?, ?)", request.plugin,
          key.artist, key.title, source)
      case .unblock:
        try transaction.execute(
          "DELETE FROM blocks WHERE plugin = ? AND artist = ? AND title = ? AND source_id = ?", request.plugin,
          key.artist, key.title, source)
      case .prefer:
        try transaction.execute(
          "INSERT OR REPLACE INTO preferences (track, plugin) VALUES (?, ?)", id, request.plugin)
      case .forget:
        try transaction.execute("DELETE FROM preferences WHERE track = ?", id)
        try transaction.execute("DELETE FROM blocks WHERE artist = ? AND title = ?", key.artist, key.title)
      case .unknown: break
      }
    }
  }
}
