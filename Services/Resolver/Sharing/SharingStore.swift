import Messages
import Model
import ServiceKit
import Storage

/// Stores what people allow plugins to receive, and the listens not yet sent to plugins.
struct SharingStore: Sendable {
  /// The migration with its tables.
  static let migration = Migration(
    "resolver-sharing-2",
    // A row says that a person has allowed to tell a plugin of a subject, and since when.
    """
    CREATE TABLE sharing (plugin TEXT NOT NULL, subject TEXT NOT NULL, since INTEGER NOT NULL,
      PRIMARY KEY (plugin, subject)) STRICT, WITHOUT ROWID
    """,
    // One row for each plugin and counted listen. `play` is a `ToldPlay` as JSON, and empty once the plugin has it: the
    // row stays, so that it is sent once. `told_to` has the ids of the scrobblers that have taken it, one a line.
    """
    CREATE TABLE told_plays (plugin TEXT NOT NULL, listen TEXT NOT NULL, play BLOB NOT NULL,
      started_at INTEGER NOT NULL, state TEXT NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'sending', 'told')),
      failures INTEGER NOT NULL DEFAULT 0, told_to TEXT NOT NULL DEFAULT '', PRIMARY KEY (plugin, listen)) STRICT
    """,
    "CREATE INDEX told_plays_open ON told_plays (plugin, failures, started_at) WHERE state <> 'told'",
    // The last reason why a plugin did not accept a listen, as JSON. `is_refused` is 1 where it waits for a person.
    """
    CREATE TABLE told_problems (plugin TEXT PRIMARY KEY, error BLOB NOT NULL, is_refused INTEGER NOT NULL) STRICT
    """,
    // Music that generated queues leave out. An empty title means all of the artist.
    """
    CREATE TABLE unwanted (artist_form TEXT NOT NULL, title_form TEXT NOT NULL, artist TEXT NOT NULL,
      title TEXT NOT NULL, PRIMARY KEY (artist_form, title_form)) STRICT, WITHOUT ROWID
    """,
    // Listens that were counted by a version which this one cannot read.
    """
    CREATE TABLE unreadable_facts (journal TEXT NOT NULL, epoch INTEGER NOT NULL, seq INTEGER NOT NULL,
      node TEXT NOT NULL, kind TEXT NOT NULL, payload BLOB NOT NULL, problem TEXT NOT NULL,
      PRIMARY KEY (journal, epoch, seq)) STRICT, WITHOUT ROWID
    """)

  /// The tables that are saved from a damaged database.
  static let saved = ["sharing", "told_plays", "told_problems", "unwanted", "unreadable_facts"]

  let database: Database

  /// Returns true if a person has allowed it.
  func isShared(_ subject: Resolver.SharedSubject, with plugin: String) async throws -> Bool {
    try await database.read { try Self.isShared(subject, with: plugin, $0) }
  }

  static func isShared(
    _ subject: Resolver.SharedSubject, with plugin: String, _ transaction: ReadTransaction
  ) throws -> Bool {
    try transaction.value("SELECT 1 FROM sharing WHERE plugin = ? AND subject = ?", plugin, subject.rawValue) as Int?
      != nil
  }

  /// Returns the plugins that receive a subject.
  func plugins(sharing subject: Resolver.SharedSubject) async throws -> [String] {
    try await database.read {
      try $0.values("SELECT plugin FROM sharing WHERE subject = ? ORDER BY plugin", subject.rawValue)
    }
  }

  /// Allows a subject, or ends it. When it ends, listens that were not sent yet are dropped.
  func set(
    _ subject: Resolver.SharedSubject, with plugin: String, isAllowed: Bool, at now: Timestamp
  ) async throws {
    try await database.write(.power) { transaction in
      if isAllowed {
        try transaction.execute(
          "INSERT OR IGNORE INTO sharing (plugin, subject, since) VALUES (?, ?, ?)", plugin, subject.rawValue, now)
      } else {
        try transaction.execute(
          "DELETE FROM sharing WHERE plugin = ? AND subject = ?", plugin, subject.rawValue)
      }
      guard subject == .plays else { return }
      if !isAllowed {
        try transaction.execute("DELETE FROM told_plays WHERE plugin = ? AND state <> 'told'", plugin)
      }
      try transaction.execute("DELETE FROM told_problems WHERE plugin = ?", plugin)
    }
  }

  /// Returns the sharing with a plugin.
  func sharing(with plugin: Resolver.Plugin) async throws -> Resolver.Sharing {
    let (id, name) = (plugin.id, Resolver.PluginName(id: plugin.id, name: plugin.name))
    let (takesPlays, takesHistory) = (plugin.takesPlays, plugin.takesHistory)
    return try await database.read { transaction in
      let problem: [UInt8]? = try transaction.value("SELECT error FROM told_problems WHERE plugin = ?", id)
      return Resolver.Sharing(
        plugin: name, takesPlays: takesPlays, hearsPlays: try Self.isShared(.plays, with: id, transaction),
        takesHistory: takesHistory, seesHistory: try Self.isShared(.history, with: id, transaction),
        waiting: try transaction.value(
          "SELECT count(*) FROM told_plays WHERE plugin = ? AND state <> 'told'", id) ?? 0,
        told: try transaction.value("SELECT count(*) FROM told_plays WHERE plugin = ? AND state = 'told'", id) ?? 0,
        problem: try problem.map { try MessageCoding.decode(LunaraError.self, from: $0) })
    }
  }

  /// Forgets a plugin that was removed.
  func remove(_ plugin: String) async throws {
    try await database.write(.power) { transaction in
      for table in ["sharing", "told_plays", "told_problems"] {
        try transaction.execute("DELETE FROM \(table) WHERE plugin = ?", plugin)
      }
    }
  }
}

extension Resolver.Plugin {
  /// True if the plugin can receive plays: it registers scrobblers when its function `init` is called.
  var takesPlays: Bool { capabilities.contains("playbackTelemetry") && functions.contains("init") }

  /// True if the plugin can use the history.
  var takesHistory: Bool { functions.contains("generate") || functions.contains("chat") }
}
