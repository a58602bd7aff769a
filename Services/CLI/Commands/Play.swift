import Bus
import Messages
import Model

extension Option {
  static let next = Option("--next", help: "after what plays now")
  static let later = Option("--later", help: "at the end of the queue")
  static let shuffle = Option("--shuffle", help: "in an order drawn now")
  static let from = Option("--from", "N", help: "begin with the Nth track")
  static let random = Option("--random", help: "an album by chance")
  static let all = Option("--all", help: "everything there is, in the order in which it came")
}

extension Command {
  /// Plays albums, artists, tracks, collections and playlists.
  static let play = Command(
    name: "play", summary: "play albums, artists, tracks, collections or playlists in a room",
    examples: [
      .init("lunara play files:a3", "an album by its id"),
      .init("lunara play \"Night Lines\" --room kitchen", "by its title, if only one fits"),
      .init("lunara play files:a3 --from 4", "from its fourth track on"),
      .init("lunara play files:a3 files:a7 --later", "behind what is queued"),
      .init("lunara play --random", "an album by chance"), .init("lunara play --all --shuffle", "everything, mixed"),
    ],
    options: [.room, .next, .later, .shuffle, .from, .random, .all],
    operand: Operand(name: "ID…", count: 0...10_000, help: "ids, or titles of albums, artists, tracks or collections"),
    action: .asynchronous { context in
      let arguments = context.arguments
      guard !(arguments.has(.next) && arguments.has(.later)) else {
        throw UsageError("--next and --later exclude each other.")
      }
      let start = try arguments.integer(.from, in: 1...1_000_000) ?? 1
      guard start == 1 || !(arguments.has(.next) || arguments.has(.later)) else {
        throw UsageError("--from goes with playing at once, not with --next or --later.")
      }
      guard [arguments.has(.random), arguments.has(.all), !arguments.operands.isEmpty].count(where: { $0 }) == 1 else {
        throw UsageError("Say what to play: ids or titles, or --random, or --all.")
      }
      let household = try await BusHousehold(context)
      let room = try await household.room(for: context)
      let ids =
        if arguments.has(.random) {
          [try await household.randomAlbum()]
        } else if arguments.has(.all) {
          [PlayableID(source: "library", native: "all")]
        } else {
          try await household.playables(arguments.operands)
        }
      let played = try await household.ask(
        Router.Play(
          ids: ids, room: room, mode: arguments.has(.next) ? .next : arguments.has(.later) ? .later : .now,
          startAt: start - 1, shuffle: arguments.has(.shuffle),
          seed: arguments.has(.shuffle) ? .random(in: 0...UInt64(Int64.max)) : nil), of: .router, within: .seconds(30))
      context.console.isJSON ? context.console.print(played.json) : context.console.print(played.line(arguments))
    })
}

extension Household {
  /// The album that the library draws.
  fileprivate func randomAlbum() async throws -> PlayableID {
    let drawn = try await ask(Library.ListAlbums(limit: 1, sort: .random), of: .library).items.first
    guard let album = drawn else {
      throw LunaraError("cli.noMusic", "There is no album yet. `lunara status` shows the sources.")
    }
    return PlayableID(source: album.id.source, native: album.id.native)
  }
}

extension Router.Played {
  /// What `play` prints for programs.
  var json: JSON {
    .object(["room": .text(room), "tracks": .count(tracks), "queue": queue.json])
  }

  fileprivate func line(_ arguments: Arguments) -> String {
    let place = arguments.has(.next) ? "next" : arguments.has(.later) ? "at the end of the queue" : "now"
    return "\(tracks) \(tracks == 1 ? "track" : "tracks") \(place), in \(room)\n"
  }
}

extension Playback.QueueSummary {
  /// How a queue stands, for programs.
  var json: JSON {
    .object(["revision": .count(revision), "count": .count(count), "current": .count(current)])
  }
}
