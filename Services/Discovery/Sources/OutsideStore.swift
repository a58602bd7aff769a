import Messages
import Model
import ServiceKit
import Storage

/// Keeps what sources outside the house gave, which of them are on, and when they are read.
struct OutsideStore: Sendable {
  let database: Database

  /// The most finds of a reading.
  private static let mostFinds = 20_000
  private static let retries = RetryPolicy(first: .seconds(300), longest: .seconds(12 * 3600))
  /// The seconds ahead for which a reading is planned at most; the longest interval of a source is a week.
  private static let longestPlan = 8 * Ages.day

  /// The state of a source.
  struct State: Sendable {
    var name: String
    var isOn: Bool
    /// The number of the reading that continues or comes next.
    var run: Int64
    var cursor: String?
    var readAt: Timestamp?
    var nextAt: Timestamp
    var failures: Int
    var problem: LunaraError?
    var items: Int
  }

  /// Returns the states of the sources that were ever on, by their names.
  static func states(_ transaction: ReadTransaction) throws -> [String: State] {
    let rows = try transaction.rows(
      """
      SELECT name, is_on, run, cursor, read_at, next_at, failures, problem,
        (SELECT count(*) FROM finds WHERE source = name) FROM outside_sources
      """
    ) { row in
      let problem: [UInt8]? = try row.value(7)
      return State(
        name: try row.value(0), isOn: try row.value(1), run: try row.value(2), cursor: try row.value(3),
        readAt: try row.value(4), nextAt: try row.value(5), failures: try row.value(6),
        problem: try problem.map { try MessageCoding.decode(LunaraError.self, from: $0) }, items: try row.value(8))
    }
    return Dictionary(rows.map { ($0.name, $0) }) { first, _ in first }
  }

  /// Returns the source to read next, and when; nil if none is on. One whose time is further ahead than any
  /// interval is due now: the clock was wrong when it was read.
  func next(at now: Timestamp) async throws -> State? {
    let furthest = Timestamp(seconds: now.seconds + Self.longestPlan)
    let states = try await database.read(Self.states).values.filter(\.isOn).map { state in
      var state = state
      if state.nextAt > furthest { state.nextAt = now }
      return state
    }
    return states.min { ($0.nextAt, $0.name) < ($1.nextAt, $1.name) }
  }

  // MARK: - What people decide

  /// Switches a source on, or off: what it gave is then forgotten.
  func set(_ name: String, isOn: Bool, at now: Timestamp) async throws {
    try await database.write(.power) { transaction in
      if isOn {
        try transaction.execute(
          """
          INSERT INTO outside_sources (name, is_on, next_at) VALUES (?1, 1, ?2)
          ON CONFLICT (name) DO UPDATE SET is_on = 1, next_at = ?2 WHERE is_on = 0
          """, name, now)
      } else {
        try transaction.execute("DELETE FROM outside_sources WHERE name = ?", name)
        try transaction.execute("DELETE FROM finds WHERE source = ?", name)
        try transaction.execute(
          "DELETE FROM tiles WHERE album < 0 AND -album NOT IN (SELECT release FROM finds WHERE release IS NOT NULL)")
        try Self.prune(transaction)
      }
      try OwnedAlbumStore.touch(transaction)
    }
  }

  /// Plans to read a source, or all that are on, now.
  ///
  /// - Throws: `discovery.sourceOff`.
  func refresh(_ name: String?, at now: Timestamp) async throws {
    try await database.write { transaction in
      let count = try transaction.execute(
        "UPDATE outside_sources SET next_at = ?1, failures = 0 WHERE is_on = 1 AND (?2 IS NULL OR name = ?2)", now, name
      )
      guard count > 0 || name == nil else {
        throw LunaraError(
          "discovery.sourceOff",
          "The source \(name ?? "") is off. `lunara discovery sources \(name ?? "NAME") on` switches it on.")
      }
    }
  }

  func setMissing(_ isOn: Bool) async throws {
    try await database.write(.power) { transaction in
      try transaction.execute("INSERT OR REPLACE INTO missing_albums (one, is_on) VALUES (1, ?)", isOn)
      try OwnedAlbumStore.touch(transaction)
    }
  }

  // MARK: - Readings

