import Bus
import Messages
import Model

extension Command {
  /// Shows and edits a room's queue.
  static let queue = Command(
    name: "queue", summary: "what is queued in a room",
    discussion: "N and M are the places that `lunara queue` shows, from 1; the entry ids of its JSON do as well.",
    examples: [
      .init("lunara queue", "all of it, what plays marked"), .init("lunara queue remove 3", "without the third"),
      .init("lunara queue move 5 2", "the fifth becomes the second"), .init("lunara queue clear", "nothing is left"),
    ], options: [.room],
    commands: [
      Command(
        name: "clear", summary: "remove everything and stop",
        examples: [.init("lunara queue clear", "in the only room")],
        options: [.room], action: .asynchronous { try await edit($0) { _ in .clear } }),
      Command(
        name: "remove", summary: "remove one item", examples: [.init("lunara queue remove 3", "the third")],
        options: [.room], operand: .one("N", help: "its place, from 1, or its entry id"),
        action: .asynchronous { context in
          try await edit(context) { .remove(at: try $0.place(context.arguments.operands[0])) }
        }),
      Command(
        name: "move", summary: "move one item to another place",
        examples: [.init("lunara queue move 5 2", "the fifth becomes the second")], options: [.room],
        operand: .exactly(2, "N", help: "its place and the new one, from 1, or entry ids"),
        action: .asynchronous { context in
          let words = context.arguments.operands
          try await edit(context) { .move(from: try $0.place(words[0]), to: try $0.place(words[1])) }
        }),
    ],
    action: .asynchronous { context in
      let household = try await BusHousehold(context)
      let room = try await household.room(for: context)
      let view = try await household.queue(of: room)
      if context.console.isJSON { return context.console.print(view.json) }
      view.items.isEmpty
        ? context.console.note("Nothing is queued in \(room).") : context.console.print(view.table)
    })

  private static func edit(
    _ context: Context, _ edit: (QueueView) throws -> Playback.EditQueue.Edit
  ) async throws {
    let household = try await BusHousehold(context)
    let room = try await household.room(for: context)
    let change = try edit(try await household.queue(of: room))
    let summary = try await household.ask(Playback.EditQueue(change), of: .playback(room))
    if context.console.isJSON { return context.console.print(summary.json) }
    context.console.print("\(summary.count) \(summary.count == 1 ? "item" : "items") in \(room)\n")
  }
}

extension QueueView {
  /// The index that a place or an entry id stands for.
  ///
  /// - Throws: `cli.noSuchPlace`, or a `UsageError` for what is neither.
  func place(_ word: String) throws -> Int {
    if let index = items.firstIndex(where: { $0.entry.rawValue == word }) { return index }
    guard let place = Int(word) else {
      guard word.utf8.count == 20 else { throw UsageError("N is a place from 1 or an entry id, not “\(word)”.") }
      throw LunaraError("cli.noSuchPlace", "The entry \(word) is not in the queue of \(room) any more.")
    }
    guard items.indices.contains(place - 1) else {
      throw LunaraError(
        "cli.noSuchPlace",
        items.isEmpty
          ? "The queue of \(room) is empty." : "The queue of \(room) has the places 1 to \(items.count), not \(place).")
    }
    return place - 1
  }
}

extension Household {
  /// A room's whole queue, read page by page until one revision is complete.
  func queue(of room: RoomName) async throws -> QueueView {
    let node = NodeID.playback(room)
    for _ in 0..<5 {
      var page = try await ask(Playback.ReadQueue(), of: node)
      let revision = page.revision
      var items = page.items
      while items.count < page.count, !page.items.isEmpty, page.revision == revision {
        page = try await ask(Playback.ReadQueue(first: items.count), of: node)
        items += page.items
      }
      // Somebody changed it meanwhile: what was read does not fit together.
      guard page.revision == revision else { continue }
      let state = try await state(Playback.RoomState.self, of: node, within: .seconds(5))
      let position = state.map { RoomView($0).position } ?? .zero
      return QueueView(room: room, current: page.current, items: items, position: position)
    }
    throw LunaraError("cli.queueKeepsChanging", "The queue of \(room) keeps changing while it is read. Try again.")
  }
}
