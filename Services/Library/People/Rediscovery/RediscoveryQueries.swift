import Catalogue
import Messages
import Model
import MusicTags
import Records
import Storage

/// Reads what the shelves of a day are made from. Together the queries take some 50 ms for 100,000 tracks and a million
/// plays: what would need all plays is asked for some albums only (`RediscoveryFacts`).
enum RediscoveryQueries {
  /// On a day on which more albums came than this, a whole source did, which nobody remembers.
  private static let mostAddedADay = 30

  static func facts(
    of day: AnniversaryDays, at now: Timestamp, _ opinions: AlbumOpinions, noted: [Anniversary],
    _ transaction: ReadTransaction
  ) throws -> RediscoveryFacts {
    var facts = RediscoveryFacts(
      now: now, dayStart: day.start, seed: FNV1a.hash(day.name),
      albums: try albums(on: day, opinions, transaction))
    facts.anniversaries = noted + added(facts.albums, on: day) + released(facts.albums, on: day)
    facts.anniversaries += try heard(facts.albums, on: day, transaction)
    let counted = (facts.forgottenCandidates.filter { !$0.isPraised } + facts.unheardCandidates).map(\.number)
    for (album, history) in try Catalogue.history(of: list(counted), transaction) where history.plays > 0 {
      facts.plays[album] = history.plays
    }
    facts.heardTracks = try heardTracks(of: facts.halfHeardCandidates.map(\.number), transaction)
    facts.artists = try artists(playedSince: RediscoveryFacts.recentDays, before: now, transaction)
    return facts
  }

  /// Returns what people think of albums, by the albums that are shown.
  static func opinions(_ transaction: ReadTransaction) throws -> AlbumOpinions {
    let rows = try transaction.rows(
      "SELECT s.last_shown, o.opinion FROM \(OpinionStore.rows) WHERE o.stands = 1"
    ) {
      (album: try $0.value(0) as Int64, opinion: Library.Opinion(rawValue: try $0.value(1)))
    }
    func albums(_ opinion: Library.Opinion) -> Set<Int64> {
      Set(rows.filter { $0.opinion == opinion }.map(\.album))
    }
    return AlbumOpinions(likes: albums(.like), dislikes: albums(.dislike))
  }

  /// Returns the albums about which, or about a track of which, somebody wrote on the day of the calendar.
  static func noted(on day: AnniversaryDays, _ transaction: ReadTransaction) throws -> [Anniversary] {
    let (album, track) = (CatalogueID.Kind.album.sql, CatalogueID.Kind.track.sql)
    return try day.former.flatMap { former in
      let albums: [Int64?] = try transaction.values(
        """
        SELECT DISTINCT CASE s.kind WHEN \(album) THEN s.shown ELSE (SELECT shelf FROM tracks WHERE id = s.shown) END
        FROM garden_notes n INDEXED BY garden_notes_by_time CROSS JOIN subjects s ON s.id = n.subject
        WHERE n.deleted_at IS NULL AND n.written_at >= ? AND n.written_at < ?
          AND s.kind IN (\(album), \(track)) AND s.shown IS NOT NULL
        """, former.start, former.end)
      return albums.compactMap(\.self).map { Anniversary(album: $0, event: .noted, years: former.years) }
    }
  }

  /// Returns numbers as a JSON array.
  private static func list(_ numbers: [Int64]) -> String { "[\(numbers.map(String.init).joined(separator: ","))]" }

  /// Returns the albums of the lists without those that are disliked.
  private static func albums(
    on day: AnniversaryDays, _ opinions: AlbumOpinions, _ transaction: ReadTransaction
  ) throws -> [RediscoveryAlbum] {
    try transaction.rows(
      """
      SELECT id, artist_id, tracks, added_at, nullif(played_at, 0), rating,
        CASE WHEN substr(ifnull(original_date, date), 6) = ?
          THEN CAST(substr(ifnull(original_date, date), 1, 4) AS INTEGER) END
      FROM albums NOT INDEXED WHERE listed = 1
      """, day.monthAndDay
    ) { row in
      let number: Int64 = try row.value(0)
      return RediscoveryAlbum(
        number: number, artist: try row.value(1), tracks: try row.value(2), addedAt: try row.value(3),
        playedAt: try row.value(4), rating: try row.value(5), isLiked: opinions.likes.contains(number),
        releasedOnDay: try row.value(6))
    }.filter { !opinions.dislikes.contains($0.number) }
  }

  private static func added(_ albums: [RediscoveryAlbum], on day: AnniversaryDays) -> [Anniversary] {
    let found = albums.compactMap { album in
      day.years(since: album.addedAt).map { Anniversary(album: album.number, event: .added, years: $0) }
    }
    return Dictionary(grouping: found, by: \.years).values.filter { $0.count <= mostAddedADay }.flatMap(\.self)
  }

  private static func released(_ albums: [RediscoveryAlbum], on day: AnniversaryDays) -> [Anniversary] {
    albums.compactMap { album in
      guard let year = album.releasedOnDay, year > 0, year < day.year else { return nil }
      return Anniversary(album: album.number, event: .released, years: day.year - year)
    }
  }

  /// The largest number of albums whose first listen is looked for.
  private static let mostHeard = 400

