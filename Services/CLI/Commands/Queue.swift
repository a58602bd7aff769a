import Bus
import Client
import Messages
import Model

extension Option {
  fileprivate static let played = Option("--played", help: "what was played here instead, the newest first")
  fileprivate static let queueLimit = Option("--limit", "N", help: "how many at most, from the current one on")
}

extension Command {
  static let queue = Command(
    name: "queue", summary: "what is queued in a room",
    discussion: "N and M are the places that `lunara queue` shows, from 1; the entry ids of its JSON do as well.",
    examples: [
      "lunara queue": "all of it, what plays marked", "lunara queue --limit 5": "the current one and the next four",
      "lunara queue add files:a3": "an album at the end",
      "lunara queue remove 3": "without the third",
      "lunara queue move 5 2": "the fifth becomes the second", "lunara queue clear": "nothing is left",
      "lunara queue shuffle albums": "its albums mixed, each in its own order",
      "lunara queue shuffle off": "as it was queued",
      "lunara queue continue off": "the end is the end of the album",
      "lunara queue --played --limit 5": "what was played last",
    ], options: [.room, .played, .queueLimit],
    commands: [
      Command(
        name: "add", summary: "add albums, artists, tracks and so on, at the end",
        examples: [
          "lunara queue add files:a3": "an album", "lunara queue add files:t12 --next": "after what plays now",
          "lunara queue add https://music.example/album/7": "what an address of a service names",
        ],
        options: [.room, .next],
        operand: Operand(
          name: "ID…", count: 1...10_000,
          help: "ids, or titles of albums, artists, tracks or collections, or addresses of services",
          completes: .household(.playables)),
        action: .asynchronous { context in
          let client = try await Client(context, asking: .router)
          let room = try await client.room(for: context)
          let music = try await client.music(context.arguments.operands)
          guard !music.ids.isEmpty || !music.described.isEmpty else { throw GivenMusic.nothing }
          let intent = Router.Play(
            ids: music.ids, described: music.described.isEmpty ? nil : music.described, room: room,
            mode: context.arguments.has(.next) ? .next : .later)
          let played = try await client.load(intent, within: .seconds(60))
          let place = context.arguments.has(.next) ? "next" : "at the end of the queue"
          context.console.print(
            played.json, text: "\(Printable.count(played.tracks, "track")) \(place), in \(played.room)\n")
        }),
      Command(
        name: "clear", summary: "remove everything and stop",
        examples: ["lunara queue clear": "in the only room"],
        options: [.room], action: .asynchronous { try await edit($0) { _, _ in .clear } }),
      Command(
        name: "remove", summary: "remove one item", examples: ["lunara queue remove 3": "the third"],
        options: [.room], operand: .one("N", help: "its place, from 1, or its entry id"),
        action: .asynchronous { context in
          try await edit(context) { client, room in
            let item = try await client.place(context.arguments.operands[0], in: room)
            return .remove(at: item.index, of: item.entry)
          }
        }),
      Command(
        name: "move", summary: "move one item to another place",
        examples: ["lunara queue move 5 2": "the fifth becomes the second"], options: [.room],
        operand: .exactly(2, "N", help: "its place and the new one, from 1, or entry ids"),
        action: .asynchronous { context in
          let words = context.arguments.operands
          try await edit(context) { client, room in
            let item = try await client.place(words[0], in: room)
            return .move(from: item.index, to: try await client.place(words[1], in: room).index, of: item.entry)
          }
        }),
      Command(
        name: "restore", summary: "bring back the queue that was cleared or replaced, at its former place",
        discussion: "What is queued now is kept in its stead: a second restore brings that back.",
        examples: ["lunara queue restore --room bath": "what was queued in the bath before music was moved there"],
        options: [.room], action: .asynchronous { try await edit($0) { _, _ in .restore } }),
      Command(
        name: "shuffle", summary: "mix what is queued, or undo that; what plays plays on",
        examples: [
          "lunara queue shuffle": "its tracks", "lunara queue shuffle albums": "its albums as a whole",
          "lunara queue shuffle off": "as it was queued",
        ],
        options: [.room],
        operand: .optional(
          "WHAT", help: "tracks, albums or off (default tracks)", completes: .words(["tracks", "albums", "off"])),
        action: .asynchronous { context in
          let word = context.arguments.operands.first ?? "tracks"
          let orders: [String: Playback.Order] = ["tracks": .tracks, "albums": .albums, "off": .queued]
          guard let order = orders[word] else { throw UsageError("WHAT is tracks, albums or off, not “\(word)”.") }
          try await edit(context) { _, _ in .order(order, seed: .random(in: 0...UInt64(Int64.max))) }
        }),
      Command(
        name: "continue", summary: "play on after the last item with the albums that follow in its list, or end there",
        discussion: "Off also removes the albums with which the queue has continued, except the one that plays.",
        examples: [
          "lunara queue continue on": "and then the next albums", "lunara queue continue off": "nothing follows",
        ],
        options: [.room],
        operand: .one("on|off", help: "on or off", completes: .words(["on", "off"])),
        action: .asynchronous { context in
          let isOn = try context.arguments.word(0, "on|off", ["on": true, "off": false])
          try await edit(context) { _, _ in .continues(isOn) }
        }),
    ],
    action: .asynchronous { context in
      let wantsPlayed = context.arguments.has(.played)
      let limit = try context.arguments.integer(.queueLimit, in: 1...(wantsPlayed ? 100 : 1_000_000))
      let client = try await Client(context)
      let room = try await client.room(for: context)
      if wantsPlayed {
        let items = try await client.ask(Playback.ReadPlayed(limit: limit ?? 50), in: room).items
        return context.console.print(.list(items), Table(items), ifEmpty: "Nothing was played here yet.")
      }
      let view = try await client.queue(of: room).limited(to: limit)
      context.console.print(view.json, view.table, ifEmpty: "Nothing is queued in \(room).")
      let rest = view.count - view.first - view.items.count
      if rest > 0 { context.console.note("\(rest) more follow.") }
      if view.continues, let wall = view.continuation?.wall {
        let what = wall.genre.map { "The feed of \($0)" } ?? "The wall"
        context.console.note("\(what) with the number \(wall.seed), dial \(wall.dial), goes on after it.")
      } else if view.continues {
        context.console.note("More albums follow after it. `lunara queue continue off` ends it there.")
      }
    })

  private static func edit(
    _ context: Context, _ edit: (Client, RoomName) async throws -> Playback.EditQueue.Edit
  ) async throws {
    let client = try await Client(context)
    let room = try await client.room(for: context)
    let summary = try await client.ask(Playback.EditQueue(try await edit(client, room)), of: .playback(room))
    context.console.print(summary.json, text: "\(Printable.count(summary.count, "item")) in \(room)\n")
  }
}

extension Client {
  /// Returns the index and entry id of a place, counted from 1, or of an entry id. Reads the whole queue only for an
  /// id.
  ///
  /// - Throws: `cli.noSuchPlace`; a `UsageError` for a word that is neither a place nor an entry id.
  fileprivate func place(_ word: String, in room: RoomName) async throws -> (index: Int, entry: EntryID) {
    guard let place = Int(word) else {
      let queue = try await queue(of: room)
      let index = try queue.index(of: word)
      return (index, queue.items[index].entry)
    }
    let page = try await ask(Playback.ReadQueue(first: max(0, place - 1), limit: 1), in: room)
    guard (1...max(1, page.count)).contains(place), let item = page.items.first else {
      throw RoomQueue.noPlace(place, of: page.count, in: room)
    }
    return (place - 1, item.entry)
  }
}
