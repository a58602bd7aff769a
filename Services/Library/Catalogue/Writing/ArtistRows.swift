import Model
import MusicTags
import Records
import Storage
import Text

/// The rows of artists over all sources: one for each artist of an album, and one for everybody who is credited for a
/// track that is shown.
///
/// Artists are found by their names, case folded, in `artist_names`. A MusicBrainz id tells two artists of one name
/// apart, and joins the names of one artist: the other names are aliases. A name without an id belongs to the artist
/// who had that name first.
package struct ArtistRows {
  private let source: String
  private let transaction: Transaction
  private var numbers: [String: Int64] = [:]
  private var touched: Set<Int64> = []
  /// The sort keys that were given in this refresh.
  private var sorts: [Int64: String] = [:]
  /// Artists who got another alias, and are therefore found by other words.
  private var renamed: Set<Int64> = []
  /// Splits the name of an artist who is deleted: those who asked for the former id get the first of its parts.
  var splitter = TagRules.default.artists

  /// Makes the rows for a refresh of one source.
  init(source: String, _ transaction: Transaction) {
    self.source = source
    self.transaction = transaction
  }

  /// Returns the key of a name: names with the same key are one artist, unless ids tell them apart.
  package static func key(of name: String) -> String { name.trimmed.caseFolded }

  /// Returns the key of a name that another artist has already.
  private static func key(of name: String, _ id: String) -> String { "\(key(of: name))\u{1F}\(id)" }

  /// Returns the number of an artist; adds a row, with a number of `draw`, where there is none.
  mutating func number(of artist: TaggedArtist, _ draw: () -> Int64) throws -> Int64 {
    let cached = artist.id.map { Self.key(of: artist.name, $0) } ?? Self.key(of: artist.name)
    let number = try numbers[cached] ?? find(artist, draw)
    numbers[cached] = number
    if let sort = artist.sort, sorts[number] == nil { sorts[number] = SortKey.of(sort) }
    touched.insert(number)
    return number
  }

  private mutating func find(_ named: TaggedArtist, _ draw: () -> Int64) throws -> Int64 {
    var artist = named
    artist.id = named.id.flatMap(MusicBrainzID.init)?.text
    let key = Self.key(of: artist.name)
    let named = try transaction.row(
      "SELECT n.artist, r.mbid FROM artist_names n JOIN artists r ON r.id = n.artist WHERE n.key = ?", key
    ) { (number: try $0.value(0) as Int64, id: try $0.value(1) as String?) }
    guard let id = artist.id else { return try named?.number ?? add(artist, key: key, draw) }
    let known: Int64? = try transaction.value("SELECT id FROM artists WHERE mbid = ?", id)
    let number: Int64
    switch (known, named) {
    case (let known?, nil):
      number = known
      try name(known, artist.name, key: key)
    case (let known?, let named?) where named.number == known: number = known
    case (let known?, let named?):
      number = known
      if named.id == nil {
        try join(named.number, into: known)
      } else {
        try name(known, artist.name, key: Self.key(of: artist.name, id))
      }
    case (nil, nil): number = try add(artist, key: key, draw)
    case (nil, let named?) where named.id == nil:
      number = named.number
      try transaction.execute("UPDATE artists SET mbid = ? WHERE id = ?", id, number)
    case (nil, _?): number = try add(artist, key: Self.key(of: artist.name, id), draw)
    }
    if artist.isWhole {
      try transaction.execute("UPDATE artist_names SET is_whole = 1 WHERE key = ? AND is_whole = 0", key)
    }
    return number
  }

  private mutating func add(_ artist: TaggedArtist, key: String, _ draw: () -> Int64) throws -> Int64 {
    let number = draw()
    try transaction.execute(
      "INSERT INTO artists (id, source, key, name, sort, albums, mbid) VALUES (?, ?, ?, ?, ?, 0, ?)", number, source,
      key, artist.name, SortKey.of(artist.sort ?? artist.name), artist.id)
    try name(number, artist.name, key: key)
    return number
  }

  private mutating func name(_ number: Int64, _ name: String, key: String) throws {
    try transaction.execute(
      "INSERT OR IGNORE INTO artist_names (key, artist, name, is_whole) VALUES (?, ?, ?, 0)", key, number, name)
    renamed.insert(number)
  }

  /// Makes a row that was made by a name part of the artist to whom an id says that the name belongs.
  private mutating func join(_ number: Int64, into other: Int64) throws {
    for table in ["artist_names", "album_artists", "credits"] {
      try transaction.execute("UPDATE \(table) SET artist = ? WHERE artist = ?", other, number)
    }
    try transaction.execute("UPDATE albums SET artist_id = ? WHERE artist_id = ?", other, number)
    try transaction.execute("UPDATE works SET composer = ? WHERE composer = ?", other, number)
    let kind = CatalogueID.Kind.artist
    try transaction.execute("UPDATE heirs SET heir = ? WHERE kind = ? AND heir = ?", other, kind, number)
    try transaction.execute("INSERT OR REPLACE INTO heirs (kind, number, heir) VALUES (?, ?, ?)", kind, number, other)
    for (key, known) in numbers where known == number { numbers[key] = other }
    touched.formUnion([number, other])
    renamed.insert(other)
  }

  /// Marks an artist whose albums, credits or description changed.
  mutating func touch(_ number: Int64) { touched.insert(number) }

  mutating func touch(key: String) throws {
    if let known: Int64 = try transaction.value("SELECT artist FROM artist_names WHERE key = ?", key) {
      touched.insert(known)
    }
  }

  /// The values that an artist has from all sources.
  private struct Description: Equatable {
    var art: String?
    var summary: String?
    var genres = ""
    var rating: Rating?
  }

  /// The uses of an artist by the rows of albums and tracks.
  private struct Uses: Equatable {
    var albums = 0
    var credits = 0
    var roles = 0

    var isShown: Bool { albums + credits > 0 }
  }

  private struct Stored {
    var key: String
    var name: String
    var sort: String
    var isIndexed: Bool
    var uses: Uses
    var description: Description
  }

  /// Updates counts, names and descriptions of the marked artists, and deletes those whom nothing names any more.
  mutating func finish(_ search: inout SearchIndex) throws {
    for number in touched.sorted() {
      let stored = try transaction.row(
        """
        SELECT key, name, sort, EXISTS (SELECT 1 FROM search_rows WHERE item = ?2 | artists.id), albums, credits, roles,
          art, summary, genres, rating
        FROM artists WHERE id = ?1
        """, number, CatalogueID.Kind.artist.first
      ) { row in
        Stored(
          key: try row.value(0), name: try row.value(1), sort: try row.value(2), isIndexed: try row.value(3),
          uses: Uses(albums: try row.value(4), credits: try row.value(5), roles: try row.value(6)),
          description: Description(
            art: try row.value(7), summary: try row.value(8), genres: try row.value(9), rating: try row.value(10)))
      }
      if let stored { try update(number, stored, &search) }
    }
    touched = []
    renamed = []
  }

  private mutating func update(_ number: Int64, _ stored: Stored, _ search: inout SearchIndex) throws {
    guard let spelling = try spelling(of: number, stored) else {
      search.mark(.artist, number)
      try transaction.execute("DELETE FROM artist_names WHERE artist = ?", number)
      try transaction.execute("DELETE FROM artists WHERE id = ?", number)
      try redirect(number, named: stored.name)
      numbers = numbers.filter { $0.value != number }
      return
    }
    let uses = try uses(of: number)
    if spelling != (stored.name, stored.sort) {
      try transaction.execute(
        "UPDATE artists SET name = ?, sort = ? WHERE id = ?", spelling.name, spelling.sort, number)
    }
    if spelling != (stored.name, stored.sort) || renamed.contains(number) || stored.isIndexed != uses.isShown {
      search.mark(.artist, number)
    }
    let description = try description(of: number, key: stored.key)
    guard uses != stored.uses || description != stored.description else { return }
    try transaction.execute(
      """
      UPDATE artists SET albums = ?, credits = ?, roles = ?, art = ?, summary = ?, genres = ?, rating = ? WHERE id = ?
      """, uses.albums, uses.credits, uses.roles, description.art, description.summary, description.genres,
      description.rating, number)
  }

  /// Redirects the id of a deleted artist whose name is several by now, such as `A; B`, to the first of these.
  private func redirect(_ number: Int64, named name: String) throws {
    let kind = CatalogueID.Kind.artist
    let parts = splitter.split(name)
    let successor: Int64? =
      try parts.count < 2
      ? nil : transaction.value("SELECT artist FROM artist_names WHERE key = ?", Self.key(of: parts[0]))
    guard let successor, successor != number else {
      try transaction.execute("DELETE FROM heirs WHERE kind = ? AND heir = ?", kind, number)
      return
    }
    try transaction.execute("UPDATE heirs SET heir = ? WHERE kind = ? AND heir = ?", successor, kind, number)
    try transaction.execute(
      "INSERT OR REPLACE INTO heirs (kind, number, heir) VALUES (?, ?, ?)", kind, number, successor)
  }

  /// Returns the name and the sort key of an artist: those of the oldest album, else the name that most credits have;
  /// nil for an artist whom nothing names.
  private func spelling(of number: Int64, _ stored: Stored) throws -> (name: String, sort: String)? {
    let album = try transaction.row(
      """
      SELECT x.name, CASE WHEN EXISTS (SELECT 1 FROM album_artists WHERE album = x.album AND place <> x.place) THEN NULL
        ELSE a.artist_sort END
      FROM album_artists x JOIN albums a ON a.id = x.album WHERE x.artist = ? ORDER BY x.album, x.place LIMIT 1
      """, number
    ) { (name: try $0.value(0) as String, sort: try $0.value(1) as String?) }
    if let album, let sort = album.sort { return (album.name, sort) }
    let name: String? =
      try album?.name
      ?? transaction.value(
        "SELECT name FROM credits WHERE artist = ? GROUP BY name ORDER BY count(*) DESC, min(track) LIMIT 1", number)
    return name.map { ($0, sorts[number] ?? ($0 == stored.name ? stored.sort : SortKey.of($0))) }
  }

  private func uses(of number: Int64) throws -> Uses {
    var uses = Uses()
    uses.albums =
      try transaction.value(
        """
        SELECT count(DISTINCT a.id) FROM album_artists x JOIN albums a ON a.id = x.album
        WHERE x.artist = ? AND a.listed = 1
        """, number) ?? 0
    let roles: [Int] = try transaction.values("SELECT DISTINCT role FROM credits WHERE artist = ?", number)
    if uses.albums > 0 {
      uses.roles |= 1 << (CreditRole.albumArtist.number ?? 0) | 1 << (CreditRole.artist.number ?? 0)
    }
    guard !roles.isEmpty else { return uses }
    for role in roles { uses.roles |= 1 << role }
    // Copies of one recording count once.
    uses.credits =
      try transaction.value(
        "SELECT count(DISTINCT t.shown) FROM credits c JOIN tracks t ON t.id = c.track WHERE c.artist = ?", number) ?? 0
    return uses
  }

  /// Returns the first value of each kind in the person's order of sources; genres are the union.
  private func description(of number: Int64, key: String) throws -> Description {
    var description = Description()
    var genres: [String] = []
    var folded: Set<String> = []
    _ = try transaction.rows(
      """
      SELECT m.source || ':' || m.art, m.summary, m.genres, m.rating
      FROM artist_names n CROSS JOIN artist_members m ON m.key = n.key LEFT JOIN sources s ON s.name = m.source
      WHERE n.artist = ? ORDER BY ifnull(s.position, 0), m.source, length(m.native), m.native
      """, number
    ) { row in
      description.art = try description.art ?? row.value(0) as String?
      description.summary = try description.summary ?? row.value(1) as String?
      genres += TextList.unpacked(try row.value(2)).filter { folded.insert($0.caseFolded).inserted }
      description.rating = try description.rating ?? row.value(3) as Rating?
    }
    description.genres = TextList.packed(genres)
    description.rating =
      try description.rating
      ?? transaction.value(
        "SELECT rating FROM ratings WHERE kind = ? AND identity = ?", CatalogueID.Kind.artist, contentHash(of: key.utf8)
      )
    return description
  }
}
