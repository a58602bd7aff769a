import Model
import Bus
import Client
import Messages

extension Option {
  static let metrics = Option("--metrics", help: "figures of all processes instead, as Prometheus reads them")
}

extension Command {
  static let status = Command(
    name: "status", summary: "who is running, the rooms, the sources and what is wrong with them",
    examples: [
      "lunara status": "for people", "lunara status --json": "for programs",
      "lunara status --metrics": "figures of all processes, as Prometheus reads them",
    ],
    options: [.metrics],
    action: .asynchronous { context in
      if context.arguments.has(.metrics) {
        let client = try await Client(context)
        let metrics = await client.metrics(of: client.nodes())
        return context.console.print(metrics.json, text: metrics.prometheusText)
      }
      let status = try await Client(context).status()
      context.console.isJSON ? context.console.print(status.json) : status.print(to: context.console, at: .now())
    })

  static let rooms = Command(
    name: "rooms", summary: "the rooms with what they play, and what they are called",
    examples: [
      "lunara rooms": "each with its track, position and volume",
      "lunara rooms title kitchen \"Kitchen, upstairs\"": "what people call it; its name stays for commands",
      "lunara rooms title kitchen": "by its name again",
      "lunara rooms forget attic": "no longer list a room that is gone; it is listed again when it runs",
    ],
    operand: Operand(
      name: "title ROOM [TITLE] | forget ROOM", count: 0...3,
      help: "what a room is called from now on; or a room that is gone for good",
      completes: .household(.rooms)),
    action: .asynchronous { context in
      if context.arguments.operands.first == "forget" { return try await forgetRoom(context) }
      if let word = context.arguments.operands.first { return try await setTitle(context, word) }
      let views = try await Client(context).roomStatuses()
      context.console.print(.list(views), Table(views), ifEmpty: "No room is running.")
    })

  private static func forgetRoom(_ context: Context) async throws {
    let words = context.arguments.operands
    guard words.count == 2 else { throw UsageError("rooms forget takes one room.") }
    let room = RoomName(from: words[1])
    let unheard = try await Client(context).forget(room)
    guard !context.console.isJSON else {
      return context.console.print(
        .object([
          "room": .text(room), "forgotten": .bool(true), "unheard": .list(unheard) { .string($0.description) },
        ]))
    }
    context.console.note("\(room) is no longer listed.")
    if !unheard.isEmpty {
      let names = unheard.map(\.description).joined(separator: ", ")
      context.console.note("\(names) did not answer. The other services pass it on when they hear from there again.")
    }
  }

  private static func setTitle(_ context: Context, _ word: String) async throws {
    let words = context.arguments.operands
    guard word == "title", words.count > 1 else {
      throw UsageError("rooms takes nothing, or: title ROOM [TITLE], or: forget ROOM.")
    }
    let client = try await Client(context)
    let room = try await client.room(named: words[1])
    let state = try await client.ask(Playback.SetTitle(title: words.count > 2 ? words[2] : nil), in: room)
    if context.console.isJSON { return context.console.print(RoomStatus(answered: state).json) }
    context.console.note(state.title.map { "\(room) is called \($0)." } ?? "\(room) goes by its name.")
  }

  static let doctor = Command(
    name: "doctor", summary: "look at everything a working system needs, and say what is wrong and what to do",
    discussion: """
      Looks at folders, disk, databases, programs and their libraries, sound, the household's key, ports and other machines, and asks
      the services that run for their versions, clocks, sources and accounts. Changes nothing. The status is 1 where
      something is wrong (✗); what is only to be looked at (!) is no failure.
      """,
    examples: [
      "lunara doctor": "each finding with its remedy",
      "lunara doctor --json": "for programs",
    ],
    action: .asynchronous { context in
      let diagnosis = await Diagnosis(context)
      context.console.isJSON ? context.console.print(diagnosis.json) : diagnosis.print(to: context.console)
      if let failure = diagnosis.failure { throw failure }
    })
}