  /// Stores a part of a reading with its cursor. A source that was switched off meanwhile gives nothing.
  func store(_ step: SourceStep, of state: State, interval: Int64, at now: Timestamp) async throws {
    try await database.write { transaction in
      let run: Int64? = try transaction.value(
        "SELECT run FROM outside_sources WHERE name = ? AND is_on = 1", state.name)
      guard run == state.run else { return }
      var number: Int =
        try transaction.value("SELECT max(number) + 1 FROM finds WHERE source = ? AND run = ?", state.name, state.run)
        ?? 0
      for find in step.finds where number < Self.mostFinds {
        try Self.insert(find, number, of: state, transaction)
        number += 1
      }
      // The last problem of a part stays until the next reading; that of an attempt that failed ends with this one.
      let isFirst = state.cursor == nil || state.failures > 0
      let problem = try step.problem.map { try MessageCoding.encode($0) }
      try transaction.execute(
        "UPDATE outside_sources SET failures = 0, problem = ifnull(?1, CASE WHEN ?2 THEN NULL ELSE problem END) WHERE name = ?3",
        problem, isFirst, state.name)
      // Walls that are made meanwhile may have its parts already; all of them do once it is whole.
      if let next = step.next {
        try transaction.execute(
          "UPDATE outside_sources SET cursor = ?, next_at = ? WHERE name = ?", next, now, state.name)
        return
      }
      if step.isUnanswered, state.items > 0 {
        // The earlier finds stay, with their age.
        try transaction.execute(
          "UPDATE outside_sources SET cursor = NULL, problem = ifnull(problem, ?2), next_at = ?3 WHERE name = ?1",
          state.name, try MessageCoding.encode(Self.nothing(state.name)),
          Timestamp(seconds: now.seconds + max(Ages.day, interval)))
        return
      }
      try transaction.execute("DELETE FROM finds WHERE source = ? AND run <> ?", state.name, state.run)
      try transaction.execute(
        """
        UPDATE outside_sources SET cursor = NULL, run = run + 1, read_at = ?2, next_at = ?3 WHERE name = ?1
        """, state.name, now, Timestamp(seconds: now.seconds + max(Ages.day, interval)))
      try Self.prune(transaction)
      try OwnedAlbumStore.touch(transaction)
    }
  }

  private static func nothing(_ name: String) throws -> LunaraError {
    OutsideAccess.away(try OutsideSources.named(name).title, cause: "it gave nothing this time")
  }

  private static func insert(
    _ find: Find, _ number: Int, of state: State, _ transaction: Transaction
  ) throws {
    let artist = find.artist.isEmpty ? nil : MatchKey.artist(find.artist)
    let key = find.title.flatMap { find.artist.isEmpty ? nil : MatchKey.album(find.artist, $0) }
    var release: Int64?
    if let group = find.releaseGroup, let title = find.title, let artist, let key {
      try transaction.execute(
        """
        INSERT INTO releases (release_group, title, artist, match_key, match_artist, date, source)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
        ON CONFLICT (release_group) DO UPDATE SET title = ?2, artist = ?3, match_key = ?4, match_artist = ?5,
          date = ifnull(?6, date)
        """, group, title, find.artist, key, artist, find.date, try OutsideSources.named(state.name).title)
      release = try transaction.value("SELECT number FROM releases WHERE release_group = ?", group)
    }
    try transaction.execute(
      """
      INSERT INTO finds (source, run, number, signal, kind, album, release_group, match_key, match_artist, release,
        place, listens, near) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, state.name, state.run, number, find.signal.rawValue, find.kind.rawValue, find.album, find.releaseGroup, key,
      artist, release, find.place, find.listens, find.near)
  }

  /// Notes a failure: the source is asked again after a pause that doubles, from five minutes to half a day, or when it
  /// asks for.
  func fail(_ state: State, _ error: LunaraError, until: Timestamp?, at now: Timestamp) async throws {
    let usual = Timestamp(seconds: now.seconds + Self.retries.pause(after: state.failures + 1).components.seconds)
    // A pause of days that a broken server asks for is cut to one.
    let asked = until.map { min($0, Timestamp(seconds: now.seconds + Ages.day)) }
    let encoded = try MessageCoding.encode(error)
    try await database.write { transaction in
      try transaction.execute(
        "UPDATE outside_sources SET failures = failures + 1, problem = ?, next_at = ? WHERE name = ? AND is_on = 1",
        encoded, max(usual, asked ?? usual), state.name)
    }
  }

  /// Forgets releases that no source names any more, and that are on no wall.
  private static func prune(_ transaction: Transaction) throws {
    try transaction.execute(
      """
      DELETE FROM releases WHERE number NOT IN (SELECT release FROM finds WHERE release IS NOT NULL)
        AND number NOT IN (SELECT -album FROM tiles WHERE album < 0)
      """)
  }
}
