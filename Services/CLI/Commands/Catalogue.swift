import Bus
import Client
import Messages

extension Option {
  static let sort = Option("--sort", "ORDER", help: "name, added, year, played or random")
  static let seed = Option("--seed", "N", help: "the same random order again")
  static let tag = Option("--tag", "KIND:NAME", help: "with a genre, mood, style or year; a name alone is a genre")
  static let startingAt = Option("--starting-at", "TEXT", help: "begin where this would stand, in the order by name")
}

extension Command {
  static let albums = Command(
    name: "albums", summary: "the albums, by artist and title",
    examples: [
      "lunara albums": "the first hundred", "lunara albums --sort added --limit 10": "the newest ten",
      "lunara albums --tag mood:wistful --sort random": "some for a rainy day",
      "lunara albums --starting-at m": "from the artists with M on",
      "lunara albums --json --limit 200": "for programs; \"next\" is the cursor of the next page",
    ],
    options: [.sort, .seed, .tag, .startingAt, .after, .limit],
    action: .asynchronous { context in
      let order = try Order(context.arguments)
      let tag = try context.arguments.value(.tag).map { try Library.Tag(word: $0) }
      let start = context.arguments.value(.startingAt)
      guard start == nil || order.sort == .name else {
        throw UsageError("--starting-at goes with the order by name only.")
      }
      let client = try await Client(context)
      try await list(context, "albums") { after, limit in
        try await client.ask(
          Library.ListAlbums(
            after: after, limit: limit, sort: order.sort, seed: order.seed, tag: tag, startingAt: start),
          of: .library)
      }
    })

  static let artists = Command(
    name: "artists", summary: "the artists who have albums, by name",
    examples: ["lunara artists": "the first hundred", "lunara artists --limit 1000": "all, most likely"],
    options: [.startingAt, .after, .limit],
    action: .asynchronous { context in
      let start = context.arguments.value(.startingAt)
      let client = try await Client(context)
      try await list(context, "artists") { after, limit in
        try await client.ask(
          Library.ListArtists(after: after, limit: limit, startingAt: start), of: .library)
      }
    })

  static let tracks = Command(
    name: "tracks", summary: "the tracks, by title",
    examples: [
      "lunara tracks --sort played --limit 20": "what was heard last",
      "lunara tracks --sort random --limit 10": "ten by chance",
    ],
    options: [.sort, .seed, .after, .limit],
    action: .asynchronous { context in
      let order = try Order(context.arguments)
      let client = try await Client(context)
      try await list(context, "tracks") { after, limit in
        try await client.ask(
          Library.ListTracks(after: after, limit: limit, sort: order.sort, seed: order.seed), of: .library)
      }
    })

  static let collections = Command(
    name: "collections", summary: "the collections, pinned ones first",
    examples: ["lunara collections": "all, most likely"], options: [.after, .limit],
    action: .asynchronous { context in
      let client = try await Client(context)
      try await list(context, "collections") { after, limit in
        try await client.ask(Library.ListCollections(after: after, limit: limit), of: .library)
      }
    })

  static let playlists = Command(
    name: "playlists", summary: "the playlists, by title",
    examples: ["lunara playlists": "all, most likely"], options: [.after, .limit],
    action: .asynchronous { context in
      let client = try await Client(context)
      try await list(context, "playlists") { after, limit in
        try await client.ask(Library.ListPlaylists(after: after, limit: limit), of: .library)
      }
    })

  static let tags = Command(
    name: "tags", summary: "the genres, moods, styles or years that albums have",
    examples: [
      "lunara tags": "the genres, with how many albums each has",
      "lunara tags mood": "the moods; `lunara albums --tag mood:WORD` shows the albums of one",
    ],
    options: [.after, .limit],
    operand: Operand(name: "KIND", count: 0...1, help: "genre, mood, style or year; genre where none is given"),
    action: .asynchronous { context in
      let word = context.arguments.operands.first ?? Library.Tag.Kind.genre.rawValue
      guard let kind = Library.Tag.Kind(rawValue: word) else {
        throw UsageError("KIND is genre, mood, style or year, not “\(word)”.")
      }
      let client = try await Client(context)
      let name = context.arguments.operands.isEmpty ? "tags" : "tags \(word)"
      try await list(context, name) { after, limit in
        try await client.ask(Library.ListTags(of: kind, after: after, limit: limit), of: .library)
      }
    })

  /// Prints a list, reading as many pages as the limit asks for.
  private static func list(
    _ context: Context, _ name: String,
    _ read: (_ after: String?, _ limit: Int) async throws -> Library.Page<some JSONRepresentable & TableRow>
  ) async throws {
    let limit = try context.arguments.integer(.limit, in: 1...100_000) ?? 100
    let page = try await Client.list(upTo: limit, after: context.arguments.value(.after), read)
    if context.console.isJSON { return context.console.print(page.json) }
    context.console.print(Table(page.items))
    if let next = page.next { context.console.note("more: lunara \(name) --after '\(next)'") }
    if page.items.isEmpty { context.console.note("Nothing yet. `lunara status` shows the sources.") }
  }
}

private struct Order {
  let sort: Library.Sort
  let seed: Int64?

  init(_ arguments: Arguments) throws {
    sort = try arguments.choice(.sort, of: [.name, .added, .year, .played, .random]) ?? .name
    seed = try arguments.integer(.seed, in: .min ... .max).map { Int64($0) }
    guard seed == nil || sort == .random else { throw UsageError("--seed goes with --sort random.") }
  }
}

extension Library.Tag {
  /// Reads `mood:wistful`; a word without a kind is a genre.
  init(word: String) throws {
    let parts = word.split(separator: ":", maxSplits: 1).map(String.init)
    if parts.count == 2, let kind = Kind(rawValue: parts[0]) {
      self.init(kind: kind, name: parts[1])
    } else if !word.isEmpty {
      self.init(kind: .genre, name: word)
    } else {
      throw UsageError("--tag takes a word, such as “jazz” or “mood:wistful”.")
    }
  }
}
