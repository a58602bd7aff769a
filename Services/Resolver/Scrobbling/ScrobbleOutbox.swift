import Bus
import Messages
import Model
import Storage

/// A counted listen as a plugin is told of it.
struct ToldPlay: Codable, Hashable, Sendable {
  var title: String
  var artist: String
  var album: String?
  var duration: Milliseconds?
  var recordingID: String?
  var isrc: String?
  /// True for a track of the library.
  var isLocal: Bool
  var startedAt: Timestamp

  init(_ item: QueueItem, startedAt: Timestamp) {
    let track = item.track
    (title, artist) = (track.title, track.artist)
    album = track.album.isEmpty ? nil : track.album
    duration = track.duration > .zero ? track.duration : nil
    (recordingID, isrc) = (track.recordingID, track.isrc)
    isLocal = item.described == nil
    self.startedAt = startedAt
  }

  /// The track as scrobblers of plugins get it: the length in whole seconds, and without what is not known.
  var value: PluginValue {
    .members([
      "title": .text(title), "artist": .text(artist), "album": .optional(album),
      "duration": duration.map { .number($0.seconds.rounded()) }, "mbid": .optional(recordingID),
      "isrc": .optional(isrc), "sources": .list(isLocal ? [.text("localfiles")] : []),
    ])
  }

  /// True for a track that can be named to others.
  var isNamed: Bool { !title.isEmpty && !artist.isEmpty }
}

/// The counted listens of which one plugin is to be told, in the database.
struct ScrobbleOutbox: Sendable {
  let plugin: String
  let database: Database

  struct Item: Sendable {
    var listen: ListenID
    /// The play; nil for one that this version cannot read.
    var play: ToldPlay?
    /// The ids of the scrobblers that have taken it.
    var toldTo: Set<String>
  }

  /// Adds a counted listen for each plugin that is told of plays and was allowed to before it counted. A listen that no
  /// service may know of is added for none. Plugins that a person has switched off are not told; one that was switched
  /// off after faults, or whose file waits for a consent, is told later.
  ///
  /// - Returns: true if any was added.
  static func enqueue(
    _ counted: Scrobble.ListenCounted, at time: Timestamp, _ transaction: Transaction
  ) throws -> Bool {
    guard counted.withheld == nil else { return false }
    let play = ToldPlay(counted.subject.item, startedAt: counted.subject.startedAt)
    guard play.isNamed else { return false }
    return try transaction.execute(
      """
      INSERT OR IGNORE INTO told_plays (plugin, listen, play, started_at)
      SELECT s.plugin, ?1, ?2, ?3 FROM sharing s JOIN plugins p ON p.id = s.plugin
      WHERE s.subject = 'plays' AND s.since <= ?4
        AND (p.is_enabled OR instr(CAST(p.last_error AS TEXT), 'resolver.pluginDisabled') > 0)
      """, counted.subject.listen, try MessageCoding.encode(play), counted.subject.startedAt, time) > 0
  }

  /// Returns the next listen: the oldest of those that failed least; nil for none. A listen of which the plugin was
  /// being told when the process ended is returned again, as it is unknown if the plugin took it.
  func next() async throws -> Item? {
    try await database.read {
      try $0.row(
        """
        SELECT listen, play, told_to FROM told_plays WHERE plugin = ? AND state <> 'told'
        ORDER BY failures, started_at LIMIT 1
        """, plugin
      ) { row in
        Item(
          listen: try row.value(0), play: Self.play(try row.value(1)),
          toldTo: Set((try row.value(2) as String).split(separator: "\n").map(String.init)))
      }
    }
  }

  /// Stores that a scrobbler of the plugin has taken a listen.
  func note(_ item: Item, toldTo: Set<String>) async throws {
    try await database.write(.power) {
      try $0.execute(
        "UPDATE told_plays SET told_to = ? WHERE plugin = ? AND listen = ?", toldTo.sorted().joined(separator: "\n"),
        plugin, item.listen)
    }
  }

  /// Stores that the plugin has taken a listen. A listen of which it was told must not be told again after a power cut.
  func settle(_ item: Item) async throws {
    try await database.write(.power) { transaction in
      try transaction.execute(
        "UPDATE told_plays SET state = 'told', play = x'' WHERE plugin = ? AND listen = ?", plugin, item.listen)
      try transaction.execute("DELETE FROM told_problems WHERE plugin = ?", plugin)
    }
  }

  /// Stores that the plugin could not be told: the listen still waits.
  ///
  /// - Parameters:
  ///   - isOwn: true if the failure may be the listen's own, so that others come first.
  ///   - isRefused: true if nothing is sent until a person has acted.
  func fail(_ item: Item?, _ error: LunaraError, isOwn: Bool, isRefused: Bool) async throws {
    try await database.write { transaction in
      if let item, isOwn {
        try transaction.execute(
          "UPDATE told_plays SET failures = failures + 1 WHERE plugin = ? AND listen = ?", plugin, item.listen)
      }
      try transaction.execute(
        "INSERT OR REPLACE INTO told_problems (plugin, error, is_refused) VALUES (?, ?, ?)", plugin,
        try MessageCoding.encode(error), isRefused)
    }
  }

  /// True if nothing is sent until a person has acted.
  func isRefused() async throws -> Bool {
    try await database.read { try $0.value("SELECT is_refused FROM told_problems WHERE plugin = ?", plugin) ?? false }
  }

  /// Stores that a person has acted.
  func resume() async throws {
    try await database.write { try $0.execute("DELETE FROM told_problems WHERE plugin = ?", plugin) }
  }

  private static func play(_ bytes: [UInt8]) -> ToldPlay? {
    do { return try MessageCoding.decode(ToldPlay.self, from: bytes) } catch { return nil }
  }
}
