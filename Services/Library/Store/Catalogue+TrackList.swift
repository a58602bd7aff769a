import Messages
import Model
import Storage

/// Pages of tracks, and one track with its copies.
extension Catalogue {
  /// Orders of tracks beside that by title.
  static let trackOrders = Migration(
    "catalogue-3",
    "CREATE INDEX tracks_by_arrival ON tracks (added_at, id) WHERE shelf IS NOT NULL",
    "CREATE INDEX tracks_by_year ON tracks (year, id) WHERE shelf IS NOT NULL",
    "CREATE INDEX tracks_by_play ON tracks (played_at, id) WHERE shelf IS NOT NULL")

  private static let longestPage = 200
  private static let shownTracks = "FROM tracks t CROSS JOIN albums a ON a.id = t.shelf WHERE t.shelf IS NOT NULL"

  /// A page of tracks. By year is by the track's own, the unknown ones last.
  ///
  /// - Throws: `library.badCursor`.
  static func tracks(
    _ request: Library.ListTracks, randomSeed: Int64, _ transaction: ReadTransaction
  ) throws -> Library.Page<Track> {
    let limit = min(max(1, request.limit), longestPage)
    switch request.sort {
    case .name:
      let after = try Cursor(request.after, of: "tracks-name", count: 2)
      let rows = try transaction.rows(
        """
        SELECT \(trackColumns) \(shownTracks) AND (t.title_sort, t.id) > (?, ?) ORDER BY t.title_sort, t.id LIMIT ?
        """, after?.values[0] ?? "", try after?.number(1) ?? 0, limit + 1
      ) { try TrackRow($0) }
      return page(rows, limit) { Cursor("tracks-name", [$0.titleSort, $0.number]) }
    case .added: return try tracks(by: "t.added_at", request, limit, transaction)
    case .year: return try tracks(by: "t.year", request, limit, transaction)
    case .played: return try tracks(by: "t.played_at", request, limit, transaction)
    case .random: return try shuffledTracks(request, limit, randomSeed, transaction)
    }
  }

  private static func page(_ rows: [TrackRow], _ limit: Int, _ cursor: (TrackRow) -> Cursor) -> Library.Page<Track> {
    var budget = PageBudget(items: limit)
    let shown = rows.prefix { budget.admits($0.track.size) }
    let next = shown.count < rows.count ? shown.last.map { cursor($0).text } : nil
    return Library.Page(items: shown.map(\.track), next: next)
  }

  /// The largest value of a column first, those without one last.
  private static func tracks(
    by column: String, _ request: Library.ListTracks, _ limit: Int, _ transaction: ReadTransaction
  ) throws -> Library.Page<Track> {
    let list = "tracks-\(request.sort.rawValue)"
    let after = try Cursor(request.after, of: list, count: 2)
    // An empty text stands for no value: of those the ones before this number are still to come.
    let isAmongNone = after?.values[0].isEmpty ?? false
    typealias Found = (row: TrackRow, value: Int64?)
    let make = { (row: borrowing Row) throws -> Found in (try TrackRow(row), try row.value(trackColumnCount)) }
    var rows: [Found] = []
    if !isAmongNone {
      rows = try transaction.rows(
        """
        SELECT \(trackColumns), \(column) \(shownTracks) AND (\(column), t.id) < (?, ?)
        ORDER BY \(column) DESC, t.id DESC LIMIT ?
        """, try after?.number(0) ?? .max, try after?.number(1) ?? .max, limit + 1, as: make)
    }
    if rows.count <= limit {
      rows += try transaction.rows(
        """
        SELECT \(trackColumns), \(column) \(shownTracks) AND \(column) IS NULL AND t.id < ? ORDER BY t.id DESC LIMIT ?
        """, isAmongNone ? try after?.number(1) ?? .max : .max, limit + 1 - rows.count, as: make)
    }
    let values = Dictionary(rows.map { ($0.row.number, $0.value) }) { first, _ in first }
    return page(rows.map(\.row), limit) { row in
      Cursor(list, [(values[row.number] ?? nil).map(String.init) ?? "", row.number])
    }
  }

  /// In an order drawn from a seed, which travels in the cursor. Tracks that come later than the first page may be
  /// left out.
  private static func shuffledTracks(
    _ request: Library.ListTracks, _ limit: Int, _ randomSeed: Int64, _ transaction: ReadTransaction
  ) throws -> Library.Page<Track> {
    let after = try Cursor(request.after, of: "tracks-random", count: 3)
    let seed = try after?.number(0) ?? request.seed ?? randomSeed
    let largest = try transaction.row("SELECT max(id) FROM tracks") { try $0.value(0) as Int64? } ?? nil
    let order =
      if let after {
        RandomOrder(seed: seed, bits: Int(clamping: try after.number(1)))
      } else {
        RandomOrder(seed: seed, largest: largest ?? 0)
      }
    var budget = PageBudget(items: limit)
    var listed: [Track] = []
    var place = max(0, try after?.number(2) ?? 0)
    while place < order.count {
      let number = order.number(at: place)
      let row =
        try number > largest ?? 0
        ? nil
        : transaction.row("SELECT \(trackColumns) \(shownTracks) AND t.id = ?", number, as: { try TrackRow($0) })
      if let row {
        guard budget.admits(row.track.size) else {
          return Library.Page(items: listed, next: Cursor("tracks-random", [seed, order.bits, place]).text)
        }
        listed.append(row.track)
      }
      place += 1
    }
    return Library.Page(items: listed, next: nil)
  }

  /// A track and the places it can be had from, best first.
  ///
  /// - Throws: `library.unknownID`.
  static func track(_ request: Library.ReadTrack, _ transaction: ReadTransaction) throws -> Library.TrackDetail {
    let number = try shownTrack(request.id, transaction)
    let track = try transaction.row("SELECT \(trackColumns) \(shownTracks) AND t.id = ?", number) {
      try TrackRow($0).track
    }
    guard let track else { throw CatalogueID.unknown(request.id) }
    let copies = try copies(of: request.id, transaction).map {
      Library.TrackDetail.Copy(id: $0.id, format: $0.format, isLossless: $0.isLossless)
    }
    return Library.TrackDetail(track: track, copies: copies)
  }
}
