import Client
import Messages
import Model

extension Command {
  static let rediscover = Command(
    name: "rediscover", summary: "albums that you may have lost sight of, each with its reason",
    discussion: """
      Shelves of the day: what was first heard, added or released on this day of the calendar, what you love and have not
      heard for long, what was begun and not finished, what was never heard, and more by artists whom you play.
      """,
    examples: [
      "lunara rediscover": "the shelves of today", "lunara rediscover --day 2026-12-24": "those of another day",
      "lunara rediscover --limit 4": "at most four albums of each",
    ],
    takes: .text("--day", "DATE", help: "the shelves of another day, such as 2026-12-24"), .integer(.limit, in: 1...24)
  ) { client, console, day, limit in
    let found = try await client.ask(Library.ReadRediscovery(day: day, limit: limit ?? 12))
    if console.isJSON { return console.print(.list(found.shelves)) }
    guard !found.shelves.isEmpty else {
      return console.remark("There is no album yet. `lunara status` shows the sources.")
    }
    for (index, shelf) in found.shelves.enumerated() {
      console.print("\(index == 0 ? "" : "\n")\(console.style.strong(Printable.line(shelf.title)))\n")
      console.print(Table(shelf.items))
    }
  }
}

extension Library.ExplainedAlbum: TableRow {
  var row: [Table.Cell] {
    [
      .faint("\(album.id)"), .strong(album.title), .init(album.artist), .number(album.year.map { "\($0)" } ?? ""),
      .init(reason),
    ]
  }
}
