import Catalogue
import Messages
import Model
import Storage

extension Library.Mark: SizedItem {
  var size: Int {
    260 + PageBudget.size([text, on.title, on.artist, on.id.description, quality ?? ""])
      + duplicates.reduce(0) { $0 + 90 + PageBudget.size([$1.id.description, $1.title] + $1.formats) }
  }
}

/// Reading marks for deletion, with what helps to decide.
extension Catalogue {
  private static let mostDuplicates = 10

  static func unknownMark(_ mark: Int64) -> LunaraError {
    LunaraError("library.unknownMark", "There is no mark \(mark). `lunara marks` lists them.")
  }

  private static let markColumns = "m.id, m.reason, m.marked_at, m.state, s.shown, \(GardenSubjects.columns)"

  private static func mark(_ row: borrowing Row, _ transaction: ReadTransaction) throws -> Library.Mark {
    let mark = Library.Mark(
      mark: try row.value(0), on: try GardenSubjects.read(row, from: 5), text: try row.value(1),
      at: try row.value(2), state: Library.MarkState(rawValue: try row.value(3)) ?? .unknown)
    let number: Int64? = try row.value(4)
    return try number.map { try described(mark, $0, transaction) } ?? mark
  }

  /// Returns a mark. Throws `library.unknownMark`.
  static func mark(_ number: Int64, _ transaction: ReadTransaction) throws -> Library.Mark {
    let found = try transaction.row(
      """
      SELECT \(markColumns) FROM garden_marks m JOIN subjects s ON s.id = m.subject WHERE m.id = ?
      """, number
    ) { try mark($0, transaction) }
    guard let found else { throw unknownMark(number) }
    return found
  }

  /// Returns a page of marks, the latest first; one for each thing. Throws `library.badCursor`.
  static func marks(_ request: Library.ListMarks, _ transaction: ReadTransaction) throws -> Library.MarkPage {
    let order = ListOrder("marks", .number("m.marked_at"), .number("m.id"), isDescending: true)
    let state = request.state.map { $0.rawValue }
    let page = try transaction.page(
      order, after: request.after, PageBudget(items: limit(request.limit)), markColumns,
      """
      FROM garden_marks m JOIN subjects s ON s.id = m.subject
      WHERE (m.state = ? OR (? IS NULL AND m.state <> 'kept'))
        AND NOT EXISTS (SELECT 1 FROM garden_marks x JOIN subjects o ON o.id = x.subject
          WHERE x.id < m.id AND o.kind = s.kind AND o.shown = s.shown
            AND (x.state = ? OR (? IS NULL AND x.state <> 'kept')))
      """, [state, state, state, state]
    ) { try mark($0, transaction) }
    return Library.MarkPage(items: page.items, next: page.next)
  }

  /// The SQL for the rows `t` of tracks of a thing, with all copies; `?1` is its number.
  static func tracks(of kind: Library.GardenKind) -> String {
    switch kind {
    case .track: "tracks t WHERE (t.id = ?1 OR (t.shown = ?1 AND t.shown <> t.id))"
    case .artist:
      """
      tracks t WHERE t.album IN (SELECT a.id FROM albums s JOIN albums a ON a.shelf = s.id
        WHERE s.artist_id = ?1 AND s.shelf = s.id)
      """
    default: "tracks t WHERE t.album IN (SELECT id FROM albums WHERE shelf = ?1)"
    }
  }

  /// Returns a mark with the size, plays, quality and duplicates of its thing.
  private static func described(
    _ mark: Library.Mark, _ number: Int64, _ transaction: ReadTransaction
  ) throws -> Library.Mark {
    var mark = mark
    let tracks = tracks(of: mark.on.kind)
    mark.tracks =
      try transaction.value(
        "SELECT count(DISTINCT t.shown) FROM \(tracks)", number) ?? 0
    mark.bytes = try transaction.value(
      """
      SELECT sum(size) FROM (SELECT DISTINCT f.folder, f.name, f.size FROM files f
        WHERE f.track IN (SELECT t.id FROM \(tracks)))
      """, number)
    let formats = try formats(tracks, number, transaction)
    mark.quality = formats.words
    let scope = try PlayScope(filter(of: mark.on), transaction)
    if let heard = scope.tracks {
      let plays = try transaction.row(
        """
        SELECT count(*), max(started_at) FROM listens WHERE outcome = \(ListenOutcome.counted.rawValue)
          AND track IN (\(heard))
        """, scope.number
      ) { (count: try $0.value(0) as Int, last: try $0.value(1) as Timestamp?) }
      mark.plays = plays?.count ?? 0
      mark.lastHeard = plays?.last
    }
    if mark.on.kind == .album { mark.duplicates = try duplicates(of: number, transaction) }
    return mark
  }

  private static func filter(of on: Library.GardenSubject) -> Library.PlayFilter {
    switch on.kind {
    case .track: Library.PlayFilter(track: TrackID(source: on.id.source, native: on.id.native))
    case .artist: Library.PlayFilter(artist: ArtistID(source: on.id.source, native: on.id.native))
    default: Library.PlayFilter(album: AlbumID(source: on.id.source, native: on.id.native))
    }
  }

  private struct Formats {
    var names: [String] = []
    var isLossless = false
    var isLossy = false

    var words: String? {
      guard !names.isEmpty || isLossless || isLossy else { return nil }
      let kind = isLossless ? (isLossy ? "lossless and lossy" : "lossless") : "lossy"
      return names.isEmpty ? kind : "\(names.joined(separator: ", ")), \(kind)"
    }
  }

  private static func formats(
    _ tracks: String, _ number: Int64, _ transaction: ReadTransaction
  ) throws -> Formats {
    var formats = Formats()
    _ = try transaction.rows(
      "SELECT DISTINCT ifnull(t.codec, t.format), t.is_lossless FROM \(tracks) ORDER BY 1", number
    ) { row in
      if let name: String = try row.value(0), !formats.names.contains(name) { formats.names.append(name) }
      if try row.value(1) { formats.isLossless = true } else { formats.isLossy = true }
    }
    return formats
  }

  /// Returns the rows of which an album consists, if they are several, and other albums of the same names.
  private static func duplicates(
    of album: Int64, _ transaction: ReadTransaction
  ) throws -> [Library.Mark.Duplicate] {
    let rows = try transaction.rows(
      """
      SELECT o.id, o.source || ':a' || o.id, o.title, o.shelf = ?1 FROM albums s JOIN albums o ON o.shelf = ?1
        OR (o.name_key = s.name_key AND o.name_key <> '' AND o.shelf = o.id)
      WHERE s.id = ?1 ORDER BY o.shelf <> ?1, o.id LIMIT \(mostDuplicates + 1)
      """, album
    ) { row in
      (
        number: try row.value(0) as Int64, id: try row.value(1) as AlbumID, title: try row.value(2) as String,
        isPart: try row.value(3) as Bool
      )
    }
    let isMerged = rows.count(where: \.isPart) > 1
    return try rows.filter { isMerged || !$0.isPart }.prefix(mostDuplicates).map { row in
      let tracks = row.isPart ? "tracks t WHERE t.album = ?1" : self.tracks(of: .album)
      let formats = try formats(tracks, row.number, transaction)
      return Library.Mark.Duplicate(
        id: row.id, title: row.title, formats: formats.names, isLossless: formats.isLossless && !formats.isLossy)
    }
  }
}
