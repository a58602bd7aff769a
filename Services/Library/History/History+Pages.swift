import Messages
import Model
import Storage

extension History {
  private static let longestPage = 200

  /// A page of listens, newest first.
  ///
  /// - Throws: `library.unknownID`, `library.badCursor`.
  static func plays(_ request: Library.ListPlays, _ transaction: ReadTransaction) throws -> Library.Page<Library.Play> {
    let filter = request.filter
    let scope = try PlayScope(filter, transaction)
    let after = try Cursor(request.after, of: "plays", count: 2)
    let limit = min(max(1, request.limit), longestPage)
    // Each way begins at an index that gives the fewest rows; a track is heard some hundred times at most.
    let from =
      if let tracks = scope.tracks {
        "(\(tracks)) f CROSS JOIN listens l INDEXED BY listens_of_track ON l.track = f.id"
      } else if filter.room != nil {
        "listens l INDEXED BY listens_of_room"
      } else {
        "listens l INDEXED BY listens_by_time"
      }
    let rows = try transaction.rows(
      """
      SELECT l.listen, h.body, l.room, l.started_at, l.heard, l.outcome, l.id FROM \(from)
      CROSS JOIN listen_tracks h ON h.id = l.track
      WHERE \(filter.room == nil ? "" : "l.room = ?2 AND ")l.started_at >= ?3 AND l.started_at < ?4 AND (l.started_at, l.id) < (?5, ?6)
      ORDER BY l.started_at DESC, l.id DESC LIMIT ?7
      """, scope.number, filter.room, filter.since?.microseconds ?? .min, filter.until?.microseconds ?? .max,
      try after?.number(0) ?? .max, try after?.number(1) ?? .max, limit + 1
    ) { (play: try play($0), id: try $0.value(6) as Int64) }
    var budget = PageBudget(items: limit)
    let shown = rows.prefix { budget.admits($0.play.track.size + 260) }
    let next = shown.count < rows.count ? shown.last : nil
    return Library.Page(
      items: shown.map(\.play), next: next.map { Cursor("plays", [$0.play.startedAt.microseconds, $0.id]).text })
  }

  private static func play(_ row: borrowing Row) throws -> Library.Play {
    let outcome = ListenOutcome(rawValue: try row.value(5))
    return Library.Play(
      listen: try row.value(0),
      track: try MessageCoding.decode(Track.self, from: (try row.value(1) as String).utf8), room: try row.value(2),
      startedAt: try row.value(3), heard: try row.value(4), counted: outcome == .counted, skipped: outcome == .skipped)
  }
}
