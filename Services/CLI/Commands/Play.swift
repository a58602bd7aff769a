import Bus
import Messages
import Model

extension Option {
  static let next = Option("--next", help: "after what plays now")
  static let later = Option("--later", help: "at the end of the queue")
  static let shuffle = Option("--shuffle", help: "in an order drawn now")
  static let from = Option("--from", "N", help: "begin with the Nth track")
}

extension Command {
  /// Plays albums, artists and tracks.
  static let play = Command(
    name: "play", summary: "play albums, artists or tracks in a room",
    examples: [
      .init("lunara play files:a3", "an album by its id"),
      .init("lunara play \"Night Lines\" --room kitchen", "by its title, if only one fits"),
      .init("lunara play files:a3 --from 4", "from its fourth track on"),
      .init("lunara play files:a3 files:a7 --later", "behind what is queued"),
    ],
    options: [.room, .next, .later, .shuffle, .from],
    operand: .some("ID", help: "ids, or titles of albums, artists or tracks"),
    action: .asynchronous { context in
      let arguments = context.arguments
      guard !(arguments.has(.next) && arguments.has(.later)) else {
        throw UsageError("--next and --later exclude each other.")
      }
      let start = try arguments.integer(.from, in: 1...1_000_000) ?? 1
      guard start == 1 || !(arguments.has(.next) || arguments.has(.later)) else {
        throw UsageError("--from goes with playing at once, not with --next or --later.")
      }
      let household = try await BusHousehold(context)
      let room = try await household.room(for: context)
      let ids = try await household.playables(arguments.operands)
      let played = try await household.ask(
        Router.Play(
          ids: ids, room: room, mode: arguments.has(.next) ? .next : arguments.has(.later) ? .later : .now,
          startAt: start - 1, shuffle: arguments.has(.shuffle),
          seed: arguments.has(.shuffle) ? .random(in: 0...UInt64(Int64.max)) : nil), of: .router, within: .seconds(30))
      context.console.isJSON ? context.console.print(played.json) : context.console.print(played.line(arguments))
    })
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