  /// Returns the albums that were played for the first time on the day of the calendar.
  private static func heard(
    _ albums: [RediscoveryAlbum], on day: AnniversaryDays, _ transaction: ReadTransaction
  ) throws -> [Anniversary] {
    let addedAt = Dictionary(albums.map { ($0.number, $0.addedAt) }) { first, _ in first }
    guard let oldest: Timestamp = try transaction.value("SELECT min(started_at) FROM listens") else { return [] }
    var found: [Int64: (years: Int, at: Timestamp)] = [:]
    for former in day.former where former.end > oldest {
      let rows = try transaction.rows(
        """
        SELECT a.shelf, min(l.started_at) FROM listens l INDEXED BY listens_by_time
        CROSS JOIN listen_tracks h ON h.id = l.track \(Successors.join(.album, "h.album"))
        CROSS JOIN albums a ON a.id = ifnull(e.heir, h.album)
        WHERE l.started_at >= ? AND l.started_at < ? AND l.outcome = 1 GROUP BY a.shelf
        """, former.start, former.end
      ) { (album: try $0.value(0) as Int64, at: try $0.value(1) as Timestamp) }
      // The earliest year replaces later ones.
      for row in rows where addedAt[row.album] != nil { found[row.album] = (former.years, row.at) }
    }
    // Most albums are played for the first time soon after they came.
    let likely = found.map { (album: $0.key, years: $0.value.years, at: $0.value.at) }.sorted { left, right in
      func wait(_ one: (album: Int64, years: Int, at: Timestamp)) -> UInt64 {
        addedAt[one.album].map { (one.at.microseconds - $0.microseconds).magnitude } ?? .max
      }
      return (wait(left), left.album) < (wait(right), right.album)
    }.prefix(mostHeard)
    let asked = "[\(likely.map { "[\($0.album),\($0.at.microseconds)]" }.joined(separator: ","))]"
    let first = Set(try firstHeard(asked, transaction))
    return likely.filter { first.contains($0.album) }.map {
      Anniversary(album: $0.album, event: .heard, years: $0.years)
    }
  }

  /// Returns the albums of which nothing was played before a moment; `asked` is a JSON array of pairs of the number and
  /// the moment. The listens of an album are those of its tracks, of former numbers of these, and of removed tracks.
  private static func firstHeard(_ asked: String, _ transaction: ReadTransaction) throws -> [Int64] {
    let members = """
      FROM albums m INDEXED BY albums_by_merge
      """
    let earlier = """
      CROSS JOIN listens l INDEXED BY listens_of_track ON l.track = h.id AND l.started_at < (p.value ->> 1)
      WHERE m.merge_key = s.merge_key AND m.shelf = s.id AND l.outcome = 1
      """
    return try transaction.values(
      """
      SELECT s.id FROM json_each(?) p CROSS JOIN albums s ON s.id = (p.value ->> 0)
      WHERE NOT EXISTS (SELECT 1 \(members) CROSS JOIN listen_tracks h ON h.album = m.id \(earlier))
        AND NOT EXISTS (SELECT 1 \(members) CROSS JOIN tracks t INDEXED BY tracks_of_album ON t.album = m.id
          CROSS JOIN listen_tracks h ON h.number = t.id \(earlier))
        AND NOT EXISTS (SELECT 1 \(members) CROSS JOIN tracks t INDEXED BY tracks_of_album ON t.album = m.id
          CROSS JOIN heirs e ON e.kind = \(CatalogueID.Kind.track.sql) AND e.heir = t.id CROSS JOIN listen_tracks h ON h.number = e.number
          \(earlier))
      """, asked)
  }

  /// Returns how many tracks of each of these albums were played; an album of which none was has no entry.
  private static func heardTracks(of albums: [Int64], _ transaction: ReadTransaction) throws -> [Int64: Int] {
    let rows = try transaction.rows(
      """
      SELECT t.shelf, sum(t.played_at > 0) FROM json_each(?) p
      CROSS JOIN tracks t INDEXED BY tracks_of_shelf ON t.shelf = p.value GROUP BY t.shelf
      """, list(albums)
    ) { (album: try $0.value(0) as Int64, heard: try $0.value(1) as Int) }
    return Dictionary(rows.filter { $0.heard > 0 }.map { ($0.album, $0.heard) }) { first, _ in first }
  }

  /// The number of recent listens that show which artists are played.
  private static let recentListens = 2000
  /// The most artists that are returned.
  private static let mostArtists = 24

  /// Returns the artists of albums who were played most in the last days, those who were played most first.
  private static func artists(
    playedSince days: Int64, before now: Timestamp, _ transaction: ReadTransaction
  ) throws -> [PlayedArtist] {
    try transaction.rows(
      """
      WITH recent AS (SELECT track FROM listens INDEXED BY listens_by_time WHERE started_at >= ? AND outcome = 1
          ORDER BY started_at DESC LIMIT ?),
        heard AS (SELECT h.album AS album, count(*) AS plays FROM recent
          CROSS JOIN listen_tracks h ON h.id = recent.track GROUP BY h.album)
      SELECT r.id, r.name, sum(d.plays) FROM heard d \(Successors.join(.album, "d.album"))
      CROSS JOIN albums a ON a.id = ifnull(e.heir, d.album) CROSS JOIN artists r ON r.id = a.artist_id
      GROUP BY r.id ORDER BY 3 DESC, r.id LIMIT ?
      """, Timestamp(seconds: now.seconds - days * RediscoveryFacts.day), recentListens, mostArtists
    ) { PlayedArtist(number: try $0.value(0), name: try $0.value(1), plays: try $0.value(2)) }
    .filter { !VariousArtists.isMeant(by: $0.name) }
  }
}
