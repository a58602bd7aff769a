import Bus
import Client
import Messages
import Model

extension Option {
  fileprivate static let similarCount = Option("--count", "N", help: "how many albums, up to 50")
}

extension Command {
  static let similar = Command(
    name: "similar", summary: "the albums of the library that are near one, each with its reason",
    discussion: "Nobody outside is asked. Albums of the same artist come last, and disliked ones are left out.",
    examples: ["lunara similar files:a3": "12 albums", "lunara similar files:a3 --count 50": "the most there are"],
    options: [.similarCount],
    operand: .some("ID", help: "the album's id, or its title", completes: .household(.albums)),
    action: .asynchronous { context in
      let count = try context.arguments.integer(.similarCount, in: 1...50) ?? 12
      let client = try await Client.startingDiscovery(context)
      let album = try await client.id(context.arguments.operands) { try $0.album() }
      let similar = try await client.ask(
        Discovery.ListSimilarAlbums(album: album, limit: count), of: .discovery, within: .seconds(12))
      context.console.print(
        similar.json,
        Table(
          similar.items.map { tile in
            [
              .faint(tile.id.map { "\($0)" } ?? ""), .strong(tile.title), .init(tile.artist),
              .number(tile.year.map { "\($0)" } ?? ""), .init(tile.reason),
            ]
          }), ifEmpty: "No album of the library is near it. Genre tags bring albums together: `lunara genres`.")
    })
}
