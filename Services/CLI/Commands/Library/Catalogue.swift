import Bus
import Client
import Messages
import Model

extension Option {
  static let sort = Option(
    "--sort", "ORDER", help: "name, title, added, year, played, rating, plays or random",
    completes: .words(["name", "title", "added", "year", "played", "rating", "plays", "random"]))
  static let reverse = Option("--reverse", help: "the opposite order")
  static let seed = Option("--seed", "N", help: "the same random order again")
  static let tag = Option(
    "--tag", "KIND:NAME", repeats: true,
    help: "only with this genre, composer, label …; a name alone is a genre; `lunara tags --help` lists the kinds")
  static let without = Option("--without", "KIND:NAME", repeats: true, help: "only without this")
  static let startingAt = Option("--starting-at", "TEXT", help: "begin where this would stand, in the order by name")
}

extension Command {
  static let albums: Command = Command(
    name: "albums", summary: "the albums, by artist and title",
    examples: [
      "lunara albums": "the first hundred", "lunara albums --sort added --limit 10": "the newest ten",
      "lunara albums --tag mood:wistful --sort random": "some for a rainy day",
      "lunara albums --sort plays --reverse": "the least heard first",
      "lunara albums --tag jazz --tag blues --tag decade:1960 --without type:live":
        "jazz or blues of the sixties that was not recorded live",
      "lunara albums --tag rating:4 --tag added:365d --tag unplayed": "good ones of this year, not heard yet",
      "lunara albums --starting-at m": "from the artists with M on",
      "lunara albums --editions": "every edition; else one of each album is listed",
      "lunara albums --json --limit 200": "for programs; \"next\" is the cursor of the next page",
    ],
    options: [.sort, .reverse, .seed, .tag, .without, .startingAt, .editions, .after, .limit],
    action: .asynchronous { context in
      let order = try Order(context.arguments)
      let tags = try context.arguments.tags()
      let start = context.arguments.value(.startingAt)
      guard start == nil || order.sort == .name else {
        throw UsageError("--starting-at goes with the order by name only.")
      }
      let client = try await Client(context)
      try await list(context, albums) { after, limit in
        try await client.ask(
          Library.ListAlbums(
            after: after, limit: limit, sort: order.sort, seed: order.seed, tags: tags, isReversed: order.isReversed,
            startingAt: start, editions: context.arguments.has(.editions) ? true : nil),
          of: .library)
      }
    })

  static let tracks: Command = Command(
    name: "tracks", summary: "the tracks, by title",
    examples: [
      "lunara tracks --sort played --limit 20": "what was heard last",
      "lunara tracks --sort random --limit 10": "ten by chance",
      "lunara tracks --sort rating --limit 50": "the fifty best by your stars",
      "lunara tracks --tag composer:bach --tag rating:4": "the best ones that Bach composed",
    ],
    options: [.sort, .reverse, .seed, .tag, .without, .after, .limit],
    action: .asynchronous { context in
      let order = try Order(context.arguments)
      let tags = try context.arguments.tags()
      let client = try await Client(context)
      try await list(context, tracks) { after, limit in
        try await client.ask(
          Library.ListTracks(
            after: after, limit: limit, sort: order.sort, seed: order.seed, tags: tags, isReversed: order.isReversed),
          of: .library)
      }
    })

  static let collections: Command = Command(
    name: "collections", summary: "the collections, pinned ones first",
    examples: ["lunara collections": "all, most likely"], options: [.after, .limit],
    action: .asynchronous { context in
      let client = try await Client(context)
      try await list(context, collections) { after, limit in
        try await client.ask(Library.ListCollections(after: after, limit: limit), of: .library)
      }
    })

