import Messages
import Model
import Storage
import Text

/// Reads what was heard most, and last, of the listens that may be named to others.
enum ListeningContextQueries {
  /// The periods in days; nil for ever.
  private static let periods: [Int?] = [7, 30, 183, nil]
  private static let (artistLimit, trackLimit, albumLimit, recentLimit) = (10, 15, 10, 50)

  static func read(at now: Timestamp, _ transaction: ReadTransaction) throws -> Library.ListeningContext {
    // Nothing is named twice: what a shorter period has is left out of the longer ones.
    var (artists, tracks, albums) = (Set<String>(), Set<[String]>(), Set<[String]>())
    let found = try periods.map { days in
      let since = days.map { now.microseconds - Int64($0) * 86_400_000_000 } ?? Int64.min
      // Enough rows that those which were named before can be left out.
      func rows(_ title: String, _ artist: String, _ limit: Int) throws -> [Library.ListeningContext.Title] {
        try transaction.rows(statement(title, artist), since, limit * periods.count) { row in
          .init(title: try row.value(0), artist: try row.value(1))
        }
      }
      return Library.ListeningContext.Period(
        days: days,
        artists: Array(
          try rows("''", "h.body ->> 'artist'", artistLimit).map(\.artist)
            .filter { !$0.isEmpty && !artists.contains($0.folded) }.prefix(artistLimit)
        ).filter { artists.insert($0.folded).inserted },
        tracks: Array(
          try rows("h.body ->> 'title'", "h.body ->> 'artist'", trackLimit)
            .filter { !$0.title.isEmpty && !tracks.contains($0.key) }.prefix(trackLimit)
        ).filter { tracks.insert($0.key).inserted },
        albums: Array(
          try rows("h.body ->> 'album'", "h.body ->> 'albumArtist'", albumLimit)
            .filter { !$0.title.isEmpty && !albums.contains($0.key) }.prefix(albumLimit)
        ).filter { albums.insert($0.key).inserted })
    }
    let recent = try transaction.rows(
      """
      SELECT h.body ->> 'title', h.body ->> 'artist' FROM listens l INDEXED BY listens_by_time
      JOIN listen_tracks h ON h.id = l.track WHERE l.is_shareable = 1 ORDER BY l.started_at DESC LIMIT ?
      """, recentLimit
    ) { row in Library.ListeningContext.Title(title: try row.value(0), artist: try row.value(1)) }
    return .init(periods: found, recent: recent)
  }

  /// Returns the query of the most heard titles and artists: `?1` is the earliest start, `?2` the limit.
  private static func statement(_ title: String, _ artist: String) -> String {
    """
    WITH heard AS (SELECT track, count(*) AS plays, max(started_at) AS last FROM listens INDEXED BY listens_by_time
      WHERE started_at >= ?1 AND is_shareable = 1 GROUP BY track)
    SELECT \(title), \(artist), sum(plays), max(last) FROM heard JOIN listen_tracks h ON h.id = heard.track
    GROUP BY 1, 2 ORDER BY 3 DESC, 4 DESC, 1, 2 LIMIT ?2
    """
  }
}

extension Library.ListeningContext.Title {
  /// The form by which titles are compared.
  fileprivate var key: [String] { [title.folded, artist.folded] }
}
