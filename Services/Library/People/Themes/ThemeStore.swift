import Bus
import Catalogue
import Messages
import Model
import Records
import Storage
import Text

/// Reads themes, and makes, changes and deletes them.
enum ThemeStore {
  private static let mostThemes = 200
  private static let longestTitle = 200
  private static let longestText = 4000
  /// The look of a theme for which a person chose none.
  private static let look = Library.ThemeLook(first: "#9c3a1a", second: "#efe6d8", texture: .linen)

  /// Returns all themes by title. `counts` keeps what the rules of themes find from one listing to the next.
  static func list(
    keeping counts: KeptCounts<ThemeCount> = KeptCounts(), _ transaction: ReadTransaction
  ) throws -> Library.ThemeList {
    let started = ContinuousClock.now
    let state = try Catalogue.stateOfRules(transaction)
    let numbers: [Int64] = try transaction.values("SELECT id FROM themes ORDER BY title_sort, id")
    let themes = try numbers.compactMap { number -> Library.Theme? in
      guard let (theme, cover) = try row(number, transaction) else { return nil }
      var count = ThemeCount()
      do {
        let rules = theme.rules
        let counted = { try ThemeAlbums.count(of: number, rules: rules, transaction) }
        count =
          if let rules {
            try counts.count(of: number, state: "\(state) \(rules)", since: started, counted)
          } else {
            try counted()
          }
      } catch let error as LunaraError where error.code == "library.badRules" {
        // As for one theme, it has no albums then.
      }
      return try shown(theme, cover, count, transaction)
    }
    return Library.ThemeList(items: themes)
  }

  /// Returns a theme with the numbers of its albums; nil if there is none.
  static func read(
    _ number: Int64, _ transaction: ReadTransaction
  ) throws -> (theme: Library.Theme, albums: [Int64])? {
    guard let (theme, cover) = try row(number, transaction) else { return nil }
    var albums: [Int64] = []
    do {
      albums = try ThemeAlbums.numbers(of: number, rules: theme.rules, transaction)
    } catch let error as LunaraError where error.code == "library.badRules" {
      // The rules name a playlist that is gone: the theme has no albums until they are changed.
    }
    let count = ThemeCount(albums: albums.count, first: albums.first)
    return (try shown(theme, cover, count, transaction), albums)
  }

  /// Returns the row of a theme, and the cover that a person chose; nil if there is none.
  private static func row(
    _ number: Int64, _ transaction: ReadTransaction
  ) throws -> (theme: Library.Theme, cover: AlbumID?)? {
    try transaction.row(
      "SELECT title, text, rules, first, second, texture, cover, revision FROM themes WHERE id = ?", number
    ) { row in
      let look = Library.ThemeLook(
        first: try row.value(3), second: try row.value(4),
        texture: Library.ThemeTexture(rawValue: try row.value(5)) ?? .unknown)
      let theme = Library.Theme(
        id: number, title: try row.value(0), text: try row.value(1), rules: try row.value(2), look: look,
        albumCount: 0, revision: try row.value(7))
      return (theme: theme, cover: try row.value(6) as AlbumID?)
    }
  }

  /// Returns a theme with the number of its albums, and the picture of its cover.
  private static func shown(
    _ theme: Library.Theme, _ cover: AlbumID?, _ count: ThemeCount, _ transaction: ReadTransaction
  ) throws -> Library.Theme {
    var theme = theme
    theme.albumCount = count.albums
    let chosen = try cover.flatMap { try Catalogue.find(.album, $0, transaction) }
    if let cover = chosen ?? count.first {
      theme.art = try transaction.value("SELECT art FROM albums WHERE id = ?", cover)
    }
    return theme
  }

  /// Returns a theme with a page of its albums. Throws `library.unknownTheme`, `library.badCursor`.
  static func page(_ request: Library.ReadTheme, _ transaction: ReadTransaction) throws -> Library.ThemePage {
    guard let (theme, numbers) = try read(request.id, transaction) else { throw unknown(request.id) }
    let cursor = try Cursor(request.after, of: "theme", count: 1)
    let first = max(0, Int(clamping: try cursor?.number(0) ?? 0))
    let missing = theme.rules == nil && first == 0 ? try ThemeAlbums.missing(of: request.id, transaction) : []
    var budget = PageBudget(items: ThemeAlbums.most, reserved: 12_000 + PageBudget.size(missing))
    var page = Library.ThemePage(theme: theme, albums: [], missing: missing.isEmpty ? nil : missing)
    for (place, number) in numbers.enumerated().dropFirst(first) {
      guard let album = try Catalogue.album(number, transaction) else { continue }
      guard budget.admits(album.size) else {
        page.next = Cursor("theme", [place]).text
        break
      }
      page.albums.append(album)
    }
    return page
  }

  static func unknown(_ number: Int64) -> LunaraError {
    LunaraError("library.unknownTheme", "There is no theme \(number). `lunara themes` lists them.")
  }
}

extension ThemeStore {
  /// The most bytes that the titles, texts and rules of all themes take as JSON, so that a list of them fits into one
  /// answer.
  static let mostBytes = 120_000

