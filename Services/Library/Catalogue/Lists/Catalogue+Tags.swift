package import Messages
import Model
import Storage
import Text

/// The genres, moods, styles and other words of albums, as each source has them for its own albums.
package enum AlbumTags {
  /// Returns a kind of tag as the column `kind` has it; -1 for kinds that are columns or other tables, and for those
  /// that this version does not know.
  package static func number(of kind: Library.Tag.Kind) -> Int {
    switch kind {
    case .genre: 0
    case .mood: 1
    case .style: 2
    case .label: 3
    case .type: 4
    case .media: 5
    case .country: 6
    case .language: 7
    case .grouping: 8
    case .key: 9
    case .format: 10
    case .sampleRate: 11
    case .bitDepth: 12
    case .year, .decade, .rating, .source, .folder, .added, .unplayed, .artist, .albumArtist, .composer, .conductor,
      .lyricist, .remixer, .performer, .work, .unknown:
      -1
    }
  }

  /// The first value of the column `place` for tags that only tracks have, which come after those of the album.
  private static let firstOfTracks = 1000

  /// Replaces the tags of one kind of an album, in this order; of several spellings the first counts.
  ///
  /// - Parameter isOfTracks: true to replace the tags that only tracks have.
  static func write(
    _ names: [String], _ kind: Library.Tag.Kind, of album: Int64, isOfTracks: Bool = false, _ transaction: Transaction
  ) throws {
    let range = isOfTracks ? firstOfTracks...Int.max : 0...firstOfTracks - 1
    let kind = number(of: kind)
    let before: [String] = try transaction.values(
      "SELECT name FROM album_tags WHERE album = ? AND kind = ? AND place BETWEEN ? AND ? ORDER BY place", album, kind,
      range.lowerBound, range.upperBound)
    var folded: Set<String> = []
    let names = names.filter { !$0.isEmpty && folded.insert($0.trimmed.folded).inserted }
    guard before != names else { return }
    try transaction.execute(
      "DELETE FROM album_tags WHERE album = ? AND kind = ? AND place BETWEEN ? AND ?", album, kind, range.lowerBound,
      range.upperBound)
    for (place, name) in names.enumerated() {
      let onConflict = isOfTracks ? "DO NOTHING" : "DO UPDATE SET name = excluded.name, place = excluded.place"
      try transaction.execute(
        """
        INSERT INTO album_tags (album, kind, folded, name, place) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (album, kind, folded) \(onConflict)
        """, album, kind, name.trimmed.folded, name, range.lowerBound + min(place, firstOfTracks - 1))
    }
  }

  /// Replaces the tags of all kinds that an album of files has.
  static func write(_ words: AlbumWords, of album: Int64, isNew: Bool, _ transaction: Transaction) throws {
    var before: [Int: [String]] = [:]
    if !isNew {
      _ = try transaction.rows("SELECT kind, name FROM album_tags WHERE album = ? ORDER BY kind, place", album) {
        before[try $0.value(0), default: []].append(try $0.value(1))
      }
    }
    for kind in Library.Tag.Kind.allCases where number(of: kind) >= 0 {
      let (names, kind) = (words.names[kind] ?? [], number(of: kind))
      guard names != before[kind] ?? [] else { continue }
      if before[kind] != nil {
        try transaction.execute("DELETE FROM album_tags WHERE album = ? AND kind = ?", album, kind)
      }
      for (place, name) in names.enumerated() {
        try transaction.execute(
          "INSERT OR IGNORE INTO album_tags (album, kind, folded, name, place) VALUES (?, ?, ?, ?, ?)",
          values: [.integer(album), SQLValue(kind), .text(name.trimmed.folded), .text(name), SQLValue(place)])
      }
    }
  }

  /// The most tags of a kind that are returned for one album.
  private static let most = 24

  /// Returns the tags of an album as it is shown: its own first, then those of the albums that it was merged from.
  static func read(_ kind: Library.Tag.Kind, of album: Int64, _ transaction: ReadTransaction) throws -> [String] {
    var folded: Set<String> = []
    return try transaction.rows(
      """
      SELECT g.folded, g.name FROM albums s CROSS JOIN albums m ON m.merge_key = s.merge_key
      CROSS JOIN album_tags g ON g.album = m.id AND g.kind = ? WHERE s.id = ? AND m.shelf = s.id
      ORDER BY m.id <> s.id, m.id, g.place LIMIT ?
      """, number(of: kind), album, 4 * most
    ) { row in folded.insert(try row.value(0)).inserted ? try row.value(1) as String : nil }
    .compactMap { $0 }.prefix(most).map { $0 }
  }
}
