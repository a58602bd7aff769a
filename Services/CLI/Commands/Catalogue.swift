import Bus
import Messages
import Model

extension Option {
  static let sort = Option("--sort", "ORDER", help: "name, added, year, played or random")
}

extension Command {
  /// Lists albums.
  static let albums = Command(
    name: "albums", summary: "the albums, by artist and title",
    examples: [
      .init("lunara albums", "the first hundred"), .init("lunara albums --sort added --limit 10", "the newest ten"),
      .init("lunara albums --json --limit 200", "for programs; \"next\" is the cursor of the next page"),
    ],
    options: [.sort, .after, .limit],
    action: .asynchronous { context in
      let sort = try context.arguments.choice(.sort, of: [Library.Sort.name, .added, .year, .played, .random])
      let household = try await BusHousehold(context)
      try await list(context, "albums", Album.add, \.json) { after, limit in
        try await household.ask(
          Library.ListAlbums(after: after, limit: limit, sort: sort ?? .name), of: .library)
      }
    })

  /// Lists artists.
  static let artists = Command(
    name: "artists", summary: "the artists who have albums, by name",
    examples: [.init("lunara artists", "the first hundred"), .init("lunara artists --limit 1000", "all, most likely")],
    options: [.after, .limit],
    action: .asynchronous { context in
      let household = try await BusHousehold(context)
      try await list(context, "artists", Artist.add, \.json) { after, limit in
        try await household.ask(Library.ListArtists(after: after, limit: limit), of: .library)
      }
    })

  /// Shows one album.
  static let album = Command(
    name: "album", summary: "one album with its tracks",
    examples: [
      .init("lunara album files:a3", "by its id"),
      .init("lunara album \"Night Lines\"", "by its title, if only one fits"),
    ],
    operand: .some("ID", help: "the album's id, or its title"),
    action: .asynchronous { context in
      let page = try await BusHousehold(context).album(context.arguments.operands)
      context.console.isJSON ? context.console.print(page.json) : page.print(to: context.console)
    })

  /// Searches the catalogue.
  static let search = Command(
    name: "search", summary: "artists, albums and tracks; each word may be a beginning",
    examples: [
      .init("lunara search night", "all that has a word beginning so"), .init("lunara search mar orch", "both"),
    ],
    options: [.limit],
    operand: .some("WORDS", help: "words of titles and names; case and accents do not matter"),
    action: .asynchronous { context in
      let limit = try context.arguments.integer(.limit, in: 1...100) ?? 50
      let words = context.arguments.operands.joined(separator: " ")
      let found = try await BusHousehold(context).ask(Library.Search(words: words, limit: limit), of: .library)
      context.console.isJSON ? context.console.print(found.json) : found.print(to: context.console)
    })

  /// Prints a list, reading as many pages as the limit asks for.
  private static func list<Item>(
    _ context: Context, _ name: String, _ row: (Item) -> (inout Table) -> Void, _ json: (Item) -> JSON,
    _ read: (_ after: String?, _ limit: Int) async throws -> Library.Page<Item>
  ) async throws {
    let limit = try context.arguments.integer(.limit, in: 1...100_000) ?? 100
    var page = Library.Page<Item>(items: [], next: context.arguments.value(.after))
    repeat {
      let part = try await read(page.next, min(200, limit - page.items.count))
      page.items += part.items
      page.next = part.items.isEmpty ? nil : part.next
    } while page.next != nil && page.items.count < limit
    if context.console.isJSON { return context.console.print(.page(page.items, next: page.next, json)) }
    var table = Table()
    for item in page.items { row(item)(&table) }
    context.console.print(table)
    if let next = page.next { context.console.note("more: lunara \(name) --after '\(next)'") }
    if page.items.isEmpty { context.console.note("Nothing yet. `lunara status` shows the sources.") }
  }
}

extension Household {
  /// An album by its id or title, with all its tracks.
  func album(_ words: [String]) async throws -> Library.AlbumPage {
    let text = words.joined(separator: " ")
    let id: AlbumID
    if let given = TitleChoice.id(text) {
      id = AlbumID(source: given.source, native: given.native)
    } else {
      id = try TitleChoice(words: text, found: try await ask(Library.Search(words: text), of: .library)).album().id
    }
    var page = try await ask(Library.ReadAlbum(id: id), of: .library)
    while let next = page.next {
      let part = try await ask(Library.ReadAlbum(id: id, after: next), of: .library)
      page.tracks += part.tracks
      page.next = part.tracks.isEmpty ? nil : part.next
    }
    return page
  }
}

extension Library.AlbumPage {
  /// Prints it for people.
  func print(to console: Console) {
    let facts = [
      album.year.map { "\($0)" } ?? "", album.genres.joined(separator: ", "), album.duration.description,
      album.id.description,
    ]
    console.print("\(console.style.strong(Printable.line(album.title))) · \(Printable.line(album.artist))\n")
    let line = Printable.line(facts.filter { !$0.isEmpty }.joined(separator: " · "))
    console.print(console.style.faint(line) + "\n\n")
    let hasDiscs = tracks.contains { $0.disc > 1 }
    var table = Table()
    for track in tracks {
      let number = track.number.map { "\($0)" } ?? ""
      table.add(
        .number(hasDiscs ? "\(track.disc).\(number)" : number), .strong(track.title),
        Table.Cell(track.artist == album.artist ? "" : track.artist), .number(track.duration),
        .faint(track.id.description))
    }
    console.print(table)
  }
}

extension Library.SearchResults {
  /// Prints them for people.
  func print(to console: Console) {
    if isEmpty { return console.note("Nothing found.") }
    func section(_ name: String, _ fill: (inout Table) -> Void) {
      var table = Table()
      fill(&table)
      guard !table.isEmpty else { return }
      if console.width != nil { console.print(console.style.faint(name) + "\n") }
      console.print(table)
    }
    section("artists") { table in for artist in artists { artist.add(to: &table) } }
    section("albums") { table in for album in albums { album.add(to: &table) } }
    section("tracks") { table in
      for track in tracks {
        table.add(
          .faint(track.id.description), .strong(track.title), Table.Cell(track.artist), .faint(track.album),
          .number(track.duration))
      }
    }
  }
}
