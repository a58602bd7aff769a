package import Bus
package import Messages
import Model
import Records
package import ServiceKit
package import Storage

/// Records the listens of all rooms, and answers requests for them.
package struct HistoryRequestHandler: Sendable {
  let database: Database
  let log: Log
  /// The journal for reports of played albums; nil for none.
  var journal: Journal?
  /// Called for each listen that counted, in the transaction that records it.
  var counted: @Sendable (ReceivedFact, Transaction) throws -> Void = { _, _ in }

  package init(
    database: Database, log: Log, journal: Journal? = nil,
    counted: @escaping @Sendable (ReceivedFact, Transaction) throws -> Void = { _, _ in }
  ) {
    self.database = database
    self.log = log
    self.journal = journal
    self.counted = counted
  }

  /// Serves the requests on a node and follows the facts.
  package func start(on node: Node) async {
    let (database, listens) = (database, ListenRecorder(log: log, journal: journal, counted: counted))
    await node.serve(Library.ListPlays.self) { request, _ in
      try await database.read { try History.plays(request, $0) }
    }
    await node.serve(Library.CountPlays.self) { request, _ in
      try await database.read { try History.counts(request, $0) }
    }
    await node.serve(Library.ReadStatistics.self) { request, _ in
      try await database.read { try StatisticsQueries.read(request, at: .now(), $0) }
    }
    await node.serve(Library.ReadListeningContext.self) { _, _ in
      try await database.read { try ListeningContextQueries.read(at: .now(), $0) }
    }
    for domain in ["scrobble", "playback"] {
      await node.follow(domain, as: ListenRecorder.reader, in: database) { try listens.handle($0, in: $1) }
    }
  }
}

/// Queries of the listens of the household. They are kept for ever, as no source could give them again.
enum History {
  /// Returns SQL for the day of a moment in the library's time zone.
  static func day(_ moment: String) -> String {
    "CAST(strftime('%Y%m%d', \(moment) / 1000000, 'unixepoch', 'localtime') AS INTEGER)"
  }

  /// Returns a page of listens, newest first. Throws `library.unknownID`, `library.badCursor`.
  static func plays(_ request: Library.ListPlays, _ transaction: ReadTransaction) throws -> Library.Page<Library.Play> {
    let filter = request.filter
    let scope = try PlayScope(filter, transaction)
    // Each query starts with the index that gives the fewest rows; a track has some hundred listens at most.
    let from =
      if let tracks = scope.tracks {
        "(\(tracks)) f CROSS JOIN listens l INDEXED BY listens_of_track ON l.track = f.id"
      } else if filter.room != nil {
        "listens l INDEXED BY listens_of_room"
      } else {
        "listens l INDEXED BY listens_by_time"
      }
    return try transaction.page(
      ListOrder("plays", .number("l.started_at"), .number("l.id"), isDescending: true), after: request.after,
      PageBudget(items: Catalogue.limit(request.limit)),
      "l.listen, h.body, l.room, l.started_at, l.heard, l.outcome, h.number",
      """
      FROM \(from) CROSS JOIN listen_tracks h ON h.id = l.track
      WHERE \(filter.room == nil ? "" : "l.room = ?2 AND ")l.started_at >= ?3 AND l.started_at < ?4
      """, values(scope, filter)
    ) { try play($0, transaction) }
  }

  /// Returns the values of queries: the scope's number, the room and the time.
  private static func values(_ scope: PlayScope, _ filter: Library.PlayFilter) -> [(any SQLBindable)?] {
    [scope.number, filter.room, filter.since?.microseconds ?? Int64.min, filter.until?.microseconds ?? Int64.max]
  }

  private static func play(_ row: borrowing Row, _ transaction: ReadTransaction) throws -> Library.Play {
    let outcome = ListenOutcome(rawValue: try row.value(5))
    var track = try MessageCoding.decode(Track.self, from: (try row.value(1) as String).utf8)
    if track.id.isDescribed, let number: Int64 = try row.value(6) {
      // Shows the library's track for a description if there is one.
      let shown: Int64? = try transaction.value(
        """
        SELECT shown FROM tracks WHERE id = ifnull(\(Successors.of(.track, "?1")), ?1)
        """, number)
      track = try shown.flatMap { try Catalogue.track($0, transaction) } ?? track
    }
    return Library.Play(
      listen: try row.value(0), track: track, room: try row.value(2), startedAt: try row.value(3),
      heard: try row.value(4), counted: outcome == .counted, skipped: outcome == .skipped)
  }
}

