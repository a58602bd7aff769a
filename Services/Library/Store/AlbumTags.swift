import Messages
import Storage
import Text

/// The words that describe albums, as each source says them of its own albums.
enum AlbumTags {
  /// The kinds, as the column `kind` has them. Years are a column of their own.
  enum Kind: Int, SQLBindable, CaseIterable {
    case genre = 0
    case mood, style
  }

  /// Words that only tracks have stand behind those of the album itself.
  private static let firstOfTracks = 1000

  /// Has an album described by these words in this order; of several spellings the first counts.
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

  /// How many words of a kind are told of one thing.
  private static let most = 24

  /// The words of an album as it is shown: its own first, then those of the albums that it stands for.
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

  /// The value of `kind` for a tag; that of years means nothing in the table.
  static func kind(_ tag: Library.Tag) -> Int {
    switch tag.kind {
    case .genre: Kind.genre.rawValue
    case .mood: Kind.mood.rawValue
    case .style: Kind.style.rawValue
    case .year: -1
    }
  }

  /// A tag's word as the table has it.
  static func folded(_ tag: Library.Tag) -> String { tag.name.trimmed.folded }
}
