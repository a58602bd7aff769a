import Model
import Storage
import Text

/// The rows of artists over all sources: one of a name, as long as an album of theirs is shown.
struct ArtistRows {
  private let source: String
  private let transaction: Transaction
  private var numbers: [String: Int64] = [:]
  private var touched: Set<Int64> = []

  /// Rows for a refresh of this source.
  init(source: String, _ transaction: Transaction) {
    self.source = source
    self.transaction = transaction
  }

  /// What makes two names one artist.
  static func key(of name: String) -> String { name.trimmed.caseFolded }

  /// The number of the artist of this name, with a new row where there is none.
  mutating func number(of name: String, sort: String, _ draw: () -> Int64) throws -> Int64 {
    let key = Self.key(of: name)
    if let known = numbers[key] {
      touched.insert(known)
      return known
    }
    let found = try transaction.row("SELECT id FROM artists WHERE key = ?", key) { try $0.value(0) as Int64 }
    let number = found ?? draw()
    if found == nil {
      try transaction.execute(
        "INSERT INTO artists (id, source, key, name, sort, albums) VALUES (?, ?, ?, ?, ?, 0)", number, source, key,
        name, sort)
    }
    numbers[key] = number
    touched.insert(number)
    return number
  }

  /// Notes that an artist's albums, or what a source says of the artist, are not what they were.
  mutating func touch(_ number: Int64) { touched.insert(number) }

  /// Notes the same of the artist with this key.
  mutating func touch(key: String) throws {
    if let known = try transaction.row("SELECT id FROM artists WHERE key = ?", key, as: { try $0.value(0) as Int64 }) {
      touched.insert(known)
    }
  }

  /// An artist as it is stored, and as its oldest album spells it.
  private struct Stored {
    var key: String
    var name: String
    var sort: String
    var search: Int64?
    var albums: Int
    var counted: Int
    var spelling: String?
    var spellingSort: String?
    var said: Said

    init(_ row: borrowing Row) throws {
      (key, name, sort) = (try row.value(0), try row.value(1), try row.value(2))
      (search, albums, counted) = (try row.value(3), try row.value(4), try row.value(5))
      (spelling, spellingSort) = (try row.value(6), try row.value(7))
      said = Said(
        art: try row.value(8), summary: try row.value(9), genres: try row.value(10), rating: try row.value(11))
    }
  }

  /// What sources say of an artist, taken together.
  private struct Said: Equatable {
    var art: String?
    var summary: String?
    var genres = ""
    var rating: Rating?
  }

  /// Counts the albums of the artists concerned and gathers what is said of them; who has no albums any more goes.
  mutating func finish(_ search: inout SearchIndex) throws {
    for number in touched.sorted() {
      let stored = try transaction.row(
        """
        SELECT r.key, r.name, r.sort, r.search_row, r.albums,
          (SELECT count(*) FROM albums WHERE artist_id = r.id AND shelf = id), a.artist, a.artist_sort, r.art,
          r.summary, r.genres, r.rating
        FROM artists r LEFT JOIN albums a ON a.id = (SELECT min(id) FROM albums WHERE artist_id = r.id) WHERE r.id = ?
        """, number
      ) { try Stored($0) }
      guard let stored else { continue }
      if stored.spelling == nil {
        try transaction.execute("DELETE FROM artists WHERE id = ?", number)
        search.remove(stored.search)
        continue
      }
      let (name, sort) = (stored.spelling ?? stored.name, stored.spellingSort ?? stored.sort)
      let said = try said(of: stored.key)
      if name != stored.name || sort != stored.sort {
        search.remove(stored.search)
        try transaction.execute(
          "UPDATE artists SET name = ?, sort = ?, search_row = NULL WHERE id = ?", name, sort, number)
      }
      guard stored.albums != stored.counted || said != stored.said else { continue }
      try transaction.execute(
        "UPDATE artists SET albums = ?, art = ?, summary = ?, genres = ?, rating = ? WHERE id = ?", stored.counted,
        said.art, said.summary, said.genres, said.rating, number)
    }
    touched = []
  }

  /// The first word of each kind counts, in the person's order of sources; genres are the union.
  private func said(of key: String) throws -> Said {
    var said = Said()
    var genres: [String] = []
    var folded: Set<String> = []
    _ = try transaction.rows(
      """
      SELECT m.source, m.art, m.summary, m.genres, m.rating FROM artist_members m LEFT JOIN sources s ON s.name = m.source
      WHERE m.key = ? ORDER BY ifnull(s.position, 0), m.source, length(m.native), m.native
      """, key
    ) { row in
      let source: String = try row.value(0)
      if said.art == nil { said.art = (try row.value(1) as String?).map { "\(source):\($0)" } }
      if said.summary == nil { said.summary = try row.value(2) }
      for genre in TextList.unpacked(try row.value(3)) where folded.insert(genre.caseFolded).inserted {
        genres.append(genre)
      }
      if said.rating == nil { said.rating = try row.value(4) }
    }
    said.genres = TextList.packed(genres)
    if said.rating == nil {
      said.rating = try transaction.row(
        "SELECT rating FROM ratings WHERE kind = 1 AND identity = ?", contentHash(of: key.utf8)
      ) { try $0.value(0) as Rating }
    }
    return said
  }
}
