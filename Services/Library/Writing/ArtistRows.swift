import Model
import Storage
import Text

/// The rows of artists over all sources: one for each name, as long as an album of the artist is shown.
struct ArtistRows {
  private let source: String
  private let transaction: Transaction
  private var numbers: [String: Int64] = [:]
  private var touched: Set<Int64> = []

  /// Makes the rows for a refresh of one source.
  init(source: String, _ transaction: Transaction) {
    self.source = source
    self.transaction = transaction
  }

  /// Returns the key of a name: names with the same key are one artist.
  static func key(of name: String) -> String { name.trimmed.caseFolded }

  /// Returns the number of the artist of this name; adds a row, with a number of `draw`, where there is none.
  mutating func number(of name: String, sort: String, _ draw: () -> Int64) throws -> Int64 {
    let key = Self.key(of: name)
    let known = try numbers[key] ?? transaction.value("SELECT id FROM artists WHERE key = ?", key)
    let number = known ?? draw()
    if known == nil {
      try transaction.execute(
        "INSERT INTO artists (id, source, key, name, sort, albums) VALUES (?, ?, ?, ?, ?, 0)", number, source, key,
        name, sort)
    }
    numbers[key] = number
    touched.insert(number)
    return number
  }

  /// Marks an artist whose albums or description changed.
  mutating func touch(_ number: Int64) { touched.insert(number) }

  mutating func touch(key: String) throws {
    if let known: Int64 = try transaction.value("SELECT id FROM artists WHERE key = ?", key) { touched.insert(known) }
  }

  /// The values that an artist has from all sources.
  private struct Description: Equatable {
    var art: String?
    var summary: String?
    var genres = ""
    var rating: Rating?
  }

  /// Updates the album counts and descriptions of the marked artists, and deletes those without albums. The name is
  /// spelt as on the artist's oldest album.
  mutating func finish(_ search: inout SearchIndex) throws {
    for number in touched.sorted() {
      let stored = try transaction.row(
        """
        SELECT r.key, r.search_row, r.albums, (SELECT count(*) FROM albums WHERE artist_id = r.id AND listed = 1),
          a.artist, a.artist_sort, a.artist IS NOT r.name OR a.artist_sort IS NOT r.sort, r.art, r.summary, r.genres,
          r.rating
        FROM artists r LEFT JOIN albums a ON a.id = (SELECT min(id) FROM albums WHERE artist_id = r.id) WHERE r.id = ?
        """, number
      ) { row in
        (
          key: try row.value(0) as String, search: try row.value(1) as Int64?, albums: try row.value(2) as Int,
          counted: try row.value(3) as Int, name: try row.value(4) as String?, sort: try row.value(5) as String?,
          isRenamed: try row.value(6) as Bool,
          description: Description(
            art: try row.value(7), summary: try row.value(8), genres: try row.value(9), rating: try row.value(10))
        )
      }
      guard let stored else { continue }
      if stored.name == nil || stored.isRenamed { search.remove(stored.search) }
      if stored.name == nil {
        try transaction.execute("DELETE FROM artists WHERE id = ?", number)
        continue
      }
      if stored.isRenamed {
        try transaction.execute(
          "UPDATE artists SET name = ?, sort = ?, search_row = NULL WHERE id = ?", stored.name, stored.sort, number)
      }
      let description = try description(of: stored.key)
      guard stored.albums != stored.counted || description != stored.description else { continue }
      try transaction.execute(
        "UPDATE artists SET albums = ?, art = ?, summary = ?, genres = ?, rating = ? WHERE id = ?", stored.counted,
        description.art, description.summary, description.genres, description.rating, number)
    }
    touched = []
  }

  /// Returns the first value of each kind in the person's order of sources; genres are the union.
  private func description(of key: String) throws -> Description {
    var description = Description()
    var genres: [String] = []
    var folded: Set<String> = []
    _ = try transaction.rows(
      """
      SELECT m.source || ':' || m.art, m.summary, m.genres, m.rating FROM artist_members m LEFT JOIN sources s ON s.name = m.source
      WHERE m.key = ? ORDER BY ifnull(s.position, 0), m.source, length(m.native), m.native
      """, key
    ) { row in
      description.art = try description.art ?? row.value(0) as String?
      description.summary = try description.summary ?? row.value(1) as String?
      genres += TextList.unpacked(try row.value(2)).filter { folded.insert($0.caseFolded).inserted }
      description.rating = try description.rating ?? row.value(3) as Rating?
    }
    description.genres = TextList.packed(genres)
    description.rating =
      try description.rating
      ?? transaction.value("SELECT rating FROM ratings WHERE kind = 1 AND identity = ?", contentHash(of: key.utf8))
    return description
  }
}
