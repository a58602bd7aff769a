import Bus
import Messages
import Model

extension Operand {
  /// One thing by its id or title.
  fileprivate static func thing(_ name: String) -> Operand {
    .some("ID", help: "the \(name)'s id, or its title")
  }
}

extension Command {
  /// One thing of each kind.
  static let things = [album, artist, track, collection, playlist]

  private static let album = Command(
    name: "album", summary: "one album with its tracks",
    examples: [
      .init("lunara album files:a3", "by its id"),
      .init("lunara album \"Night Lines\"", "by its title, if only one fits"),
    ],
    operand: .thing("album"),
    action: .asynchronous { context in
      let page = try await Client(context).album(context.arguments.operands)
      context.console.isJSON ? context.console.print(page.json) : page.print(to: context.console)
    })

  private static let artist = Command(
    name: "artist", summary: "one artist with their albums",
    examples: [.init("lunara artist files:r3", "by the id"), .init("lunara artist \"Nova\"", "by the name")],
    operand: .some("ID", help: "the artist's id, or name"),
    action: .asynchronous { context in
      let page = try await Client(context).artist(context.arguments.operands)
      context.console.isJSON ? context.console.print(page.json) : page.print(to: context.console)
    })

  private static let track = Command(
    name: "track", summary: "one track, and where it can be had from",
    examples: [.init("lunara track files:t31", "by its id"), .init("lunara track \"Last Tram\"", "by its title")],
    operand: .thing("track"),
    action: .asynchronous { context in
      let detail = try await Client(context).track(context.arguments.operands)
      context.console.isJSON ? context.console.print(detail.json) : detail.print(to: context.console)
    })

  private static let collection = Command(
    name: "collection", summary: "one collection with what it holds",
    examples: [.init("lunara collection plex:c2", "by its id"), .init("lunara collection \"Key\"", "by its title")],
    operand: .thing("collection"),
    action: .asynchronous { context in
      let page = try await Client(context).collection(context.arguments.operands)
      context.console.isJSON ? context.console.print(page.json) : page.print(to: context.console)
    })

  private static let playlist = Command(
    name: "playlist", summary: "one playlist with its tracks",
    examples: [.init("lunara playlist plex:p2", "by its id"), .init("lunara playlist \"Drive\"", "by its title")],
    operand: .thing("playlist"),
    action: .asynchronous { context in
      let page = try await Client(context).playlist(context.arguments.operands)
      context.console.isJSON ? context.console.print(page.json) : page.print(to: context.console)
    })

  /// Searches the catalogue.
  static let search = Command(
    name: "search", summary: "artists, albums, tracks and collections; each word may be a beginning",
    examples: [
      .init("lunara search night", "all that has a word beginning so"), .init("lunara search mar orch", "both"),
    ],
    options: [.limit],
    operand: .some("WORDS", help: "words of titles and names; case and accents do not matter"),
    action: .asynchronous { context in
      let limit = try context.arguments.integer(.limit, in: 1...100) ?? 50
      let words = context.arguments.operands.joined(separator: " ")
      let found = try await Client(context).ask(Library.Search(words: words, limit: limit), of: .library)
      context.console.isJSON ? context.console.print(found.json) : found.print(to: context.console)
    })
}