extension Library.Play: SizedItem {
  package var size: Int { track.size + 260 }
}

extension History {
  private static let mostRows = 500

  /// Returns the counts of listens, the most played first; days in order. Throws `library.unknownID`.
  static func counts(_ request: Library.CountPlays, _ transaction: ReadTransaction) throws -> Library.PlayCounts {
    let scope = try PlayScope(request.filter, transaction)
    let limit = min(max(1, request.limit), mostRows)
    let rows = try transaction.rows(statement(request, scope), values: values(scope, request.filter) + [limit]) { row in
      Library.PlayCounts.Row(
        key: try row.value(0), title: try row.value(1), plays: try row.value(2), skips: try row.value(3),
        lastPlayedAt: try row.value(4))
    }
    var budget = PageBudget(items: limit)
    return Library.PlayCounts(
      rows: rows.filter { budget.admits(PageBudget.size($0.key) + PageBudget.size($0.title) + 120) })
  }

  private static let tallies = """
    sum(l.outcome = 1) AS plays, sum(l.outcome = 2) AS skips,
    max(CASE WHEN l.outcome = 1 THEN l.started_at END) AS last
    """

  /// Returns the query: `?1` is the scope's number, `?2` the room, `?3` and `?4` the time, `?5` the limit.
  private static func statement(_ request: Library.CountPlays, _ scope: PlayScope) -> String {
    let filter = request.filter
    let hasTime = filter.since != nil || filter.until != nil
    let source =
      if let tracks = scope.tracks {
        "(\(tracks)) f CROSS JOIN listens l INDEXED BY listens_of_track ON l.track = f.id"
      } else if request.by == .day || request.by == .room || filter.room != nil || hasTime {
        "listens l INDEXED BY listens_by_time"
      } else {
        "listens l INDEXED BY listens_of_track"
      }
    let condition = """
      l.outcome <> 0\(filter.room == nil ? "" : " AND l.room = ?2")
        \(hasTime ? "AND l.started_at >= ?3 AND l.started_at < ?4" : "")
      """
    func grouped(_ key: String) -> String { "SELECT \(key), \(tallies) FROM \(source) WHERE \(condition) GROUP BY 1" }
    // Counts of tags have neither a room nor a time.
    let hasImported = filter.room == nil && !hasTime
    func found(
      _ key: String, _ title: String, orElse formerKey: String, _ formerTitle: String, _ more: String = ""
    ) -> String {
      let imported = """
        UNION ALL SELECT \(key), \(title), b.plays, 0, NULL FROM (\(ImportedPlays.counts(of: scope.shown))) b
        JOIN tracks t ON t.id = b.track JOIN albums a ON a.id = t.shelf JOIN artists r ON r.id = a.artist_id
        """
      return """
        WITH heard AS (\(grouped("l.track AS track"))), entries (what, title, plays, skips, last) AS (
          SELECT ifnull(\(key), \(formerKey)), ifnull(\(title), \(formerTitle)), plays, skips, last
          FROM heard JOIN listen_tracks h ON h.id = heard.track
          \(Successors.join(.track, "h.number"))
          LEFT JOIN tracks c ON c.id = ifnull(e.heir, h.number) LEFT JOIN tracks t ON t.id = c.shown
          LEFT JOIN albums a ON a.id = t.shelf LEFT JOIN artists r ON r.id = a.artist_id \(more)
          \(hasImported ? imported : ""))
        SELECT what, title, sum(plays) AS plays, sum(skips), max(last) AS last FROM entries
        GROUP BY what ORDER BY plays DESC, last DESC, what LIMIT ?5
        """
    }
    return switch request.by {
    case .track: found("t.source || ':t' || t.id", "t.title", orElse: "h.track", "h.body ->> 'title'")
    case .album:
      // Imports may name no album.
      found(
        "a.source || ':a' || a.id", "a.title", orElse: "h.body ->> 'albumID'", "h.body ->> 'album'",
        "WHERE a.id IS NOT NULL OR h.title_key IS NULL OR h.body ->> 'album' <> ''")
    case .artist:
      found(
        "r.source || ':r' || r.id", "r.name", orElse: "ifnull(o.source || ':r' || o.id, h.body ->> 'albumArtist')",
        "ifnull(o.name, h.body ->> 'albumArtist')",
        """
        LEFT JOIN artist_names n ON r.id IS NULL AND n.key = h.artist_key
          LEFT JOIN artists o ON o.id = n.artist AND o.albums + o.credits > 0
        """)
    // If there are too many days, the newest ones are listed, in order.
    case .day:
      """
      WITH found AS (\(grouped("l.day AS day")) ORDER BY 1 DESC LIMIT ?5), days AS (SELECT substr(day, 1, 4) || '-'
        || substr(day, 5, 2) || '-' || substr(day, 7) AS name, plays, skips, last FROM found)
      SELECT name, name, plays, skips, last FROM days ORDER BY name
      """
    case .room:
      """
      WITH found AS (\(grouped("l.room AS room")))
      SELECT room, room, plays, skips, last FROM found ORDER BY plays DESC, last DESC, room LIMIT ?5
      """
    }
  }
}