  /// Prints a page of a list, or of as many pages as the limit needs.
  static func list(
    _ context: Context, _ command: Command,
    _ read: (_ after: String?, _ limit: Int) async throws -> Library.Page<some JSONRepresentable & TableRow>
  ) async throws {
    let limit = try context.arguments.integer(.limit, in: 1...100_000) ?? 100
    let page = try await Client.list(upTo: limit, after: context.arguments.value(.after), read)
    if context.console.isJSON { return context.console.print(page.json) }
    context.console.print(Table(page.items))
    if let next = page.next {
      context.console.note("more: " + context.arguments.commandLine(of: command, with: .after, next))
    }
    guard page.items.isEmpty else { return }
    // Behind a cursor, and with a tag or a start, an empty page says nothing about the library.
    let isWhole = [.after, .tag, .without, .among, .startingAt, .role].allSatisfy { !context.arguments.has($0) }
    let hint =
      switch command.name {
      case playlists.name: "`lunara playlists new NAME` makes one."
      case wishes.name: "`lunara wishes add ARTIST ALBUM` adds one."
      default: "`lunara status` shows the sources."
      }
    context.console.note(isWhole ? "There are no \(command.name) yet. \(hint)" : "There are none, or no more.")
  }
}

private struct Order {
  let sort: Library.Sort
  let seed: Int64?
  /// True for the opposite order; nil for false.
  let isReversed: Bool?

  init(_ arguments: Arguments) throws {
    sort =
      try arguments.choice(.sort, of: [.name, .title, .added, .year, .played, .rating, .plays, .random]) ?? .name
    isReversed = arguments.has(.reverse) ? true : nil
    seed = try arguments.integer(.seed, in: .min ... .max).map { Int64($0) }
    guard seed == nil || sort == .random else { throw UsageError("--seed goes with --sort random.") }
    guard isReversed == nil || sort != .random else { throw UsageError("--reverse does not go with --sort random.") }
  }
}

extension Command {
  static let catalogueItems = [
    item(
      "album", .albums, summary: "one album with its tracks",
      examples: [
        "lunara album files:a3": "by its id",
        "lunara album \"Night Lines\"": "by its title, if only one fits",
      ], Client.album, Library.AlbumPage.print),
    artist,
    track,
    item(
      "collection", .collections, summary: "one collection with what it holds",
      examples: ["lunara collection plex:c2": "by its id", "lunara collection \"Key\"": "by its title"],
      Client.collection, Library.CollectionPage.print),
    item(
      "playlist", .playlists, summary: "one playlist with its tracks",
      examples: ["lunara playlist plex:p2": "by its id", "lunara playlist \"Drive\"": "by its title"],
      Client.playlist, Library.PlaylistPage.print),
  ]

  private static func item<Item: JSONRepresentable & SendableMetatype>(
    _ name: String, _ values: CompletionValues.Kind, summary: String, help: String? = nil,
    examples: KeyValuePairs<String, String>,
    _ read: @escaping @Sendable (Client) -> ([String]) async throws -> Item,
    _ print: @escaping @Sendable (Item) -> (Console) -> Void
  ) -> Command {
    Command(
      name: name, summary: summary, examples: examples,
      operand: .some("ID", help: help ?? "the \(name)'s id, or its title", completes: .household(values)),
      action: .asynchronous { context in
        let item = try await read(try await Client(context))(context.arguments.operands)
        context.console.isJSON ? context.console.print(item.json) : print(item)(context.console)
      })
  }

  static let search = Command(
    name: "search", summary: "what in the library fits words, each of which may be a beginning",
    examples: [
      "lunara search night": "everything with a word that begins with “night”", "lunara search mar orch": "both",
      "lunara search 70s": "the decade, beside titles with the word",
      "lunara search tram --everywhere": "and then what plugins find",
      "lunara search rain --notes": "and what you wrote",
    ],
    options: [.limit, .everywhere, .inNotes],
    operand: .some("WORDS", help: "words of titles and names; case and accents do not matter"),
    action: .asynchronous { context in
      let limit = try context.arguments.integer(.limit, in: 1...100) ?? 50
      let words = context.arguments.operands.joined(separator: " ")
      let client = try await Client(context)
      let found = try await client.ask(
        Library.Search(words: words, limit: limit, inNotes: context.arguments.has(.inNotes) ? true : nil), of: .library)
      guard context.arguments.has(.everywhere) else {
        return context.console.isJSON ? context.console.print(try found.json) : found.print(to: context.console)
      }
      // The library's hits are there at once; those of plugins follow as they come.
      if !context.console.isJSON { found.print(to: context.console) }
      let elsewhere = try await client.searchPlugins(words) { context.console.show($0) }
      if context.console.isJSON { context.console.print(try found.json.with(["plugins": elsewhere])) }
    })
}
