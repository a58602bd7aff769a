import Messages
import Model
import Records
import Storage

/// Finds duplicates: listens of the same track at the same time that two sources report.
///
/// Times match within ten seconds, because players report the start to each service separately. Some exports have whole
/// minutes only: a time without seconds matches any time of its minute.
struct ListenDoubles {
  /// A played track.
  struct Subject {
    /// The row of `listen_tracks`.
    var row: Int64
    /// The number of the track that is shown for it; nil for none.
    var shown: Int64?
    var track: Track
  }

  private static let tolerance: Int64 = 10
  private static let minute: Int64 = 60

  private let transaction: ReadTransaction

  init(_ transaction: ReadTransaction) { self.transaction = transaction }

  static func isSame(_ one: Timestamp, _ other: Timestamp) -> Bool {
    let (left, right) = (one.seconds, other.seconds)
    if abs(left - right) <= tolerance { return true }
    return left / minute == right / minute && (left % minute == 0 || right % minute == 0)
  }

  /// Returns the number of the history's listen of this track at this time; nil if there is none. Skipped tracks do not
  /// count.
  ///
  /// - Parameter areOnlyImported: true to look only among the listens of imports.
  func find(at time: Timestamp, _ subject: Subject, areOnlyImported: Bool = false) throws -> Int64? {
    let found = try transaction.rows(
      """
      SELECT l.id, l.started_at, l.track, c.shown, h.body FROM listens l INDEXED BY listens_by_time
      CROSS JOIN listen_tracks h ON h.id = l.track \(Successors.join(.track, "h.number"))
      LEFT JOIN tracks c ON c.id = ifnull(e.heir, h.number)
      WHERE l.started_at > ?1 AND l.started_at < ?2 AND l.outcome <> 2\(areOnlyImported ? " AND l.imported_by > 0" : "")
      """, Timestamp(seconds: time.seconds - Self.minute), Timestamp(seconds: time.seconds + Self.minute)
    ) { row in
      (
        id: try row.value(0) as Int64, time: try row.value(1) as Timestamp, track: try row.value(2) as Int64,
        shown: try row.value(3) as Int64?, body: try row.value(4) as String
      )
    }.filter { Self.isSame($0.time, time) }
    if let same = found.first(where: { $0.track == subject.row || ($0.shown != nil && $0.shown == subject.shown) }) {
      return same.id
    }
    guard !found.isEmpty else { return nil }
    let names = Names(subject.track)
    return try found.first { try names.isSame(as: Names(MessageCoding.decode(Track.self, from: $0.body.utf8))) }?.id
  }

  private struct Names {
    var title: String
    var artists: Set<String>

    init(_ track: Track) {
      title = TrackNames.plainTitle(track.title)
      artists = TrackNames.artists(track.artist)
    }

    func isSame(as other: Names) -> Bool { title == other.title && !artists.isDisjoint(with: other.artists) }
  }
}
