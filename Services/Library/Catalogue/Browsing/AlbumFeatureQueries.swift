package import Messages
import Model
import Records
package import Storage

/// The albums with their history, as other services choose among them.
extension Catalogue {
  private static let mostFeatures = 500
  private static let mostFeatureIDs = 200

  /// Returns a page of the listed albums by their numbers, or those of some ids; the id of a track stands for its
  /// album. The history of all albums of a page is read by one query each: one query an album would take ten times as
  /// long.
  ///
  /// - Throws: `library.badCursor`, `library.tooManyIDs`.
  static func albumFeatures(
    _ request: Library.ListAlbumFeatures, _ transaction: ReadTransaction
  ) throws -> Library.AlbumFeaturesPage {
    let limit = min(max(1, request.limit), mostFeatures)
    let generation = try Self.generation(transaction)
    let after = try Cursor(request.after, of: "features", count: 1)?.number(0) ?? .min
    let numbers: [Int64]
    if let ids = request.ids {
      guard ids.count <= mostFeatureIDs else {
        throw LunaraError(
          "library.tooManyIDs", "\(ids.count) albums at once are too many. Ask for \(mostFeatureIDs) at a time.")
      }
      numbers = Set(try ids.compactMap { try albumNumber(of: $0, transaction) }).filter { $0 > after }.sorted()
    } else {
      numbers = try transaction.values(
        "SELECT id FROM albums WHERE listed = 1 AND id > ? ORDER BY id LIMIT ?", after, limit + 1)
    }
    let page = "[\(numbers.prefix(limit).map(String.init).joined(separator: ","))]"
    let history = try history(of: page, transaction)
    let styles = try styles(of: page, transaction)
    let notes = try notes(of: page, transaction)
    let rows = try transaction.rows(
      """
      SELECT a.id, a.source || ':a' || a.id, a.title, a.artist,
        (SELECT source || ':r' || id FROM artists WHERE id = a.artist_id), a.year, a.genres, a.added_at, a.rating,
        nullif(a.played_at, 0), a.art, a.release_group
      FROM albums a WHERE a.id IN (SELECT value FROM json_each(?)) AND a.listed = 1 ORDER BY a.id
      """, page
    ) { row in
      let number: Int64 = try row.value(0)
      let heard = history[number] ?? AlbumHistory()
      let genres = TextList.unpacked(try row.value(6)).prefix(24)
      let features = Library.AlbumFeatures(
        id: try row.value(1), title: try row.value(2), artist: try row.value(3), artistID: try row.value(4),
        year: try row.value(5), tags: genres + (styles[number] ?? []), addedAt: try row.value(7),
        rating: try row.value(8), plays: heard.plays,
        lastPlayedAt: try row.value(9), firstPlayedAt: heard.first, art: try row.value(10),
        releaseGroup: try row.value(11), notedAt: notes[number], listeners: heard.listeners)
      return (number: number, features: features)
    }
    var budget = PageBudget(items: limit)
    let shown = rows.prefix { budget.admits($0.features.size) }
    let end: Int64? =
      if shown.count < rows.count { shown.last?.number } else { numbers.count > limit ? numbers[limit - 1] : nil }
    return Library.AlbumFeaturesPage(
      generation: generation, items: shown.map(\.features), next: end.map { Cursor("features", [$0]).text })
  }

  /// Returns the number of the album that is shown for an id of an album or of a track.
  private static func albumNumber(of id: AlbumID, _ transaction: ReadTransaction) throws -> Int64? {
    guard let item = try resolve(id, transaction) else { return nil }
    switch item.kind {
    case .album: return item.number
    case .track: return try transaction.value("SELECT shelf FROM tracks WHERE id = ?", item.number)
    case .artist, .collection, .playlist: return nil
    }
  }

  /// Returns the times of the last notes about albums, their sessions and their tracks; `page` is a JSON array of the
  /// albums' numbers.
  private static func notes(of page: String, _ transaction: ReadTransaction) throws -> [Int64: Timestamp] {
    // Households without notes pay for one look into an empty table.
    guard try transaction.value("SELECT 1 FROM garden_notes LIMIT 1") as Int? != nil else { return [:] }
    let rows = try transaction.rows(
      """
      WITH noted (album, subject) AS (
        SELECT p.value, s.id FROM json_each(?1) p
          CROSS JOIN subjects s INDEXED BY subjects_shown ON s.kind = ?2 AND s.shown = p.value
        UNION ALL SELECT p.value, s.id FROM json_each(?1) p
          CROSS JOIN tracks t INDEXED BY tracks_of_shelf ON t.shelf = p.value
          CROSS JOIN subjects s INDEXED BY subjects_shown ON s.kind = ?3 AND s.shown = t.id)
      SELECT d.album, max(n.written_at) FROM noted d
      CROSS JOIN garden_notes n INDEXED BY garden_notes_of ON n.subject = d.subject WHERE n.deleted_at IS NULL
      GROUP BY d.album
      """, page, CatalogueID.Kind.album, CatalogueID.Kind.track
    ) { (album: try $0.value(0) as Int64, at: try $0.value(1) as Timestamp) }
    return Dictionary(rows.map { ($0.album, $0.at) }) { first, _ in first }
  }

