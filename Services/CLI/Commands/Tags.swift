import Bus
import Messages
import Model

extension Option {
  static let off = Option("--off", help: "put it back among the others")
}

extension Command {
  /// Lists the words that describe albums.
  static let tags = Command(
    name: "tags", summary: "the genres, moods, styles or years that albums have",
    examples: [
      .init("lunara tags", "the genres, with how many albums each has"),
      .init("lunara tags mood", "the moods; `lunara albums --tag mood:WORD` shows the albums of one"),
    ],
    options: [.after, .limit],
    operand: Operand(name: "KIND", count: 0...1, help: "genre, mood, style or year; genre where none is given"),
    action: .asynchronous { context in
      let word = context.arguments.operands.first ?? Library.Tag.Kind.genre.rawValue
      guard let kind = Library.Tag.Kind(rawValue: word) else {
        throw UsageError("KIND is genre, mood, style or year, not “\(word)”.")
      }
      let household = try await Client(context)
      let name = context.arguments.operands.isEmpty ? "tags" : "tags \(word)"
      try await list(context, name, Library.TagCount.add, \.json) { after, limit in
        try await household.ask(Library.ListTags(of: kind, after: after, limit: limit), of: .library)
      }
    })

  /// Puts a collection before the others.
  static let pin = Command(
    name: "pin", summary: "put a collection before the others, or back among them",
    examples: [
      .init("lunara pin \"Key Albums\"", "the first in `lunara collections` and on the page"),
      .init("lunara pin plex:c2 --off", "in its place by title again"),
    ],
    options: [.off], operand: .some("ID", help: "the collection's id, or its title"),
    action: .asynchronous { context in
      let isPinned = !context.arguments.has(.off)
      let household = try await Client(context)
      let id = try await household.id(context.arguments.operands) { try $0.collection().id }
      _ = try await household.ask(Library.Pin(id: id, isPinned: isPinned), of: .library, within: .seconds(30))
      context.console.isJSON
        ? context.console.print(.object(["id": .text(id), "isPinned": .bool(isPinned)]))
        : context.console.print("\(id): \(isPinned ? "pinned" : "not pinned")\n")
    })
}

extension Library.TagCount {
  /// The shape of a word in a list.
  var json: JSON { .object(["name": .string(name), "albums": .count(albums)]) }

  /// The row of a table.
  func add(to table: inout Table) {
    table.add(.strong(name), .number("\(albums) \(albums == 1 ? "album" : "albums")"))
  }
}
