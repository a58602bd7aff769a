import Bus
import Client
import Messages

extension Command {
  static let catalogueItems = [
    item(
      "album", summary: "one album with its tracks",
      examples: [
        "lunara album files:a3": "by its id",
        "lunara album \"Night Lines\"": "by its title, if only one fits",
      ], Client.album, Library.AlbumPage.print),
    item(
      "artist", summary: "one artist with their albums", help: "the artist's id, or name",
      examples: ["lunara artist files:r3": "by the id", "lunara artist \"Nova\"": "by the name"],
      Client.artist, Library.ArtistPage.print),
    item(
      "track", summary: "one track, and where it can be had from",
      examples: ["lunara track files:t31": "by its id", "lunara track \"Last Tram\"": "by its title"],
      Client.track, Library.TrackDetail.print),
    item(
      "collection", summary: "one collection with what it holds",
      examples: ["lunara collection plex:c2": "by its id", "lunara collection \"Key\"": "by its title"],
      Client.collection, Library.CollectionPage.print),
    item(
      "playlist", summary: "one playlist with its tracks",
      examples: ["lunara playlist plex:p2": "by its id", "lunara playlist \"Drive\"": "by its title"],
      Client.playlist, Library.PlaylistPage.print),
  ]

  private static func item<Item: JSONRepresentable & SendableMetatype>(
    _ name: String, summary: String, help: String? = nil, examples: KeyValuePairs<String, String>,
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

  static let search = Command(
    name: "search", summary: "artists, albums, tracks and collections; each word may be a beginning",
    examples: [
      "lunara search night": "all that has a word beginning so", "lunara search mar orch": "both",
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
