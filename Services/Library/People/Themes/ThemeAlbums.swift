import Catalogue
import Messages
import Model
import Records
import Storage

/// The number of a theme's albums that are in the library, and the first ones.
struct ThemeCount: Hashable, Sendable {
  var albums = 0
  var first: Int64?
}

/// The albums of themes. A picked album is a subject, so it stays in the theme when albums are merged or renumbered,
/// and comes back with its music.
enum ThemeAlbums {
  /// The largest number of albums of a theme.
  static let most = 200

  /// SQL for the picked albums `e` of themes with their subjects `s`.
  static let picks = "theme_picks e CROSS JOIN subjects s ON s.id = e.subject"

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
      let found: [Int64] = try transaction.values(
        "SELECT s.shown FROM \(picks) WHERE e.theme = ? AND s.shown IS NOT NULL ORDER BY e.place", theme)
      return Array(found.filter { seen.insert($0).inserted }.prefix(most))
    }
    let statement = try RuleQuery.list(
      try PlaylistRules(json: Array(rules.utf8)), context(of: theme), window: nil, transaction)
    // The second column has the album of each track.
    let albums = try transaction.rows(statement.text, values: statement.values) { try $0.value(1) as Int64 }
    return Array(albums.filter { seen.insert($0).inserted }.prefix(most))
  }

  /// Picks another edition of the albums that are not in the library, where there is one.
  static func pickEditions(_ transaction: Transaction) throws {
    let found = try transaction.rows(
      """
      SELECT e.theme, e.place, a.id FROM subjects s CROSS JOIN theme_picks e ON e.subject = s.id
        CROSS JOIN albums a ON a.id = (SELECT id FROM albums WHERE name_key = s.name_key AND shelf = id
          ORDER BY id LIMIT 1)
      WHERE s.kind = \(CatalogueID.Kind.album.sql) AND s.shown IS NULL AND s.name_key <> ''
      """
    ) { (theme: try $0.value(0) as Int64, place: try $0.value(1) as Int64, album: try $0.value(2) as Int64) }
    guard !found.isEmpty else { return }
    let subjects = Subjects(transaction)
    for one in found {
      try transaction.execute(
        "UPDATE theme_picks SET subject = ? WHERE theme = ? AND place = ?",
        try subjects.subject(for: CatalogueID(.album, one.album)), one.theme, one.place)
    }
    try subjects.prune()
  }

  private static func context(of theme: Int64) -> RuleContext {
    RuleContext(seed: theme) { try Catalogue.rules(ofPlaylist: $0, $1) }
  }

  /// Returns the picked albums that are not in the library, as `ARTIST – TITLE`.
  static func missing(of theme: Int64, _ transaction: ReadTransaction) throws -> [String] {
    try transaction.values(
      """
      SELECT s.artist || ' – ' || s.title FROM \(picks) WHERE e.theme = ? AND s.shown IS NULL ORDER BY e.place
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
        INSERT INTO theme_picks (theme, place, subject)
        VALUES (?1, (SELECT ifnull(max(place), 0) + 1 FROM theme_picks WHERE theme = ?1), ?2)
        """, theme, try Subjects(transaction).subject(for: CatalogueID(.album, number)))
    }
  }

  /// Removes albums; those that are not there are left out.
  static func remove(_ ids: [AlbumID], from theme: Int64, _ transaction: Transaction) throws {
    for id in ids {
      guard let number = try Catalogue.find(.album, id, transaction) else { continue }
      try transaction.execute(
        """
        DELETE FROM theme_picks WHERE theme = ?
          AND subject IN (SELECT id FROM subjects WHERE kind = \(CatalogueID.Kind.album.sql) AND shown = ?)
        """, theme, number)
    }
    if !ids.isEmpty { try Subjects(transaction).prune() }
  }
}
