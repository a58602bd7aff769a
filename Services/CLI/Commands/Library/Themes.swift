import Client
import Messages
import Model

extension Option {
  fileprivate static let text = Option("--text", "TEXT", help: "what you want to say about it")
  fileprivate static let themeRules = Option(
    "--rules", "RULES", help: "find its albums by rules, such as genre is Jazz")
  fileprivate static let colours = Option(
    "--colours", "FIRST,SECOND", help: "of accents and of the background, such as #9c3a1a,#efe6d8")
  fileprivate static let texture = Option(
    "--texture", "NAME", help: "of the background: linen, wood, paper, velvet or plain",
    completes: .words(["linen", "wood", "paper", "velvet", "plain"]))
  fileprivate static let themeCover = Option(
    "--cover", "ALBUM", help: "the album whose cover it has", completes: .household(.albums))
}

extension Command {
  static let themes = Command(
    name: "themes", summary: "albums that belong together for you, with a look of their own",
    discussion: """
      A theme finds its albums by rules, as smart playlists do, or you pick them. While a room plays a theme, the page
      takes on its colours and its texture. `lunara play library:theme:NUMBER` plays one.
      """,
    examples: [
      "lunara themes": "all, by title",
      "lunara themes new \"Summer on the boat\" files:a3 files:a7 --colours \"#1f5f8b,#e8f0f2\"": "two albums, in blue",
      "lunara themes new Seventies --rules \"year between 1970 and 1979\" --texture wood": "an era",
    ],
    commands: [showTheme, newTheme, changeTheme, deleteTheme, undoTheme]
  ) { client, console in
    let found = try await client.ask(Library.ListThemes())
    console.print(
      .list(found.items), Table(found.items), ifEmpty: "There is no theme yet. `lunara themes new NAME` makes one.")
  }

  private static let showTheme = Command(
    name: "show", summary: "a theme with its albums",
    examples: ["lunara themes show Seventies": "by its title, or by its number"],
    each: .themes
  ) { client, console, theme in
    var page = try await client.ask(Library.ReadTheme(id: theme.id))
    while let after = page.next {
      let more = try await client.ask(Library.ReadTheme(id: theme.id, after: after))
      page.albums += more.albums
      page.next = more.next
    }
    if console.isJSON { return console.print(page.json) }
    console.print(Table([page.theme]))
    if let text = page.theme.text { console.print(Printable.line(text) + "\n") }
    console.print(Table(page.albums.map { [.faint("\($0.id)"), .strong($0.title), .init($0.artist)] }))
    for name in page.missing ?? [] { console.remark("Not here: \(name)") }
  }

  private static let newTheme = Command(
    name: "new", summary: "make a theme",
    examples: [
      "lunara themes new \"Summer on the boat\" files:a3 files:a7": "of albums",
      "lunara themes new Jazz --rules \"genre is Jazz\" --texture velvet": "by rules",
    ],
    takes: .themeLook,
    .operands(
      "TITLE [ALBUM]…", 1...201, help: "its title, and its albums by id or title", completes: .household(.albums))
  ) { client, console, change, words in
    var request = try await change(nil)
    request.title = words[0]
    if words.count > 1 { request.adding = try await client.albums(Array(words.dropFirst())) }
    print(try await client.ask(request), console)
  }

  private static let changeTheme = Command(
    name: "change", summary: "change a theme: its title, its text, its albums or its look",
    examples: [
      "lunara themes change 3 --add files:a9 --remove files:a3": "its albums",
      "lunara themes change Seventies --texture plain --colours \"#9c3a1a,#efe6d8\"": "its look",
    ],
    each: .themes,
    takes: .text("--title", "TITLE", help: "another title"), .themeLook,
    .texts("--add", "ALBUM", help: "an album to add; may be given again", completes: .household(.albums)),
    .texts("--remove", "ALBUM", help: "an album to remove; may be given again", completes: .household(.albums))
  ) { client, console, theme, title, change, adding, removing in
    var request = try await change(theme)
    request.title = title
    if !adding.isEmpty { request.adding = try await client.albums(adding) }
    if !removing.isEmpty { request.removing = try await client.albums(removing) }
    print(try await client.ask(request), console)
  }

  private static let deleteTheme = Command(
    name: "delete", summary: "delete a theme; its albums stay, and `lunara themes undo` brings it back for 30 days",
    examples: ["lunara themes delete 3": "by its number, or by its title"],
    each: .themes
  ) { client, console, theme in
    _ = try await client.ask(Library.DeleteTheme(id: theme.id))
    console.print(
      ["deleted": theme.id],
      text:
        "Deleted the theme \(Printable.line(theme.title)). `lunara themes undo \(theme.id)` brings it back for 30 days.\n"
    )
  }

