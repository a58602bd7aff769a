import Messages
import Model
import Storage

/// Reads the history in pages, the newest listens first.
enum ScrobbleList {
  static let countLimit = 200
  /// The largest size of a page, in bytes of JSON, so that it fits in one message.
  static let sizeLimit = 150 * 1024

  /// Returns a page of the listens that counted. Throws `scrobble.badCursor` for an invalid cursor.
  static func page(
    _ request: Scrobble.ListScrobbles, in transaction: ReadTransaction
  ) throws -> Library.Page<Scrobble.Entry> {
    let limit = max(1, min(request.limit, countLimit))
    let place = try request.after.map(Place.init(cursor:)) ?? .newest
    let rows = try transaction.rows(
      """
      SELECT id, listen, room, item, started_at, heard, withheld FROM scrobbles
      WHERE (started_at, id) < (?, ?) \(condition(of: request.filter))
      ORDER BY started_at DESC, id DESC LIMIT ?
      """, place.startedAt, place.id, limit + 1
    ) { row in
      let entry = Scrobble.Entry(
        listen: try row.value(1), room: try row.value(2),
        track: QueueItem.stored(try row.value(3))?.track ?? unreadable,
        startedAt: try row.value(4), heard: try row.value(5), destinations: [], withheld: try row.value(6))
      return (id: try row.value(0) as Int64, entry: entry)
    }
    var items: [Scrobble.Entry] = []
    var size = 0
    for row in rows.prefix(limit) {
      var entry = row.entry
      entry.destinations = try destinations(of: row.id, in: transaction)
      size += try MessageCoding.encode(entry).count + 1
      if size > sizeLimit, !items.isEmpty { break }
      items.append(entry)
    }
    let last = rows.prefix(items.count).last.map { Place(startedAt: $0.entry.startedAt, id: $0.id) }
    let next = items.count < rows.count ? last?.cursor : nil
    return Library.Page(items: items, next: next)
  }

  /// The track without a name that is shown for a track that this version cannot read.
  private static let unreadable = Track(
    id: TrackID(source: "unknown", native: "-"), albumID: AlbumID(source: "unknown", native: "-"), title: "",
    artist: "", albumArtist: "", album: "", duration: .zero)

  private static func condition(of filter: Scrobble.ListScrobbles.Filter) -> String {
    switch filter {
    case .all: ""
    case .pending: "AND id IN (SELECT scrobble FROM deliveries WHERE state IN ('due', 'sending') AND state <> 'sent')"
    case .failed: "AND id IN (SELECT scrobble FROM deliveries WHERE state = 'parked' AND state <> 'sent')"
    }
  }

  private static func destinations(of scrobble: Int64, in transaction: ReadTransaction) throws -> [Scrobble.Destination]
  {
    try transaction.rows(
      """
      SELECT accounts.service, accounts.name, deliveries.state, deliveries.attempts, deliveries.answer,
        accounts.pause IS NOT NULL OR NOT accounts.is_on
      FROM deliveries JOIN accounts ON accounts.id = deliveries.account
      WHERE deliveries.scrobble = ? ORDER BY accounts.service, accounts.name
      """, scrobble
    ) {
      let state: String = try $0.value(2)
      return Scrobble.Destination(
        service: try $0.value(0), account: try $0.value(1), state: shown(state, isHeld: try $0.value(5)),
        attempts: try $0.value(3), answer: try $0.value(4))
    }
  }

  /// Returns the state that is shown: a delivery that is being sent is shown as pending.
  private static func shown(_ state: String, isHeld: Bool) -> String {
    switch state {
    case "sent": "sent"
    case "parked": "failed"
    default: isHeld ? "paused" : "pending"
    }
  }
}

/// A place in the list, after which older listens follow. Of listens with the same start, the one that counted later is
/// newer.
private struct Place {
  var startedAt: Timestamp
  var id: Int64

  static let newest = Place(startedAt: Timestamp(microseconds: .max), id: .max)

  init(startedAt: Timestamp, id: Int64) {
    self.startedAt = startedAt
    self.id = id
  }

  var cursor: String { "\(startedAt.microseconds).\(id)" }

  init(cursor: String) throws {
    let parts = cursor.split(separator: ".", omittingEmptySubsequences: false).map { Int64($0) }
    guard parts.count == 2, let time = parts[0], let id = parts[1] else {
      throw LunaraError(
        "scrobble.badCursor", "\(cursor) is no cursor of the list of scrobbles. Start without a cursor.")
    }
    self.init(startedAt: Timestamp(microseconds: time), id: id)
  }
}
