import Bus
import Client
import Messages
import Model

extension Command {
  /// The commands that show one thing of the catalogue.
  static let catalogueItems = [
    item(
      "album", summary: "one album with its tracks",
      examples: [
        .init("lunara album files:a3", "by its id"),
        .init("lunara album \"Night Lines\"", "by its title, if only one fits"),
      ], Client.album, Library.AlbumPage.print),
    item(
      "artist", summary: "one artist with their albums", help: "the artist's id, or name",
      examples: [.init("lunara artist files:r3", "by the id"), .init("lunara artist \"Nova\"", "by the name")],
      Client.artist, Library.ArtistPage.print),
    item(
      "track", summary: "one track, and where it can be had from",
      examples: [.init("lunara track files:t31", "by its id"), .init("lunara track \"Last Tram\"", "by its title")],
      Client.track, Library.TrackDetail.print),
    item(
      "collection", summary: "one collection with what it holds",
      examples: [.init("lunara collection plex:c2", "by its id"), .init("lunara collection \"Key\"", "by its title")],
      Client.collection, Library.CollectionPage.print),
    item(
      "playlist", summary: "one playlist with its tracks",
      examples: [.init("lunara playlist plex:p2", "by its id"), .init("lunara playlist \"Drive\"", "by its title")],
      Client.playlist, Library.PlaylistPage.print),
  ]

  /// Returns a command that shows one thing by its id or title.
  private static func item<Item: JSONRepresentable & SendableMetatype>(
    _ name: String, summary: String, help: String? = nil, examples: [Example],
    _ read: @escaping @Sendable (Client) -> ([String]) async throws -> Item,
    _ print: @escaping @Sendable (Item) -> (Console) -> Void
  ) -> Command {
    Command(
      name: name, summary: summary, examples: examples,
      operand: .some("ID", help: help ?? "the \(name)'s id, or its title"),
      action: .asynchronous { context in
        let item = try await read(try await Client(context))(context.arguments.operands)
        context.console.isJSON ? context.console.print(item.json) : print(item)(context.console)
      })
  }

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
