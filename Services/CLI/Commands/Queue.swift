import Bus
import Messages
import Model

extension Option {
  fileprivate static let played = Option("--played", help: "what was played here instead, the newest first")
}

extension Command {
  /// Shows and edits a room's queue.
  static let queue = Command(
    name: "queue", summary: "what is queued in a room",
    discussion: "N and M are the places that `lunara queue` shows, from 1; the entry ids of its JSON do as well.",
    examples: [
      .init("lunara queue", "all of it, what plays marked"), .init("lunara queue remove 3", "without the third"),
      .init("lunara queue move 5 2", "the fifth becomes the second"), .init("lunara queue clear", "nothing is left"),
      .init("lunara queue shuffle albums", "its albums mixed, each in its own order"),
      .init("lunara queue shuffle off", "as it was queued"),
      .init("lunara queue --played --limit 5", "what was played last"),
    ], options: [.room, .played, .limit],
    commands: [
      Command(
        name: "clear", summary: "remove everything and stop",
        examples: [.init("lunara queue clear", "in the only room")],
        options: [.room], action: .asynchronous { try await edit($0) { _, _ in .clear } }),
      Command(
        name: "remove", summary: "remove one item", examples: [.init("lunara queue remove 3", "the third")],
        options: [.room], operand: .one("N", help: "its place, from 1, or its entry id"),
        action: .asynchronous { context in
          try await edit(context) { household, room in
            let item = try await household.place(context.arguments.operands[0], in: room)
            return .remove(at: item.index, of: item.entry)
          }
        }),
      Command(
        name: "move", summary: "move one item to another place",
        examples: [.init("lunara queue move 5 2", "the fifth becomes the second")], options: [.room],
        operand: .exactly(2, "N", help: "its place and the new one, from 1, or entry ids"),
        action: .asynchronous { context in
          let words = context.arguments.operands
          try await edit(context) { household, room in
            let item = try await household.place(words[0], in: room)
            return .move(from: item.index, to: try await household.place(words[1], in: room).index, of: item.entry)
          }
        }),
      Command(
        name: "shuffle", summary: "mix what is queued, or undo that; what plays plays on",
        examples: [
          .init("lunara queue shuffle", "its tracks"), .init("lunara queue shuffle albums", "its albums as a whole"),
          .init("lunara queue shuffle off", "as it was queued"),
        ],
        options: [.room],
        operand: Operand(name: "WHAT", count: 0...1, help: "tracks, albums or off (default tracks)"),
        action: .asynchronous { context in
          let word = context.arguments.operands.first ?? "tracks"
          guard let order = orders[word] else {
            throw UsageError("WHAT is tracks, albums or off, not “\(word)”.")
          }
          let household = try await Client(context)
          try await change(
            .order(order, seed: .random(in: 0...UInt64(Int64.max))), try await household.room(for: context), household,
            context.console)
        }),
    ],
    action: .asynchronous { context in
      let household = try await Client(context)
      let room = try await household.room(for: context)
      if context.arguments.has(.played) {
        let limit = try context.arguments.integer(.limit, in: 1...100) ?? 50
        return try await household.ask(Playback.ReadPlayed(limit: limit), of: .playback(room)).print(
          to: context.console)
      }
      guard !context.arguments.has(.limit) else { throw UsageError("--limit goes with --played.") }
      let view = try await household.queue(of: room)
      if context.console.isJSON { return context.console.print(view.json) }
      view.items.isEmpty
        ? context.console.note("Nothing is queued in \(room).") : context.console.print(view.table)
    })

  private static func edit(
    _ context: Context, _ edit: (Client, RoomName) async throws -> Playback.EditQueue.Edit
  ) async throws {
    let household = try await Client(context)
    let room = try await household.room(for: context)
    try await change(try await edit(household, room), room, household, context.console)
  }

  private static func change(
    _ edit: Playback.EditQueue.Edit, _ room: RoomName, _ household: Client, _ console: Console
  ) async throws {
    let summary = try await household.ask(Playback.EditQueue(edit), of: .playback(room), within: .seconds(30))
    if console.isJSON { return console.print(summary.json) }
    console.print("\(summary.count) \(summary.count == 1 ? "item" : "items") in \(room)\n")
  }

  private static let orders: [String: Playback.Order] = ["tracks": .tracks, "albums": .albums, "off": .queued]
}

extension Playback.PlayedItems {
  /// Prints them for people, or for programs.
  fileprivate func print(to console: Console) {
    if console.isJSON { return console.print(.list(items, \.json)) }
    var table = Table()
    for item in items { item.add(to: &table) }
    table.isEmpty ? console.note("Nothing was played here yet.") : console.print(table)
  }
}

extension Playback.PlayedItem {
  /// The shape of one of `queue --played`.
  var json: JSON {
    .object([
      "entry": .text(item.entry), "id": .text(item.track.id), "title": .text(item.track.title),
      "artist": .text(item.track.artist), "album": .text(item.track.album), "startedAt": .text(startedAt),
      "heardSeconds": .seconds(heard), "reason": .text(reason.rawValue),
    ])
  }

  fileprivate func add(to table: inout Table) {
    let end =
      switch reason {
      case .skipped: "skipped"
      case .failed: "could not be played"
      case .finished, .unknown: ""
      }
    table.add(
      .faint(startedAt.local), .strong(item.track.title), Table.Cell(item.track.artist), .faint(item.track.album),
      .number("\(heard)"), .faint(end))
  }
}

extension QueueView {
  /// The index that a place or an entry id stands for.
  ///
  /// - Throws: `cli.noSuchPlace`, or a `UsageError` for what is neither.
  func place(_ word: String) throws -> Int {
    if let index = items.firstIndex(where: { $0.entry.rawValue == word }) { return index }
    guard let place = Int(word) else {
      guard word.utf8.count >= 20 else { throw UsageError("N is a place from 1 or an entry id, not “\(word)”.") }
      throw LunaraError("cli.noSuchPlace", "The entry \(word) is not in the queue of \(room) any more.")
    }
    guard items.indices.contains(place - 1) else { throw Self.noPlace(place, of: items.count, in: room) }
    return place - 1
  }

  fileprivate static func noPlace(_ place: Int, of count: Int, in room: RoomName) -> LunaraError {
    LunaraError(
      "cli.noSuchPlace",
      count == 0
        ? "The queue of \(room) is empty." : "The queue of \(room) has the places 1 to \(count), not \(place).")
  }
}

extension Household {
  /// The item that a place or an entry id stands for. Only for an id is the whole queue read.
  ///
  /// - Throws: `cli.noSuchPlace`, or a `UsageError` for what is neither.
  fileprivate func place(_ word: String, in room: RoomName) async throws -> (index: Int, entry: EntryID) {
    guard let place = Int(word) else {
      let queue = try await queue(of: room)
      let index = try queue.place(word)
      return (index, queue.items[index].entry)
    }
    let page = try await ask(Playback.ReadQueue(first: max(0, place - 1), limit: 1), of: .playback(room))
    guard (1...max(1, page.count)).contains(place), let item = page.items.first else {
      throw QueueView.noPlace(place, of: page.count, in: room)
    }
    return (place - 1, item.entry)
  }

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
      return QueueView(
        room: room, current: page.current, items: items, position: state.map { RoomView($0).position } ?? .zero,
        modes: state?.value.modes, continues: page.continuation != nil)
    }
    throw LunaraError("client.queueKeepsChanging", "The queue of \(room) keeps changing while it is read. Try again.")
  }
}