/// The listens that a request selects, as the rows of the tracks that were played.
///
/// A track selects the listens of all its copies, and of former numbers that redirect to them (`heirs`); an album those
/// of the tracks of all its members, removed tracks included.
package struct PlayScope {
  /// SQL for the ids of `listen_tracks`; nil for every track. `?1` is `number`.
  package let tracks: String?
  /// SQL for the ids of the tracks that are shown; nil for every track.
  let shown: String?
  package let number: Int64?

  /// Reads the part of a filter that names music; where it names several things, the narrowest counts.
  ///
  /// - Throws: `library.unknownID`.
  package init(_ filter: Library.PlayFilter, _ transaction: ReadTransaction) throws {
    if let track = filter.track {
      number = try Catalogue.number(of: .track, track, transaction)
      shown = "SELECT shown FROM tracks WHERE id = ?1"
      tracks = Self.listened("SELECT id FROM tracks WHERE id = ?1 OR (shown = ?1 AND shown <> id)", albums: nil)
    } else if let album = filter.album {
      number = try Catalogue.number(of: .album, album, transaction)
      shown = "SELECT id FROM tracks WHERE shelf = ?1"
      tracks = Self.listened(
        "SELECT t.id FROM albums a JOIN tracks t ON t.album = a.id WHERE a.shelf = ?1",
        albums: "SELECT id FROM albums WHERE shelf = ?1")
    } else if let artist = filter.artist {
      number = try Catalogue.number(of: .artist, artist, transaction)
      let albums = "SELECT a.id FROM albums s JOIN albums a ON a.shelf = s.id WHERE s.artist_id = ?1 AND s.shelf = s.id"
      shown = "SELECT t.id FROM albums s JOIN tracks t ON t.shelf = s.id WHERE s.artist_id = ?1 AND s.shelf = s.id"
      let described = """
        SELECT h.id FROM listen_tracks h WHERE h.artist_key IN (SELECT key FROM artist_names WHERE artist = ?1)
          AND \(DescribedListenTracks.isGone)
        """
      tracks =
        "\(Self.listened("SELECT id FROM tracks WHERE album IN (\(albums))", albums: albums)) UNION \(described)"
    } else {
      tracks = nil
      shown = nil
      number = nil
    }
  }

  private static func listened(_ tracks: String, albums: String?) -> String {
    let own = """
      SELECT h.id FROM listen_tracks h WHERE h.number IN
        (\(tracks) UNION SELECT number FROM heirs WHERE kind = \(CatalogueID.Kind.track.sql) AND heir IN (\(tracks)))
      """
    guard let albums else { return own }
    return """
      \(own) UNION SELECT h.id FROM listen_tracks h WHERE h.album IN (\(albums))
        AND NOT EXISTS (SELECT 1 FROM tracks t WHERE t.id = h.number)
      """
  }
}
