import Client
import Messages
import Model

extension Option {
  static let tag = Option(
    "--tag", "KIND:NAME", repeats: true,
    help: "only with this genre, composer, label …; a name alone is a genre; `lunara tags --help` lists the kinds")
  static let without = Option("--without", "KIND:NAME", repeats: true, help: "only without this")
  static let startingAt = Option("--starting-at", "TEXT", help: "begin where this would stand, in the order by name")
}

extension Command {
  static let albums = list(
    "albums", "the albums, by artist and title",
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
    takes: .order, .tags,
    Parameter(.startingAt) { arguments in
      let start = arguments.value(.startingAt)
      guard try start == nil || arguments.order().sort == .name else { throw UsageError.startGoesWithNames }
      return start
    },
    .flag(.editions)
  ) { client, after, limit, order, tags, start, editions in
    try await client.ask(
      Library.ListAlbums(
        after: after, limit: limit, sort: order.sort, seed: order.seed, tags: tags, isReversed: order.isReversed,
        startingAt: start, editions: editions ? true : nil))
  }

  static let tracks = list(
    "tracks", "the tracks, by title",
    examples: [
      "lunara tracks --sort played --limit 20": "what was heard last",
      "lunara tracks --sort random --limit 10": "ten by chance",
      "lunara tracks --sort rating --limit 50": "the fifty best by your stars",
      "lunara tracks --tag composer:bach --tag rating:4": "the best ones that Bach composed",
    ],
    takes: .order, .tags
  ) { client, after, limit, order, tags in
    try await client.ask(
      Library.ListTracks(
        after: after, limit: limit, sort: order.sort, seed: order.seed, tags: tags, isReversed: order.isReversed))
  }

  static let collections = list(
    "collections", "the collections, pinned ones first",
    examples: ["lunara collections": "all, most likely", "lunara collections --sort items": "the largest first"],
    takes: .collectionSort
  ) { client, after, limit, sort in
    try await client.ask(Library.ListCollections(after: after, limit: limit, sort: sort))
  }

  /// Returns a command that prints a page of a list, or as many pages as `--limit` needs.
  static func list<Item: JSONRepresentable & TableRow, each Value>(
    _ name: String, _ summary: String, discussion: String = "", examples: KeyValuePairs<String, String>,
    takes parameters: repeat Parameter<each Value>, commands: [Command] = [],
    hint: String = "`lunara status` shows the sources.",
    read:
      @escaping @Sendable (Client, _ after: String?, _ limit: Int, repeat each Value) async throws ->
      Library.Page<Item>
  ) -> Command {
    var command = Command(
      name: name, summary: summary, discussion: discussion, examples: examples,
      takes: .context(), .pageLimit(100), repeat each parameters, commands: commands
    ) { (client: Client, console: Console, context: Context, limit: Int, values: repeat each Value) in
      let page = try await Client.list(upTo: limit, after: context.arguments.value(.after)) {
        try await read(client, $0, $1, repeat each values)
      }
      print(page, of: name, hint: hint, context)
    }
    command.options += [.after, .limit]
    return command
  }

  /// Prints a page of a list, and how to continue.
  static func print(
    _ page: Library.Page<some JSONRepresentable & TableRow>, of name: String, hint: String, _ context: Context
  ) {
    let (console, arguments) = (context.console, context.arguments)
    if console.isJSON { return console.print(page.json) }
    console.print(Table(page.items))
    console.remark(more: page.next, arguments)
    guard page.items.isEmpty else { return }
    // Behind a cursor, and with a filter, an empty page says nothing about the library.
    if arguments.has(.after) { return console.remark("There are no more \(name).") }
    let filter = arguments.filter([.tag, .without, .among, .startingAt, .role])
    console.remark(filter.map { "No \(name) for \($0)." } ?? "There are no \(name) yet. \(hint)")
  }
}

extension Console {
  /// Prints the command for the next page, if there is one.
  func remark(more next: String?, _ arguments: Arguments) {
    if let next { remark("more: " + arguments.commandLine(with: .after, next)) }
  }
}

extension UsageError {
  static let startGoesWithNames = UsageError("--starting-at goes with the order by name only.")
}

extension Parameter {
  /// The value of `--limit`. The command has the option beside it.
  static func pageLimit(_ usual: Int) -> Parameter<Int> {
    Parameter<Int> { try $0.integer(.limit, in: 1...100_000) ?? usual }
  }

