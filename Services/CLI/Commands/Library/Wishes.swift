import Bus
import Client
import Messages
import Model

extension Command {
  static let wishes: Command = Command(
    name: "wishes", summary: "the albums and artists that you wish for, the latest first",
    discussion: """
      A wish leaves the list once it is in the library. What a linked provider has and the library lacks is a wish as
      well; one of these that you remove does not come back for a year.
      """,
    examples: [
      "lunara wishes": "all, with the providers that have them",
      "lunara wishes add \"Alice Coltrane\" \"Eternity\"": "an album",
      "lunara wishes remove 1": "by its number",
    ],
    options: [.after, .limit], commands: [addWish, removeWish],
    action: .asynchronous { context in
      let client = try await Client(context)
      try await list(context, wishes) { after, limit in
        try await client.ask(Library.ListWishes(after: after, limit: limit), of: .library)
      }
    })

  private static let addWish = Command(
    name: "add", summary: "wish for an album or an artist",
    examples: [
      "lunara wishes add \"Alice Coltrane\" \"Eternity\"": "an album", "lunara wishes add Moondog": "whatever there is",
    ],
    operand: Operand(name: "ARTIST [ALBUM]", count: 1...2, help: "the artist, and the album if one is meant"),
    action: .asynchronous { context in
      let words = context.arguments.operands
      let wish = try await Client(context).ask(
        Library.AddWish(artist: words[0], album: words.dropFirst().first), of: .library)
      context.console.print(wish.json, text: wish.line + "\n")
    })

  private static let removeWish = Command(
    name: "remove", summary: "no longer wish for something",
    examples: ["lunara wishes remove 1": "by the number that `lunara wishes` shows"],
    operand: .one("NUMBER", help: "the number of the wish"),
    action: .asynchronous { context in
      guard let id = Int64(context.arguments.operands[0]) else {
        throw UsageError("A wish is named by its number, not “\(context.arguments.operands[0])”.")
      }
      _ = try await Client(context).ask(Library.RemoveWish(id: id), of: .library)
      context.console.print(.object(["removed": .count(id)]), text: "Wish \(id) is removed.\n")
    })
}

extension Library.Wish: TableRow {
  var row: [Table.Cell] {
    [
      .number("\(id)"), .strong(album ?? artist), .init(album == nil ? "" : artist),
      .faint(providers.joined(separator: ", ")),
    ]
  }

  fileprivate var line: String {
    Printable.line("\(id)  " + [artist, album].compactMap(\.self).joined(separator: " – "))
  }
}
