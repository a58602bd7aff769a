import Model
import Bus
import Client
import Messages

extension Command {
  static let status = Command(
    name: "status", summary: "who is running, the rooms, the sources and what is wrong with them",
    examples: [
      "lunara status": "for people", "lunara status --json": "for programs",
      "lunara status --metrics": "figures of all processes, as Prometheus reads them",
    ],
    takes: .flag("--metrics", help: "figures of all processes instead, as Prometheus reads them")
  ) { client, console, wantsMetrics in
    if wantsMetrics {
      let metrics = await client.metrics(of: client.nodes())
      return console.print(metrics.json, text: metrics.prometheusText)
    }
    let status = await client.status()
    console.isJSON ? console.print(status.json) : status.print(to: console, at: .now())
  }

  static let rooms = Command(
    name: "rooms", summary: "the rooms with what they play, and what they are called",
    examples: [
      "lunara rooms": "each with its track, position and volume",
      "lunara rooms title kitchen \"Kitchen, upstairs\"": "what people call it; its name stays for commands",
      "lunara rooms title kitchen": "by its name again",
      "lunara rooms forget attic": "no longer list a room that is gone; it is listed again when it runs",
    ],
    takes: .operands(
      "title ROOM [TITLE] | forget ROOM", 0...3,
      help: "what a room is called from now on; or a room that is gone for good", completes: .household(.rooms)),
    refuses: [
      Refusal("rooms forget takes one room.") { $0.operands.first == "forget" && $0.operands.count != 2 },
      Refusal("rooms takes nothing, or: title ROOM [TITLE], or: forget ROOM.") { arguments in
        let words = arguments.operands
        return !words.isEmpty && words[0] != "forget" && (words[0] != "title" || words.count < 2)
      },
    ]
  ) { client, console, words in
    switch words.first {
    case "forget": try await forgetRoom(RoomName(from: words[1]), client, console)
    case "title": try await setTitle(words, client, console)
    default:
      let views = await client.roomStatuses()
      console.print(.list(views), Table(views), ifEmpty: "No room is running.")
    }
  }

  private static func forgetRoom(_ room: RoomName, _ client: Client, _ console: Console) async throws {
    let unheard = try await client.forget(room)
    guard !console.isJSON else {
      return console.print(["room": room, "forgotten": true, "unheard": unheard.map(\.description)])
    }
    console.remark("\(room) is no longer listed.")
    if !unheard.isEmpty {
      let names = unheard.map(\.description).joined(separator: ", ")
      console.remark("\(names) did not answer. The other services pass it on when they hear from there again.")
    }
  }

  private static func setTitle(_ words: [String], _ client: Client, _ console: Console) async throws {
    let room = try await client.room(named: words[1])
    let state = try await client.ask(Playback.SetTitle(title: words.count > 2 ? words[2] : nil), in: room)
    if console.isJSON { return console.print(RoomStatus(answered: state).json) }
    console.remark(state.title.map { "\(room) is called \($0)." } ?? "\(room) goes by its name.")
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