  fileprivate static var order: Parameter<Order> {
    Parameter<Order>(.sort, .reverse, .seed) { try $0.order() }
  }

  fileprivate static var collectionSort: Parameter<Library.CollectionSort?> {
    let option = Option("--sort", "ORDER", help: "name or items", completes: .words(["name", "items"]))
    return Parameter<Library.CollectionSort?>(option) { try $0.word(option, ["name": .name, "items": .items]) }
  }

  fileprivate static var tags: Parameter<[Library.Tag]?> { Parameter<[Library.Tag]?>(.tag, .without) { try $0.tags() } }
}

extension Option {
  fileprivate static let sort = Option(
    "--sort", "ORDER", help: "name, title, added, year, played, rating, plays or random",
    completes: .words(sorts.map(\.rawValue)))
  fileprivate static let sorts: [Library.Sort] = [.name, .title, .added, .year, .played, .rating, .plays, .random]
  static let reverse = Option("--reverse", help: "the opposite order")
  fileprivate static let seed = Option("--seed", "N", help: "the same random order again")
}

extension Arguments {
  fileprivate func order() throws -> Order {
    let sorts = Dictionary(uniqueKeysWithValues: Option.sorts.map { ($0.rawValue, $0) })
    let sort = try word(.sort, sorts) ?? .name
    let isReversed = has(.reverse) ? true : nil
    let seed = try integer(.seed, in: .min ... .max).map { Int64($0) }
    guard seed == nil || sort == .random else { throw UsageError("--seed goes with --sort random.") }
    guard isReversed == nil || sort != .random else { throw UsageError("--reverse does not go with --sort random.") }
    return (sort, seed, isReversed)
  }
}

/// `isReversed` is true for the opposite order, and nil for the usual one.
private typealias Order = (sort: Library.Sort, seed: Int64?, isReversed: Bool?)

extension Command {
  static let catalogueItems = [
    item(
      "album", .albums(), summary: "one album with its tracks",
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

  private static func item<Kind, Item: JSONRepresentable & SendableMetatype>(
    _ name: String, _ ids: Parameter<[ItemID<Kind>]>, summary: String, examples: KeyValuePairs<String, String>,
    _ read: @escaping @Sendable (Client) -> ([String]) async throws -> Item,
    _ print: @escaping @Sendable (Item) -> (Console) -> Void
  ) -> Command {
    Command(name: name, summary: summary, examples: examples, each: ids) { client, console, id in
      let item = try await read(client)(["\(id)"])
      console.isJSON ? console.print(item.json) : print(item)(console)
    }
  }

  static let search = Command(
    name: "search", summary: "what in the library and your notes fits words, each of which may be a beginning",
    examples: [
      "lunara search night": "everything with a word that begins with “night”", "lunara search mar orch": "both",
      "lunara search 70s": "the decade, beside titles with the word",
      "lunara search tram --everywhere": "and then what plugins find",
      "lunara search rain --notes": "only what you wrote",
    ],
    takes: .integer(.limit, in: 1...100), .flag(.everywhere), .flag(.inNotes),
    .operands("WORDS", help: "words of titles, names and notes; case and accents do not matter"),
    refuses: [.both("--everywhere", "--notes")]
  ) { client, console, limit, isEverywhere, inNotes, words in
    let words = words.joined(separator: " ")
    var found = try await client.ask(Library.Search(words: words, limit: limit ?? 50, inNotes: true))
    if inNotes { found = .init(artists: [], albums: [], tracks: [], notes: found.notes) }
    let nothing = inNotes ? "No note has “\(words)”." : "Nothing found for “\(words)”."
    guard isEverywhere else {
      if console.isJSON { return console.print(try found.json) }
      return found.hasNothing ? console.remark(nothing) : found.print(to: console)
    }
    // The library's hits are there at once; those of plugins follow as they come.
    if !console.isJSON, !found.hasNothing { found.print(to: console) }
    let elsewhere = try await client.searchPlugins(words) { console.show($0) }
    if console.isJSON { return console.print(try found.json.with(["plugins": elsewhere])) }
    if found.hasNothing, elsewhere.allSatisfy(\.hasNothing) { console.remark(nothing) }
  }
}
