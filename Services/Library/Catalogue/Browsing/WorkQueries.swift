package import Messages
package import Model
package import Records
package import Storage
import Text

/// Rows of musical works.
package enum WorkRow {
  /// The first part of the ids of works, which belong to no source.
  static let source = "library"

  /// Returns the number of a work's id; nil if it has another form.
  package static func number<Kind>(_ id: ItemID<Kind>) -> Int64? {
    id.source == source && id.native.first == "w" ? Int64(id.native.dropFirst()) : nil
  }

  /// Returns the numbers of the works with a title or an id; works of several composers may have one title.
  static func numbers(of text: String, _ transaction: ReadTransaction) throws -> [Int64] {
    if let number = WorkID(text).flatMap(number) { return [number] }
    return try transaction.values("SELECT id FROM works WHERE sort = ? LIMIT 100", SortKey.of(text.trimmed))
  }
}

/// Pages of musical works, and one work with its recordings.
extension Catalogue {
  private static let workColumns = """
    w.id, w.title, (SELECT count(*) FROM track_works c CROSS JOIN tracks s ON s.id = c.track
      WHERE c.work = w.id AND s.shelf IS NOT NULL),
    (SELECT name FROM artists WHERE id = w.composer),
    (SELECT source || ':r' || id FROM artists WHERE id = w.composer)
    """

  private static func work(_ row: borrowing Row) throws -> Library.WorkEntry {
    let id: ArtistID? = try row.value(4)
    return Library.WorkEntry(
      id: WorkID(source: WorkRow.source, native: "w\(try row.value(0) as Int64)"), title: try row.value(1),
      composer: (try row.value(3) as String?).map { ArtistName(name: $0, id: id) }, trackCount: try row.value(2))
  }

  /// Returns a page of works by title. Throws `library.unknownID`, `library.badCursor`.
  static func works(
    _ request: Library.ListWorks, _ transaction: ReadTransaction
  ) throws -> Library.Page<Library.WorkEntry> {
    let composer = try request.composer.map { try number(of: .artist, $0, transaction) }
    return try transaction.page(
      ListOrder(composer == nil ? "works" : "works-composer", .text("w.sort"), .number("w.id")), after: request.after,
      startingAt: request.startingAt.map(SortKey.of), PageBudget(items: limit(request.limit)), workColumns,
      "FROM works w WHERE \(composer == nil ? "TRUE" : "w.composer = ?")", composer.map { [$0] } ?? [], as: work)
  }

  /// Returns a work with a page of its tracks. Throws `library.unknownID`, `library.badCursor`.
  static func work(_ request: Library.ReadWork, _ transaction: ReadTransaction) throws -> Library.WorkPage {
    guard let number = WorkRow.number(request.id),
      let found = try transaction.row("SELECT \(workColumns) FROM works w WHERE w.id = ?", number, as: work)
    else { throw CatalogueID.unknown(request.id) }
    let page = try transaction.page(
      tracksOfWork, after: request.after, PageBudget(items: longestPage, reserved: found.size), trackColumns,
      """
      FROM track_works c CROSS JOIN tracks t ON t.id = c.track CROSS JOIN albums a ON a.id = t.shelf
      WHERE c.work = ? AND t.shelf IS NOT NULL
      """, [number], as: track)
    return Library.WorkPage(work: found, tracks: page.items, next: page.next)
  }

  /// The order of the tracks of a work: one recording after the other, oldest first.
  private static let tracksOfWork = ListOrder(
    "work", .number("ifnull(a.year, 1000000)"), .text("a.title_sort"), .number("a.id"), .number("t.disc"),
    .number("ifnull(t.number, 1000000)"), .text("t.title_sort"), .number("t.id"))

  /// Returns the tracks of a work from a position in their order on, for playing.
  package static func items(
    ofWork number: Int64, from position: Int64, limit: Int, _ transaction: ReadTransaction
  ) throws -> [(position: Int64, item: CatalogueID)] {
    try transaction.rows(
      """
      SELECT t.id FROM track_works c CROSS JOIN tracks t ON t.id = c.track CROSS JOIN albums a ON a.id = t.shelf
      WHERE c.work = ? AND t.shelf IS NOT NULL \(tracksOfWork.clause) LIMIT ? OFFSET ?
      """, number, limit, max(0, position)
    ) { CatalogueID(.track, try $0.value(0)) }
    .enumerated().map { (max(0, position) + Int64($0.offset), $0.element) }
  }
}

extension Library.WorkEntry: SizedItem {
  package var size: Int { 140 + PageBudget.size(title) + PageBudget.size(composer?.name) }
}
