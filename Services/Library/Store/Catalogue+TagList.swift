import Messages
import Model
import Storage
import Text

extension Catalogue {
  private static let longestPage = 200

  /// A page of the words that describe albums, each with how many albums have it; of several spellings the first.
  ///
  /// - Throws: `library.badCursor`.
  static func tags(_ request: Library.ListTags, _ transaction: ReadTransaction) throws
    -> Library.Page<Library.TagCount>
  {
    let limit = min(max(1, request.limit), longestPage)
    return request.of == .year ? try years(request, limit, transaction) : try words(request, limit, transaction)
  }

  private static func years(_ request: Library.ListTags, _ limit: Int, _ transaction: ReadTransaction) throws
    -> Library.Page<Library.TagCount>
  {
    let after = try Cursor(request.after, of: "tags-year", count: 1)
    let rows = try transaction.rows(
      """
      SELECT year_order, count(*) FROM albums WHERE shelf = id AND year_order <> 0 AND year_order > ?
      GROUP BY year_order ORDER BY year_order LIMIT ?
      """, try after?.number(0) ?? .min, limit + 1
    ) { (year: -(try $0.value(0) as Int64), albums: try $0.value(1) as Int) }
    let shown = rows.prefix(limit)
    let next = shown.count < rows.count ? shown.last.map { Cursor("tags-year", [-$0.year]).text } : nil
    return Library.Page(items: shown.map { .init(name: "\($0.year)", albums: $0.albums) }, next: next)
  }

  private static func words(_ request: Library.ListTags, _ limit: Int, _ transaction: ReadTransaction) throws
    -> Library.Page<Library.TagCount>
  {
    let list = "tags-\(request.of.rawValue)"
    let after = try Cursor(request.after, of: list, count: 1)
    // The name is that of the row with the smallest album (sqlite.org/lang_select.html#bareagg).
    let rows = try transaction.rows(
      """
      SELECT g.folded, g.name, count(DISTINCT m.shelf), min(g.album) FROM album_tags g CROSS JOIN albums m
        ON m.id = g.album
      WHERE g.kind = ? AND g.folded > ? GROUP BY g.folded ORDER BY g.folded LIMIT ?
      """, AlbumTags.kind(.init(kind: request.of, name: "")), after?.values[0] ?? "", limit + 1
    ) { row in
      (folded: try row.value(0) as String, tag: Library.TagCount(name: try row.value(1), albums: try row.value(2)))
    }
    var budget = PageBudget(items: limit)
    let shown = rows.prefix { budget.admits(PageBudget.size($0.tag.name) + 40) }
    let next = shown.count < rows.count ? shown.last.map { Cursor(list, [$0.folded]).text } : nil
    return Library.Page(items: shown.map(\.tag), next: next)
  }
}
