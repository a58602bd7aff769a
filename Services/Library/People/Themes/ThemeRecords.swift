import Bus
import Catalogue
import Messages
import Model
import Records
import Storage
import Text

extension Library.ThemeRecord: SizedItem {
  /// The most bytes that its JSON takes.
  var size: Int {
    let names = (albums + [cover].compactMap(\.self)).reduce(0) { $0 + 50 + PageBudget.size([$1.title, $1.artist]) }
    return 220 + PageBudget.size([title, text ?? "", rules ?? ""]) + names
  }
}

/// Themes in the file of an export.
extension ThemeStore {
  /// Returns the numbers of themes after one, in their order.
  static func numbers(after last: Int64, _ transaction: ReadTransaction) throws -> [Int64] {
    try transaction.values("SELECT id FROM themes WHERE id > ? ORDER BY id", last)
  }

  /// Returns a theme with the names of its albums; nil if there is none.
  static func record(_ number: Int64, _ transaction: ReadTransaction) throws -> Library.ThemeRecord? {
    let row = try transaction.row(
      "SELECT title, text, rules, first, second, texture, cover FROM themes WHERE id = ?", number
    ) { row in
      let look = Library.ThemeLook(
        first: try row.value(3), second: try row.value(4),
        texture: Library.ThemeTexture(rawValue: try row.value(5)) ?? .unknown)
      let record = Library.ThemeRecord(
        title: try row.value(0), text: try row.value(1), rules: try row.value(2), look: look)
      return (record: record, cover: try row.value(6) as AlbumID?)
    }
    guard let row else { return nil }
    var record = row.record
    let namesakes: Int? = try transaction.value(
      "SELECT count(*) FROM themes WHERE title = ? AND id < ?", record.title, number)
    record.namesakes = namesakes == 0 ? nil : namesakes
    if let cover = try row.cover.flatMap({ try Catalogue.find(.album, $0, transaction) }) {
      record.cover = try transaction.row("SELECT title, artist, year FROM albums WHERE id = ?", cover) {
        Library.ThemeAlbum(title: try $0.value(0), artist: try $0.value(1), year: try $0.value(2))
      }
    }
    if record.rules == nil { record.albums = try ThemeAlbums.records(of: number, transaction) }
    return record
  }

  /// Returns the titles of all themes, each with the number of themes that have it.
  static func titles(_ transaction: ReadTransaction) throws -> [String: Int] {
    let titles: [String] = try transaction.values("SELECT title FROM themes")
    return titles.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  /// Refuses a title, a text or a look that no theme can have. Throws `library.badTheme`.
  static func check(_ record: Library.ThemeRecord) throws {
    try check(Library.SaveTheme(title: record.title, text: record.text, look: record.look))
  }

  /// Adds a theme of a file.
  ///
  /// - Parameter find: returns the number of the shown album with some names; nil if it is not in the library.
  /// - Returns: true if all albums of the theme are in the library.
  /// - Throws: `library.badTheme`, `library.badRules`, `library.tooManyThemes`.
  static func add(
    _ record: Library.ThemeRecord, at now: Timestamp, _ journal: Journal?, _ transaction: Transaction,
    find: (Library.ThemeAlbum) throws -> Int64?
  ) throws -> Bool {
    try check(record)
    // Rules may name a playlist that is not here yet, so they are read and not tried.
    if let rules = record.rules { _ = try PlaylistRules(json: Array(rules.utf8)) }
    let before = try size(transaction)
    let number = try insert(record.title, record.look, at: now, transaction)
    let cover = try record.cover.flatMap(find).flatMap { try albumID($0, transaction) }
    try transaction.execute(
      "UPDATE themes SET text = ?2, rules = ?3, cover = ?4, revision = 1 WHERE id = ?1", number,
      record.text.flatMap { $0.isEmpty ? nil : $0 }, record.rules, cover)
    let isWhole =
      record.rules == nil ? try ThemeAlbums.add(record.albums, to: number, transaction, find: find) : true
    try checkSize(since: before, transaction)
    try journal?.append(Library.ThemeChanged(id: number, title: record.title), in: transaction)
    return isWhole
  }

  private static func albumID(_ number: Int64, _ transaction: ReadTransaction) throws -> AlbumID? {
    try transaction.value("SELECT source || ':a' || id FROM albums WHERE id = ?", number)
  }
}

extension ThemeAlbums {
  /// Returns the picked albums of a theme by their names, those too that are not in the library.
  fileprivate static func records(
    of theme: Int64, _ transaction: ReadTransaction
  ) throws -> [Library.ThemeAlbum] {
    try transaction.rows(
      "SELECT s.title, s.artist, s.year FROM \(picks) WHERE e.theme = ? ORDER BY e.place LIMIT \(most)", theme
    ) { Library.ThemeAlbum(title: try $0.value(0), artist: try $0.value(1), year: try $0.value(2)) }
  }

  /// Adds albums of a file to a new theme, each once. Returns true if all of them are in the library; the others are
  /// found by their names when they come.
  fileprivate static func add(
    _ albums: [Library.ThemeAlbum], to theme: Int64, _ transaction: Transaction,
    find: (Library.ThemeAlbum) throws -> Int64?
  ) throws -> Bool {
    guard albums.count <= most else {
      throw LunaraError("library.badTheme", "A theme of the file has more than \(most) albums. Divide it into several.")
    }
    guard albums.allSatisfy({ max($0.title.utf8.count, $0.artist.utf8.count) <= GardenText.longestName }) else {
      throw LunaraError(
        "library.badTheme",
        "An album of a theme of the file has a name of more than \(GardenText.longestName >> 10) KiB.")
    }
    let subjects = Subjects(transaction)
    var (here, picked, isWhole): (Set<Int64>, Set<Int64>, Bool) = ([], [], true)
    for (place, album) in albums.enumerated() {
      let subject: Int64
      if let number = try find(album) {
        guard here.insert(number).inserted else { continue }
        subject = try subjects.subject(for: CatalogueID(.album, number))
      } else {
        isWhole = false
        subject = try subjects.subject(
          ofAbsent: .album, title: GardenText.cleaned(album.title), artist: GardenText.cleaned(album.artist),
          year: album.year)
      }
      guard picked.insert(subject).inserted else { continue }
      try transaction.execute(
        "INSERT INTO theme_picks (theme, place, subject) VALUES (?, ?, ?)", theme, place + 1, subject)
    }
    return isWhole
  }
}