  private static let undoTheme = Command(
    name: "undo", summary: "bring a deleted theme back",
    examples: ["lunara themes undo 3": "by the number that `lunara themes delete` printed"],
    takes: .number("theme")
  ) { client, console, number in
    _ = try await client.ask(Library.DeleteTheme(id: number, isTakenBack: true))
    print(try await client.ask(Library.ReadTheme(id: number)).theme, console)
  }

  private static func print(_ theme: Library.Theme, _ console: Console) {
    console.print(theme.json, Table([theme]), ifEmpty: "")
  }
}

extension Parameter {
  fileprivate static var themes: Parameter<[Library.Theme]> {
    let operand = Operand.some("THEME", help: "the theme's number, or its title")
    return .init(operand: operand) { arguments in
      let words = arguments.operands
      return { client, _ in
        guard words.allSatisfy({ Int64($0) != nil }) else { return [try await client.theme(words)] }
        var themes: [Library.Theme] = []
        for word in words { themes.append(try await client.theme([word])) }
        return themes
      }
    }
  }

  /// The options that describe a theme, as the change of a theme; nil for a new one.
  fileprivate static var themeLook: Parameter<(Library.Theme?) async throws -> Library.SaveTheme> {
    .init(options: [.themeRules, .text, .colours, .texture, .themeCover]) { arguments in
      { client, _ in { try await client.change(of: $0, arguments) } }
    }
  }
}

extension Client {
  /// Returns the theme that words name: by its number, or by its title.
  ///
  /// - Throws: `client.nothingFound`, `client.titleAmbiguous`.
  fileprivate func theme(_ words: [String]) async throws -> Library.Theme {
    let word = words.joined(separator: " ")
    let themes = try await ask(Library.ListThemes()).items
    if let numbered = themes.first(where: { "\($0.id)" == word }) { return numbered }
    let named = themes.filter { $0.title.lowercased() == word.lowercased() }
    guard let only = named.first else {
      throw LunaraError("client.nothingFound", "There is no theme “\(word)”. `lunara themes` lists them.")
    }
    guard named.count == 1 else {
      let candidates = named.prefix(TitleChoice.shown).map { theme in
        "\(theme.id) (\(theme.title), \(Printable.count(theme.albumCount, "album")))"
      }
      throw LunaraError(
        "client.titleAmbiguous",
        "“\(word)” may mean several themes: \(candidates.joined(separator: "; ")). Give the number of one.")
    }
    return only
  }

  /// Returns the ids of albums by their ids or titles.
  fileprivate func albums(_ words: [String]) async throws -> [AlbumID] {
    var found: [AlbumID] = []
    for word in words { found.append(try await id([word]) { try $0.album() }) }
    return found
  }

  /// Returns the change of a theme that the options describe; nil for a new one.
  fileprivate func change(of theme: Library.Theme?, _ arguments: Arguments) async throws -> Library.SaveTheme {
    var request = Library.SaveTheme(
      id: theme?.id, text: arguments.value(.text),
      rules: try arguments.value(.themeRules).map { try RuleWords.json(where: $0) })
    if let cover = arguments.value(.themeCover) { request.cover = try await id([cover]) { try $0.album() } }
    guard arguments.has(.colours) || arguments.has(.texture) else { return request }
    var look = theme?.look ?? Library.ThemeLook(first: "#9c3a1a", second: "#efe6d8", texture: .linen)
    if let colours = arguments.value(.colours) {
      let parts = colours.split(separator: ",").map { String($0).filter { $0 != " " } }
      guard parts.count == 2 else { throw UsageError("--colours has two colours, such as #9c3a1a,#efe6d8.") }
      look.first = parts[0]
      look.second = parts[1]
    }
    if let name = arguments.value(.texture) {
      guard let texture = Library.ThemeTexture(word: name) else {
        throw UsageError("There is no texture “\(name)”. There are linen, wood, paper, velvet and plain.")
      }
      look.texture = texture
    }
    request.look = look
    return request
  }
}

extension Library.Theme: TableRow {
  var row: [Table.Cell] {
    [
      .number("\(id)"), .strong(title), .number(Printable.count(albumCount, "album")),
      .faint(rules == nil ? "picked" : "by rules"), .faint("\(look.first) \(look.second) \(look.texture.rawValue)"),
    ]
  }
}
