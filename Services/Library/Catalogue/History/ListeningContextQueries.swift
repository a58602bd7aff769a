import Messages
import Model
import Storage
import Text

/// Reads what was played most, and last, of the listens that may be named to others. All listens are read once, in one
/// pass, and only sums are kept, as for statistics.
enum ListeningContextQueries {
  /// The periods in days, each a part of the next one; nil for ever.
  private static let periods: [Int?] = [7, 30, 183, nil]
  private static let artistLimit = 10
  private static let trackLimit = 15
  private static let albumLimit = 10
  private static let recentLimit = 50

  static func read(at now: Timestamp, _ transaction: ReadTransaction) throws -> Library.ListeningContext {
    let starts = periods.map { days in days.map { now.microseconds - Int64($0) * 86_400_000_000 } ?? Int64.min }
    let heard = try HeardTitles(since: starts, transaction)
    // Nothing is named twice: what a shorter period has is left out of the longer ones.
    var (artists, tracks, albums) = (Set<String>(), Set<[String]>(), Set<[String]>())
    let found = periods.enumerated().map { period, days in
      // Enough titles that those which were named before can be left out.
      func most(_ titles: HeardTitles.Sums, _ limit: Int) -> [Library.ListeningContext.Title] {
        HeardTitles.most(of: titles, in: period, limit * periods.count)
      }
      return Library.ListeningContext.Period(
        days: days,
        artists: Array(
          most(heard.artists, artistLimit).map(\.artist)
            .filter { !$0.isEmpty && !artists.contains($0.folded) }.prefix(artistLimit)
        ).filter { artists.insert($0.folded).inserted },
        tracks: Array(
          most(heard.tracks, trackLimit)
            .filter { !$0.title.isEmpty && !tracks.contains($0.key) }.prefix(trackLimit)
        ).filter { tracks.insert($0.key).inserted },
        albums: Array(
          most(heard.albums, albumLimit)
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
}

/// The titles and artists of the listens that may be named, with their plays in some periods.
private struct HeardTitles {
  typealias Title = Library.ListeningContext.Title
  typealias Sums = [Title: Plays]

  /// The plays in up to four periods, and the time of the last one. As each period is a part of the next one, the last
  /// play is in each that has any.
  struct Plays {
    private(set) var counts = SIMD4<Int32>()
    private(set) var last = Int64.min

    /// Adds a play that began at a time, for the periods that had begun by then.
    mutating func add(_ time: Int64, _ starts: [Int64]) {
      for (period, start) in starts.enumerated() where time >= start { counts[period] &+= 1 }
      last = max(last, time)
    }

    mutating func add(_ other: Plays) {
      counts &+= other.counts
      last = max(last, other.last)
    }
  }

  /// The artists, without titles.
  private(set) var artists: Sums = [:]
  private(set) var tracks: Sums = [:]
  private(set) var albums: Sums = [:]

  /// - Parameter starts: the microseconds at which the periods began, the latest first.
  init(since starts: [Int64], _ transaction: ReadTransaction) throws {
    var plays: [Int64: Plays] = [:]
    _ = try transaction.rows("SELECT track, started_at FROM listens NOT INDEXED WHERE is_shareable = 1") { row in
      let (track, time): (Int64, Int64) = (try row.value(0), try row.value(1))
      plays[track, default: Plays()].add(time, starts)
    }
    _ = try transaction.rows(
      """
      SELECT id, body ->> 'title', body ->> 'artist', body ->> 'album', body ->> 'albumArtist' FROM listen_tracks
      """
    ) { row in
      let number: Int64 = try row.value(0)
      guard let heard = plays[number] else { return }
      let artist: String = try row.value(2)
      artists[Title(title: "", artist: artist), default: Plays()].add(heard)
      tracks[Title(title: try row.value(1), artist: artist), default: Plays()].add(heard)
      albums[Title(title: try row.value(3), artist: try row.value(4)), default: Plays()].add(heard)
    }
  }

  /// Returns the titles that were played most in a period, of as many plays those that were played last first.
  static func most(of titles: Sums, in period: Int, _ limit: Int) -> [Title] {
    let heard = titles.filter { $0.value.counts[period] > 0 }
    let sorted = heard.sorted { one, other in
      let (plays, others) = (one.value.counts[period], other.value.counts[period])
      if plays != others { return plays > others }
      if one.value.last != other.value.last { return one.value.last > other.value.last }
      return (one.key.title, one.key.artist) < (other.key.title, other.key.artist)
    }
    return sorted.prefix(limit).map(\.key)
  }
}

extension Library.ListeningContext.Title {
  /// The form by which titles are compared.
  fileprivate var key: [String] { [title.folded, artist.folded] }
}
