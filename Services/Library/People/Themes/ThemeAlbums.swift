import Catalogue
import Messages
import Model
import Records
import Storage

/// The number of the albums of a theme that are in the library, and the first of them.
struct ThemeCount: Hashable, Sendable {
  var albums = 0
  var first: Int64?
}

/// The albums of themes. A picked album is found by its number, by the number that took it over, and else by its names,
/// so it stays in the theme when albums are merged or renumbered, and comes back with its music.
enum ThemeAlbums {
  /// The largest number of albums of a theme.
  static let most = 200

  /// SQL for the number of the album that is shown for a row `e` of `theme_albums`; NULL if it is not in the library.
  static let shown = """
    coalesce(\(Heirs.shown(.album, "e.album")),
      (SELECT id FROM albums WHERE name_key = e.name_key AND e.name_key <> '' AND shelf = id ORDER BY id LIMIT 1))
    """

  /// Counts the albums of a theme as `numbers` returns them.
  static func count(of theme: Int64, rules: String?, _ transaction: ReadTransaction) throws -> ThemeCount {
    let albums = try numbers(of: theme, rules: rules, transaction)
    return ThemeCount(albums: albums.count, first: albums.first)
  }

  /// Returns the numbers of the albums that are in the library, each once.
  ///
  /// - Parameter rules: the rules of the theme; nil if its albums are picked by hand.
  static func numbers(of theme: Int64, rules: String?, _ transaction: ReadTransaction) throws -> [Int64] {
    var seen: Set<Int64> = []
    guard let rules else {
      let found: [Int64?] = try transaction.values(
        "SELECT \(shown) FROM theme_albums e WHERE e.theme = ? ORDER BY e.place", theme)
      return Array(found.compactMap(\.self).filter { seen.insert($0).inserted }.prefix(most))
    }
    let statement = try RuleQuery.list(
      try PlaylistRules(json: Array(rules.utf8)), context(of: theme), window: nil, transaction)
    // The second column has the album of each track.
    let albums = try transaction.rows(statement.text, values: statement.values) { try $0.value(1) as Int64 }
    return Array(albums.filter { seen.insert($0).inserted }.prefix(most))
  }

  /// Keeps the present names of picked albums, by which they are found again after they have left the library. Called
  /// when the catalogue has changed; it reads one row where no album is picked.
  static func settle(_ transaction: Transaction) throws {
    guard try transaction.value("SELECT 1 FROM theme_albums LIMIT 1") as Int? != nil else { return }
    try transaction.execute(
      """
      UPDATE theme_albums AS e SET (name_key, artist, title, album) = (SELECT a.name_key, a.artist, a.title,
        iif(EXISTS (SELECT 1 FROM albums WHERE id = e.album)
          OR \(Heirs.of(.album, "e.album")) IS NOT NULL, e.album, a.id)
        FROM albums a WHERE a.id = \(shown)) WHERE \(shown) IS NOT NULL
      """)
  }

  private static func context(of theme: Int64) -> RuleContext {
    RuleContext(seed: theme) { try Catalogue.rules(ofPlaylist: $0, $1) }
  }

  /// Returns the picked albums that are not in the library, as `ARTIST – TITLE`.
  static func missing(of theme: Int64, _ transaction: ReadTransaction) throws -> [String] {
    try transaction.values(
      """
      SELECT e.artist || ' – ' || e.title FROM theme_albums e WHERE e.theme = ? AND \(shown) IS NULL ORDER BY e.place
      """, theme)
  }

  /// Adds albums at the end; those that are there already stay where they are. Throws `library.unknownID`,
  /// `library.badTheme`.
  static func add(_ ids: [AlbumID], to theme: Int64, _ transaction: Transaction) throws {
    var known = Set(try numbers(of: theme, rules: nil, transaction))
    for id in ids {
      let number = try Catalogue.number(of: .album, id, transaction)
      guard known.insert(number).inserted else { continue }
      guard known.count <= most else {
        throw LunaraError("library.badTheme", "A theme has at most \(most) albums. Make another one, or one of rules.")
      }
      try transaction.execute(
        """
        INSERT INTO theme_albums (theme, place, album, name_key, artist, title)
        SELECT ?1, (SELECT ifnull(max(place), 0) + 1 FROM theme_albums WHERE theme = ?1), id, name_key, artist, title
        FROM albums WHERE id = ?2
        """, theme, number)
    }
  }

  /// Removes albums; those that are not there are left out.
  static func remove(_ ids: [AlbumID], from theme: Int64, _ transaction: Transaction) throws {
    for id in ids {
      guard let number = try Catalogue.find(.album, id, transaction) else { continue }
      try transaction.execute(
        "DELETE FROM theme_albums AS e WHERE e.theme = ?1 AND \(shown) = ?2", theme, number)
    }
  }
}
