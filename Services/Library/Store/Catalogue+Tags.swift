import Messages
import Model
import Storage
import Text

/// The genres, moods and styles of albums, as each source has them for its own albums.
enum AlbumTags {
  /// The kinds of tags, as the column `kind` has them. Years are a column of albums.
  enum Kind: Int, SQLBindable, CaseIterable {
    case genre = 0
    case mood, style
  }

  /// The first value of the column `place` for tags that only tracks have: they stand behind those of the album.
  private static let firstOfTracks = 1000

  /// Replaces the tags of one kind of an album, in this order; of several spellings the first counts.
  ///
  /// - Parameter isOfTracks: true to replace the tags that only tracks have.
  static func write(
    _ names: [String], _ kind: Kind, of album: Int64, isOfTracks: Bool = false, _ transaction: Transaction
  ) throws {
    let range = isOfTracks ? firstOfTracks...Int.max : 0...firstOfTracks - 1
    let before = try transaction.rows(
      "SELECT name FROM album_tags WHERE album = ? AND kind = ? AND place BETWEEN ? AND ? ORDER BY place", album, kind,
      range.lowerBound, range.upperBound
    ) { try $0.value(0) as String }
    var folded: Set<String> = []
    let names = names.filter { !$0.isEmpty && folded.insert($0.trimmed.folded).inserted }
    guard before != names else { return }
    try transaction.execute(
      "DELETE FROM album_tags WHERE album = ? AND kind = ? AND place BETWEEN ? AND ?", album, kind, range.lowerBound,
      range.upperBound)
    for (place, name) in names.enumerated() {
      let isOwn = isOfTracks ? "DO NOTHING" : "DO UPDATE SET name = excluded.name, place = excluded.place"
      try transaction.execute(
        """
        INSERT INTO album_tags (album, kind, folded, name, place) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (album, kind, folded) \(isOwn)
        """, album, kind, name.trimmed.folded, name, range.lowerBound + min(place, firstOfTracks - 1))
    }
  }

  /// The most tags of a kind that are returned for one album.
  private static let most = 24

  /// Returns the tags of an album as it is shown: its own first, then those of the albums that it was merged from.
  static func read(_ kind: Kind, of album: Int64, _ transaction: ReadTransaction) throws -> [String] {
    var folded: Set<String> = []
    return try transaction.rows(
      """
      SELECT g.folded, g.name FROM albums s CROSS JOIN albums m ON m.merge_key = s.merge_key
      CROSS JOIN album_tags g ON g.album = m.id AND g.kind = ? WHERE s.id = ? AND m.shelf = s.id
      ORDER BY m.id <> s.id, m.id, g.place LIMIT ?
      """, kind, album, 4 * most
    ) { row in folded.insert(try row.value(0)).inserted ? try row.value(1) as String : nil }
    .compactMap { $0 }.prefix(most).map { $0 }
  }

  /// Returns the value of the column `kind` for a tag; -1 for a year, which is not in the table.
  static func kind(_ tag: Library.Tag) -> Int {
    switch tag.kind {
    case .genre: Kind.genre.rawValue
    case .mood: Kind.mood.rawValue
    case .style: Kind.style.rawValue
    case .year: -1
    }
  }

  /// Returns the name of a tag as the column `folded` has it.
  static func folded(_ tag: Library.Tag) -> String { tag.name.trimmed.folded }
}

extension Catalogue {
  /// Returns a page of tags with their number of albums; of several spellings the first.
  ///
  /// - Throws: `library.badCursor`.
  static func tags(_ request: Library.ListTags, _ transaction: ReadTransaction) throws
    -> Library.Page<Library.TagCount>
  {
    let limit = limit(request.limit)
    return request.of == .year ? try years(request, limit, transaction) : try names(request, limit, transaction)
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

  private static func names(_ request: Library.ListTags, _ limit: Int, _ transaction: ReadTransaction) throws
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

/// Texts packed into one column, each ended by U+001F.
enum TextList {
  /// Packs texts into one.
  static func packed(_ texts: [String]) -> String { texts.map { $0 + "\u{1F}" }.joined() }

  /// Returns the texts that were packed.
  static func unpacked(_ text: String) -> [String] {
    text.isEmpty ? [] : text.utf8.split(separator: 0x1F).map { String(Substring($0)) }
  }
}