  /// The plays of an album.
  package struct AlbumHistory {
    var listens = 0
    var first: Timestamp?
    /// The count of plays that tags gave.
    var imported = 0
    /// The count of plays of the album's server.
    var server = 0
    /// The number of listeners in the world of its best known track; nil if no server gives one.
    var listeners: Int?
    /// The number of plays.
    package var plays: Int { max(listens + imported, server) }
  }

  /// Returns the plays of albums; `page` is a JSON array of their numbers. Listens of former numbers that redirect to
  /// a track count for it, and those of removed tracks for the album on which they were.
  package static func history(of page: String, _ transaction: ReadTransaction) throws -> [Int64: AlbumHistory] {
    var found: [Int64: AlbumHistory] = [:]
    let members = """
      members (album, member) AS (SELECT s.id, m.id FROM json_each(?1) p CROSS JOIN albums s ON s.id = p.value
        CROSS JOIN albums m INDEXED BY albums_by_merge ON m.merge_key = s.merge_key AND m.shelf = s.id)
      """
    let listens = try transaction.rows(
      """
      WITH \(members), own (album, track) AS (SELECT m.album, t.id FROM members m
          CROSS JOIN tracks t INDEXED BY tracks_of_album ON t.album = m.member),
        heard (album, track) AS (
          SELECT o.album, h.id FROM own o CROSS JOIN listen_tracks h ON h.number = o.track
          UNION SELECT o.album, h.id FROM own o
            CROSS JOIN heirs e ON e.kind = \(CatalogueID.Kind.track.sql) AND e.heir = o.track
            CROSS JOIN listen_tracks h ON h.number = e.number
          UNION SELECT m.album, h.id FROM members m CROSS JOIN listen_tracks h ON h.album = m.member
            WHERE NOT EXISTS (SELECT 1 FROM tracks t WHERE t.id = h.number))
      SELECT d.album, count(*), min(l.started_at) FROM heard d
      CROSS JOIN listens l INDEXED BY listens_of_track ON l.track = d.track WHERE l.outcome = 1 GROUP BY d.album
      """, page
    ) { (album: try $0.value(0) as Int64, count: try $0.value(1) as Int, first: try $0.value(2) as Timestamp?) }
    for row in listens { found[row.album] = AlbumHistory(listens: row.count, first: row.first) }
    let counts = try transaction.rows(
      """
      SELECT t.shelf, sum(ifnull(t.server_plays, 0)), sum(ifnull(i.plays, 0)), max(t.listeners)
      FROM json_each(?1) p CROSS JOIN tracks t INDEXED BY tracks_of_shelf ON t.shelf = p.value
      LEFT JOIN imported_plays i ON i.identity = t.identity GROUP BY t.shelf
      """, page
    ) {
      (
        album: try $0.value(0) as Int64, server: try $0.value(1) as Int, imported: try $0.value(2) as Int,
        listeners: try $0.value(3) as Int?
      )
    }
    for row in counts where row.server > 0 || row.imported > 0 || row.listeners != nil {
      found[row.album, default: AlbumHistory()].server = row.server
      found[row.album, default: AlbumHistory()].imported = row.imported
      found[row.album, default: AlbumHistory()].listeners = row.listeners
    }
    return found
  }

  /// Returns the styles of albums, at most 24 of each; `page` is a JSON array of their numbers.
  private static func styles(of page: String, _ transaction: ReadTransaction) throws -> [Int64: [String]] {
    var found: [Int64: [String]] = [:]
    let rows = try transaction.rows(
      """
      SELECT s.id, g.name FROM json_each(?) p CROSS JOIN albums s ON s.id = p.value
      CROSS JOIN albums m INDEXED BY albums_by_merge ON m.merge_key = s.merge_key AND m.shelf = s.id
      CROSS JOIN album_tags g ON g.album = m.id AND g.kind = ? ORDER BY s.id, m.id <> s.id, m.id, g.place
      """, page, AlbumTags.number(of: .style)
    ) { (album: try $0.value(0) as Int64, name: try $0.value(1) as String) }
    for row in rows where found[row.album, default: []].count < 24 { found[row.album, default: []].append(row.name) }
    return found
  }
}

extension Library.AlbumFeatures: SizedItem {
  package var size: Int { 445 + PageBudget.size(title) + PageBudget.size(artist) + PageBudget.size(tags) }
}
