import Bus
import Client
import Messages
import Model

extension Option {
  fileprivate static let queueLimit = Option("--limit", "N", help: "how many at most, from the current one on")
}

extension Command {
  private static let played = Option("--played", help: "what was played here instead, the newest first")
  private static let why = Option("--why", help: "what feeds the queue, what is on disk, and how it ends")

  static let queue = Command(
    name: "queue", summary: "what is queued in a room",
    discussion: "N and M are the places that `lunara queue` shows, from 1; the entry ids of its JSON do as well.",
    examples: [
      "lunara queue": "all of it, what plays marked", "lunara queue --limit 5": "the current one and the next four",
      "lunara queue add files:a3": "an album at the end",
      "lunara queue remove 3": "without the third", "lunara queue crop": "without all but what plays",
      "lunara queue move 5 2": "the fifth becomes the second", "lunara queue clear": "nothing is left",
      "lunara queue shuffle albums": "its albums mixed, each in its own order",
      "lunara queue shuffle off": "as it was queued",
      "lunara queue continue off": "the end is the end of the album",
      "lunara queue --played --limit 5": "what was played last",
      "lunara queue --why": "why this plays, and what follows",
    ],
    takes: .room,
    Parameter(played, why, .queueLimit) {
      guard !$0.has(why) || !$0.has(played) && !$0.has(.queueLimit) else {
        throw UsageError("--why goes with neither --played nor --limit.")
      }
      return (
        isPlayed: $0.has(played), isWhy: $0.has(why),
        most: try $0.integer(.queueLimit, in: 1...($0.has(played) ? 100 : 1_000_000))
      )
    },
    commands: [
      Command(
        name: "add", summary: "add albums, artists, tracks and so on, at the end",
        examples: [
          "lunara queue add files:a3": "an album", "lunara queue add files:t12 --next": "after what plays now",
          "lunara queue add https://music.example/album/7": "what an address of a service names",
        ],
        takes: .room, .flag(.next),
        .operands(
          "ID…", 1...10_000,
          help: "ids, or titles of albums, artists, tracks or collections, or paths, or addresses of services",
          completes: .household(.playables)),
        through: { try await Client($0, asking: .router) }
      ) { client, console, room, isNext, words in
        let music = try await client.music(words)
        guard !music.ids.isEmpty || !music.described.isEmpty else { throw GivenMusic.nothing }
        let intent = Router.Play(
          ids: music.ids, described: music.described.isEmpty ? nil : music.described, room: room,
          mode: isNext ? .next : .later)
        let played = try await client.load(intent, within: .seconds(60))
        console.print(played.json, text: played.line(isNext ? .next : .later))
      },
      Command(
        name: "clear", summary: "remove everything and stop",
        examples: ["lunara queue clear": "in the only room"],
        takes: .room
      ) { try await edit($2, $0, $1, .clear) },
      Command(
        name: "remove", summary: "remove items",
        discussion: "`lunara queue restore` brings back several that were removed at once.",
        examples: [
          "lunara queue remove 3": "the third", "lunara queue remove 3-7": "five of them",
          "lunara queue remove 2 5-7": "the second, and the fifth to the seventh",
        ],
        takes: .room, .places("N", help: "places, from 1, such as 3 or 3-7, or entry ids")
      ) { client, console, room, places in
        if let place = places.single {
          let item = try await client.place("\(place)", in: room)
          return try await edit(room, client, console, .remove(at: item.index, of: item.entry))
        }
        try await cut(room, client, console) { try $0.indices(of: places) }
      },
      Command(
        name: "crop", summary: "remove everything but what plays, or but some items",
        discussion: "What plays plays on if it stays. `lunara queue restore` brings the others back.",
        examples: [
          "lunara queue crop": "only what plays stays", "lunara queue crop 3-7": "only these five stay",
        ],
        takes: .room, .places("N", 0...10_000, help: "places that stay, from 1, such as 3 or 3-7, or entry ids")
      ) { client, console, room, places in
        try await cut(room, client, console) { queue in
          if places.words.isEmpty, queue.current == nil {
            throw LunaraError(
              "cli.nothingPlays",
              "Nothing plays in \(room) that could stay. Name the places that stay, such as lunara queue crop 3-7.")
          }
          let kept = places.words.isEmpty ? Set([queue.current].compactMap(\.self)) : Set(try queue.indices(of: places))
          return (0..<queue.count).filter { !kept.contains($0) }
        }
      },
      Command(
        name: "move", summary: "move one item to another place",
        examples: ["lunara queue move 5 2": "the fifth becomes the second"],
        takes: .room, .operands("N", 2...2, help: "its place and the new one, from 1, or entry ids")
      ) { client, console, room, words in
        let item = try await client.place(words[0], in: room)
        let target = try await client.place(words[1], in: room).index
        try await edit(room, client, console, .move(from: item.index, to: target, of: item.entry))
      },
      Command(
        name: "restore", summary: "bring back the queue that was cleared or replaced, at its former place",
        discussion: "What is queued now is kept in its stead: a second restore brings that back.",
        examples: ["lunara queue restore --room bath": "what was queued in the bath before music was moved there"],
        takes: .room
      ) { try await edit($2, $0, $1, .restore) },
      Command(
        name: "shuffle", summary: "mix what is queued, or undo that; what plays plays on",
        examples: [
          "lunara queue shuffle": "its tracks", "lunara queue shuffle albums": "its albums as a whole",
          "lunara queue shuffle off": "as it was queued",
        ],
        takes: .room,
        Parameter(
          operand: .optional(
            "WHAT", help: "tracks, albums or off (default tracks)", completes: .words(["tracks", "albums", "off"]))
        ) {
          let word = $0.operands.first ?? "tracks"
          return try ["tracks": Playback.Order.tracks, "albums": .albums, "off": .queued][word].orUsage(
            "WHAT is tracks, albums or off, not “\(word)”.")
        }
      ) { client, console, room, order in
        try await edit(room, client, console, .order(order, seed: .random(in: 0...UInt64(Int64.max))))
      },
      Command(
        name: "continue", summary: "play on after the last item with the albums that follow in its list, or end there",
        discussion: "Off also removes the albums with which the queue has continued, except the one that plays.",
        examples: [
          "lunara queue continue on": "and then the next albums", "lunara queue continue off": "nothing follows",
        ],
        takes: .room,
        Parameter(operand: .one("on|off", help: "on or off", completes: .words(["on", "off"]))) {
          try $0.word(0, "on|off", ["on": true, "off": false])
        }
      ) { try await edit($2, $0, $1, .continues($3)) },
    ]
  ) { client, console, room, given in
    if given.isWhy {
      let explanation = try await client.explanation(ofQueueIn: room)
      return console.print(explanation.json, explanation.table(), ifEmpty: "Nothing is queued in \(room).")
    }
    if given.isPlayed {
      let items = try await client.ask(Playback.ReadPlayed(limit: given.most ?? 50), in: room).items
      return console.print(.list(items), Table(items), ifEmpty: "Nothing was played here yet.")
    }
    let view = try await client.queue(of: room).limited(to: given.most)
    console.print(view.json, view.table, ifEmpty: "Nothing is queued in \(room).")
    let rest = view.count - view.first - view.items.count
    if rest > 0 { console.remark("\(rest) more follow.") }
    if view.continues, let wall = view.continuation?.wall {
      let what = wall.genre.map { "The feed of \($0)" } ?? "The wall"
      console.remark("\(what) with the number \(wall.seed), dial \(wall.dial), goes on after it.")
    } else if view.continues {
      console.remark("More albums follow after it. `lunara queue continue off` ends it there.")
    }
  }

