import Messages
import Model
import Storage

extension History {
  private static let mostRows = 500

  /// How often things were heard, the most heard first; days in order.
  ///
  /// - Throws: `library.unknownID`.
  static func counts(_ request: Library.CountPlays, _ transaction: ReadTransaction) throws -> Library.PlayCounts {
    let scope = try PlayScope(request.filter, transaction)
    let filter = request.filter
    let limit = min(max(1, request.limit), mostRows)
    let rows = try transaction.rows(
      statement(request, scope), scope.number, filter.room, filter.since?.microseconds ?? .min,
      filter.until?.microseconds ?? .max, limit
    ) { row in
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

  /// `?1` is the scope's number, `?2` the room, `?3` and `?4` the time, `?5` the limit.
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
    let found = { (key: String, title: String) in
      """
      WITH heard AS (\(grouped("l.track AS track")))
      SELECT \(key) AS what, \(title), sum(plays) AS plays, sum(skips), max(last) AS last
      FROM heard JOIN listen_tracks h ON h.id = heard.track
      LEFT JOIN heirs e ON e.kind = 3 AND e.number = h.number
      LEFT JOIN tracks c ON c.id = ifnull(e.heir, h.number) LEFT JOIN tracks t ON t.id = c.shown
      LEFT JOIN albums a ON a.id = t.shelf LEFT JOIN artists r ON r.id = a.artist_id
      GROUP BY what ORDER BY plays DESC, last DESC, what LIMIT ?5
      """
    }
    return switch request.by {
    case .track: found("ifnull(t.source || ':t' || t.id, h.track)", "ifnull(t.title, h.body ->> 'title')")
    case .album:
      found("ifnull(a.source || ':a' || a.id, h.body ->> 'albumID')", "ifnull(a.title, h.body ->> 'album')")
    case .artist:
      found("ifnull(r.source || ':r' || r.id, h.body ->> 'albumArtist')", "ifnull(r.name, h.body ->> 'albumArtist')")
    // The newest days where there are too many, and those in order.
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