  /// Makes or changes a theme. Throws what `Library.SaveTheme` says, and `library.tooManyThemes`.
  static func save(
    _ request: Library.SaveTheme, at now: Timestamp, journal: Journal? = nil, _ transaction: Transaction
  ) throws -> Library.Theme {
    try check(request)
    let before = try size(transaction)
    let number = try request.id ?? make(request, at: now, transaction)
    guard let former = try read(number, transaction)?.theme else { throw unknown(number) }
    guard request.revision == nil || request.revision == former.revision else {
      throw LunaraError("library.changedMeanwhile", "Somebody else has changed this theme meanwhile. Look at it again.")
    }
    guard request.adding?.isEmpty ?? true || (request.rules ?? former.rules) == nil else {
      throw bad("A theme with rules finds its albums itself. Make another one for albums of your choice.")
    }
    let title = request.title ?? former.title
    let text = request.text == nil ? former.text : request.text.flatMap { $0.isEmpty ? nil : $0 }
    let look = request.look ?? former.look
    try transaction.execute(
      """
      UPDATE themes SET title = ?2, title_sort = ?3, text = ?4, rules = ifnull(?5, rules), first = ?6, second = ?7,
        texture = ?8, cover = ifnull(?9, cover), revision = revision + 1, updated_at = ?10 WHERE id = ?1
      """, number, title, SortKey.of(title), text, request.rules, look.first, look.second, look.texture.rawValue,
      request.cover, now)
    try ThemeAlbums.remove(request.removing ?? [], from: number, transaction)
    try ThemeAlbums.add(request.adding ?? [], to: number, transaction)
    // Rules that cannot be used are refused here, and with them the whole change.
    if let rules = request.rules { _ = try ThemeAlbums.numbers(of: number, rules: rules, transaction) }
    try checkSize(since: before, transaction)
    guard let saved = try read(number, transaction)?.theme else { throw unknown(number) }
    try journal?.append(Library.ThemeChanged(id: number, title: saved.title), in: transaction)
    return saved
  }

  private static func make(
    _ request: Library.SaveTheme, at now: Timestamp, _ transaction: Transaction
  ) throws -> Int64 {
    guard let title = request.title else { throw bad("A theme needs a title.") }
    return try insert(title, look, at: now, transaction)
  }

  /// Adds an empty theme, and returns its number. Throws `library.tooManyThemes`.
  static func insert(
    _ title: String, _ look: Library.ThemeLook, at now: Timestamp, _ transaction: Transaction
  ) throws -> Int64 {
    try checkCount(transaction)
    try transaction.execute(
      """
      INSERT INTO themes (title, title_sort, first, second, texture, revision, created_at, updated_at)
      VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6, ?6)
      """, title, SortKey.of(title), look.first, look.second, look.texture.rawValue, now)
    return transaction.lastInsertedRowID
  }

  /// Refuses a further theme where there are as many as there may be. Throws `library.tooManyThemes`.
  static func checkCount(_ transaction: ReadTransaction) throws {
    let count: Int = try transaction.value("SELECT count(*) FROM themes") ?? 0
    guard count < mostThemes else { throw tooMany("There are \(count) themes already. Delete one first.") }
  }

  /// Returns the bytes that the titles, texts and rules of all themes take as JSON.
  static func size(_ transaction: ReadTransaction) throws -> Int {
    try transaction.rows("SELECT title, ifnull(text, ''), ifnull(rules, '') FROM themes") {
      PageBudget.size([try $0.value(0), try $0.value(1), try $0.value(2)])
    }.reduce(0, +)
  }

  /// Refuses a change after which all themes are too large for one answer, unless it makes them smaller. Throws
  /// `library.tooManyThemes`.
  static func checkSize(since before: Int, _ transaction: ReadTransaction) throws {
    let now = try size(transaction)
    guard now > mostBytes, now > before else { return }
    throw tooMany(
      """
      The titles, texts and rules of all themes have at most \(mostBytes / 1000) kB together. Shorten a text, or delete \
      a theme.
      """)
  }

  static func check(_ request: Library.SaveTheme) throws {
    if let title = request.title {
      guard (1...longestTitle).contains(title.utf8.count), title.contains(where: { !$0.isWhitespace }) else {
        throw bad("The title of a theme has 1 to \(longestTitle) bytes.")
      }
    }
    guard (request.text ?? "").utf8.count <= longestText else {
      throw bad("The text of a theme has at most \(longestText) bytes.")
    }
    guard let look = request.look else { return }
    for colour in [look.first, look.second] {
      let digits = colour.utf8.dropFirst()
      guard colour.hasPrefix("#"), digits.count == 6,
        digits.allSatisfy({ (48...57).contains($0) || (65...70).contains($0) || (97...102).contains($0) })
      else { throw bad("“\(colour.prefix(20))” is no colour. Write it like #9c3a1a.") }
    }
    guard look.texture != .unknown else {
      throw bad("There is no such texture. There are linen, wood, paper, velvet and plain.")
    }
  }

  private static func bad(_ message: String) -> LunaraError { LunaraError("library.badTheme", message) }

  private static func tooMany(_ message: String) -> LunaraError { LunaraError("library.tooManyThemes", message) }
}
