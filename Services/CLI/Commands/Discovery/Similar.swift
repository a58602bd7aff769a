import Client
import Messages
import Model

extension Command {
  static let similar = Command(
    name: "similar", summary: "the albums of the library that are near one, each with its reason",
    discussion: "Nobody outside is asked. Albums of the same artist come last, and disliked ones are left out.",
    examples: ["lunara similar files:a3": "12 albums", "lunara similar files:a3 --count 50": "the most there are"],
    each: .albums(),
    takes: .integer("--count", in: 1...50, help: "how many albums, up to 50"),
    through: Client.startingDiscovery
  ) { client, console, album, count in
    let similar = try await client.ask(
      Discovery.ListSimilarAlbums(album: album, limit: count ?? 12), within: .seconds(12))
    console.print(
      similar.json,
      Table(
        similar.items.map { tile in
          [
            .faint(tile.id.map { "\($0)" } ?? ""), .strong(tile.title), .init(tile.artist),
            .number(tile.year.map { "\($0)" } ?? ""), .init(tile.reason),
          ]
        }), ifEmpty: "No album of the library is near it. Genre tags bring albums together: `lunara genres`.")
  }
}