  private static func edit(
    _ room: RoomName, _ client: Client, _ console: Console, _ edit: Playback.EditQueue.Edit
  ) async throws {
    let summary = try await client.ask(Playback.EditQueue(edit), in: room)
    console.print(summary.json, text: "\(Printable.count(summary.count, "item")) in \(room)\n")
  }

  /// Removes the items at the indices that `choose` returns for the present queue, as one change.
  private static func cut(
    _ room: RoomName, _ client: Client, _ console: Console, _ choose: (RoomQueue) throws -> [Int]
  ) async throws {
    for attempt in 1... {
      let queue = try await client.queue(of: room)
      let gone = try choose(queue)
      guard !gone.isEmpty else {
        let summary = Playback.QueueSummary(revision: queue.revision, count: queue.count, current: queue.current)
        return console.print(summary.json, text: "\(Printable.count(queue.count, "item")) in \(room)\n")
      }
      do {
        try await edit(room, client, console, .removeAll(at: .init(gone), revision: queue.revision))
        return console.remark("`lunara queue restore --room \(room)` brings back what was removed.")
      } catch let error as LunaraError where error.code == "playback.queueMoved" && attempt < 3 {
        continue
      }
    }
  }
}

extension [Playback.EditQueue.IndexRange] {
  /// The ranges that cover these indices and no others.
  fileprivate init(_ indices: [Int]) {
    self = []
    for index in indices.sorted() {
      if let last = self.last, last.to + 1 == index {
        self[count - 1].to = index
      } else {
        append(.init(from: index, to: index))
      }
    }
  }
}

extension RoomQueue {
  /// Returns the indices of places in the whole queue. Throws `cli.noSuchPlace`.
  fileprivate func indices(of places: Places) throws -> [Int] {
    try places.indices(of: count, entry: index(of:)) { Self.noPlace($0, of: count, in: room) }
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
