import Bus
import Client
import Messages

extension Option {
  fileprivate static let levels = Option(
    "--levels", "WHICH", help: "even out loudness: off, track, album or smart",
    completes: .words(["off", "track", "album", "smart"]))
  fileprivate static let preamp = Option("--preamp", "DB", help: "added to levels that are evened out, from -15 to 15")
  fileprivate static let maxVolume = Option("--max-volume", "N", help: "the volume that is not exceeded, 1 to 100")
  fileprivate static let startVolume = Option("--start-volume", "N", help: "the volume at the start, 0 to 100, or last")
  fileprivate static let resume = Option(
    "--resume-after-crash", "on|off",
    help: "whether a player that crashed while it played plays on by itself (default on)",
    completes: .words(["on", "off"]))
  fileprivate static let resumeLong = Option(
    "--resume-long-tracks", "on|off",
    help: "whether a track of 20 minutes or more goes on where the room left it (default off)",
    completes: .words(["on", "off"]))
}

extension Command {
  static let output = Command(
    name: "output", summary: "where a room's sound goes, and how loud it may be",
    discussion: "smart takes the album's level where a neighbour in the queue is of the same album, else the track's.",
    examples: [
      "lunara output": "how it is set", "lunara output list": "where sound can go",
      "lunara output alsa/default:CARD=DAC": "to that one from now on",
      "lunara output test --room kitchen": "a short chord, where its music would be heard",
      "lunara output auto --levels smart": "to the first that works, with loudness evened out",
      "lunara output --max-volume 60 --start-volume 30": "never louder than 60; begins with 30",
      "lunara output --start-volume last": "begins as loud as it was when it ended",
      "lunara output --resume-after-crash off": "after a crash of the player a person resumes it",
      "lunara output --resume-long-tracks on": "mixes and chapters of books go on where they were left",
    ],
    takes: .room,
    Parameter(
      .levels, .preamp, .maxVolume, .startVolume, .resume, .resumeLong,
      operand: .optional(
        "NAME", help: "list, test, the name of an output, or auto", completes: .words(["list", "test", "auto"]))
    ) { (change: try change($0), word: $0.operands.first) }
  ) { client, console, room, given in
    let node = NodeID.playback(room)
    if given.word == "test" {
      _ = try await client.ask(Playback.PlayTestSound(), of: node)
      return console.print(["room": room, "tested": true], Table(), ifEmpty: "The test sound was played in \(room).")
    }
    let wantsList = given.word == "list"
    let state: Playback.OutputState
    if let change = given.change {
      state = try await client.ask(change, of: node)
    } else if !wantsList,
      let known = try await client.state(Playback.OutputState.self, of: node, within: .seconds(5))
    {
      state = known.value
    } else {
      // `ReadOutput` makes the player list its outputs, which takes a moment.
      state = try await client.ask(Playback.ReadOutput(), of: node)
    }
    console.print(
      state.json(of: room), wantsList ? state.list : state.settings,
      ifEmpty: "\(room) sees no outputs, or has not looked yet.")
  }

  private static func change(_ arguments: Arguments) throws -> Playback.SetOutput? {
    let levels: [String: Playback.Levelling] = ["off": .off, "track": .track, "album": .album, "smart": .smart]
    let word = arguments.operands.first
    var change = Playback.SetOutput(
      device: word == "list" || word == "test" ? nil : word, levelling: try arguments.word(.levels, levels),
      maximumVolume: try arguments.integer(.maxVolume, in: 1...100),
      resumesAfterCrash: try arguments.word(.resume, ["on": true, "off": false]),
      resumesLongTracks: try arguments.word(.resumeLong, ["on": true, "off": false]))
    change.startVolume = arguments.value(.startVolume) == "last" ? -1 : try arguments.integer(.startVolume, in: 0...100)
    if let text = arguments.value(.preamp) {
      guard let preamp = Double(text), (-15...15).contains(preamp) else {
        throw UsageError("--preamp takes decibels from -15 to 15, not “\(text)”.")
      }
      change.preamp = preamp
    }
    let isChange =
      change.device != nil || change.levelling != nil || change.preamp != nil || change.startVolume != nil
      || change.maximumVolume != nil || change.resumesAfterCrash != nil
      || change.resumesLongTracks != nil
    guard !isChange || (word != "list" && word != "test") else {
      throw UsageError(
        "list and test change nothing; give the name of an output, or only options, to change something.")
    }
    return isChange ? change : nil
  }
}

extension Playback.OutputState {
  fileprivate var list: Table {
    Table(
      devices.map {
        [
          .init($0.name == used ? "▶" : "", .good), .strong($0.name), .init($0.title),
          .faint($0.name == chosen ? "chosen" : ""),
        ]
      })
  }

  fileprivate var settings: Table {
    let rows = [
      ("output", chosen ?? "auto", chosen == nil ? "the first that works" : ""),
      ("in use", used ?? "none", devices.first { $0.name == used }?.title ?? ""),
      ("levels", levelling.rawValue, levelling == .off ? "" : "preamp \(preamp) dB"),
      ("start volume", startVolume.map(String.init) ?? "last", ""), ("max volume", "\(maximumVolume)", ""),
      ("resume after crash", resumesAfterCrash ? "on" : "off", ""),
      ("resume long tracks", resumesLongTracks == true ? "on" : "off", ""),
    ]
    return Table(rows.map { [.faint($0), .strong($1), .faint($2)] })
  }
}
