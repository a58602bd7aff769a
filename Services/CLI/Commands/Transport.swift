import Bus
import Client
import Messages
import Model

extension Command {
  static let transport: [Command] = [
    transport("pause", "hold the music", .pause),
    transport("resume", "play on; after a stop, from the start of what was stopped", .resume),
    transport("toggle", "hold the music if it plays, and play on if not", .toggle),
    transport("next", "go to the next track", .next),
    transport("previous", "to the track's start, or to the one before in its first 3 s", .previous),
    stop, seek, volume, mute, repeats, sleep,
  ]

  private static func transport(_ name: String, _ summary: String, _ action: Playback.Transport.Action) -> Command {
    Command(
      name: name, summary: summary,
      examples: [
        "lunara \(name)": "in the only room, or the one that plays or was used last",
        "lunara \(name) --room kitchen": "there",
      ], takes: .room
    ) { try await control($2, $0, $1, awaitsSound: true) { action } }
  }

  private static let stop = Command(
    name: "stop", summary: "stop; the queue stays",
    examples: [
      "lunara stop": "in the only room, or the one that plays or was used last",
      "lunara stop --after-current": "when this track is over",
      "lunara stop --after-current --cancel": "do not stop then",
      "lunara stop --after-album": "when this album is over",
    ],
    takes: .room, .flag("--after-current", help: "when the track that plays is over"),
    .flag("--after-album", help: "when the album that plays is over"),
    .flag("--cancel", help: "with --after-current or --after-album: do not stop after it after all"),
    refuses: [
      .both("--after-current", "--after-album"),
      Refusal("--cancel goes with --after-current or --after-album.") {
        $0.has("--cancel") && !$0.has("--after-current") && !$0.has("--after-album")
      },
    ]
  ) { client, console, room, track, album, cancel in
    try await control(room, client, console) {
      track ? .stopAfterCurrent(!cancel) : album ? .stopAfterAlbum(!cancel) : .stop
    }
  }

  private static let mute = Command(
    name: "mute", summary: "let no sound through, whatever the volume, or let it through again",
    examples: [
      "lunara mute": "whether it is on", "lunara mute on": "silence; the music goes on",
      "lunara mute off": "as loud as before",
    ],
    takes: .room, .onOff(help: "on or off; shows it if there is none")
  ) { client, console, room, isOn in
    guard let isOn else {
      return try await show(room, client, console) { $0.modes.map { "mute \($0.isMuted ? "on" : "off")" } }
    }
    try await control(room, client, console) { .mute(isOn) }
  }

  private static let repeats = Command(
    name: "repeat", summary: "what follows the end of the queue, or of the track",
    examples: [
      "lunara repeat": "which it is", "lunara repeat all": "after the last the first",
      "lunara repeat one": "this track again and again", "lunara repeat off": "the end is the end",
    ],
    takes: .room,
    .optional("MODE", [Playback.Repeat.off, .one, .all], help: "off, one or all; shows it if there is none")
  ) { client, console, room, mode in
    guard let mode else {
      return try await show(room, client, console) { $0.modes.map { "repeat \($0.repeats.rawValue)" } }
    }
    try await control(room, client, console) { .repeats(mode) }
  }

  private static let sleep = Command(
    name: "sleep", summary: "fade out and pause after a while",
    discussion: "`lunara stop --after-album` stops where the album ends instead.",
    examples: [
      "lunara sleep": "when it will", "lunara sleep 30m": "in half an hour", "lunara sleep off": "not any more",
    ],
    takes: .room,
    Parameter(
      operand: .optional(
        "TIME", help: "90s, 30m or 1h; or off; shows what is left if there is none",
        completes: .words(["30m", "1h", "off"]))
    ) { arguments -> Playback.Transport.Action? in
      guard let text = arguments.operands.first else { return nil }
      if text == "off" { return .sleep(after: nil) }
      guard let time = Milliseconds(duration: text), time > .zero, time <= Milliseconds(86_400_000) else {
        throw UsageError("TIME is a length of time of at most 24h, such as 90s, 30m or 1h, or off; not “\(text)”.")
      }
      return .sleep(after: time)
    }
  ) { client, console, room, action in
    if let action { return try await control(room, client, console) { action } }
    try await show(room, client, console) { room in
      room.modes.map { _ in room.sleepsIn.map { "sleep in \($0.roundedToMinutes.text)" } ?? "sleep off" }
    }
  }

  private static let seek = Command(
    name: "seek", summary: "jump to a position, or by an offset",
    examples: [
      "lunara seek 90": "to 1:30", "lunara seek 1:30": "the same",
      "lunara seek +15": "15 s on", "lunara seek -15": "15 s back",
    ],
    takes: .room,
    Parameter(operand: .one("S", help: "seconds or minutes:seconds; with + or - from where it is")) {
      try SeekTarget.action($0.operands[0]).orUsage(
        "S is a number of seconds such as 90, 1:30, +15 or -15, not “\($0.operands[0])”.")
    }
  ) { client, console, room, action in try await control(room, client, console, awaitsSound: true) { action } }

  private static let volume = Command(
    name: "volume", summary: "set the volume, or change it",
    examples: [
      "lunara volume": "how loud it is", "lunara volume 60": "60 percent",
      "lunara volume +5": "louder by five percent of the whole", "lunara volume -5": "quieter by as much",
      "lunara volume 0 --room kitchen": "silence there",
    ],
    takes: .room,
    Parameter(
      operand: .optional("N", help: "percent, from 0 to 100; with + or - from where it is; shows it if there is none")
    ) { arguments in
      try arguments.operands.first.map {
        (percent: try arguments.integer(0, "N", in: -100...100), isChange: $0.hasPrefix("+") || $0.hasPrefix("-"))
      }
    }
  ) { client, console, room, volume in
    guard let (percent, isChange) = volume else {
      return try await show(room, client, console) { room in
        room.volume.map { "volume \($0)\(room.modes?.isMuted == true ? ", muted" : "")" }
      }
    }
    try await control(room, client, console) {
      .volume(isChange ? max(0, min(100, try await client.knownState(of: room).value.volume + percent)) : percent)
    }
  }

  /// Prints one value of a room's state, which `text` returns; nil if an older room does not tell it.
  private static func show(
    _ room: RoomName, _ client: Client, _ console: Console, _ text: (RoomStatus) -> String?
  ) async throws {
    let status = RoomStatus(try await client.knownState(of: room))
    guard let text = text(status) else { throw Client.stateUnknown(room) }
    console.print(status.json, text: Table([[.strong(room.rawValue), .init(text)]]).text(for: console))
  }

  private static func control(
    _ room: RoomName, _ client: Client, _ console: Console, awaitsSound: Bool = false,
    _ action: () async throws -> Playback.Transport.Action
  ) async throws {
    let state = try await client.ask(Playback.Transport(try await action()), in: room)
    var status = RoomStatus(answered: state)
    if awaitsSound, state.state == .buffering, let sound = await client.sound(in: room) { status = RoomStatus(sound) }
    status.print(to: console)
  }
}

extension Client {
  /// Returns the state of a room. Throws `cli.stateUnknown` if it has not published one yet.
  fileprivate func knownState(of room: RoomName) async throws -> Observed<Playback.RoomState> {
    guard let state = try await state(Playback.RoomState.self, of: .playback(room), within: .seconds(5)) else {
      throw Self.stateUnknown(room)
    }
    return state
  }

  fileprivate static func stateUnknown(_ room: RoomName) -> LunaraError {
    LunaraError("cli.stateUnknown", "The room \(room) does not tell this yet. Try again, or give a value to set.")
  }

  /// Returns the state of a room when it no longer buffers, as it does for a moment after a jump; nil if this takes
  /// over 2 s or the room does not answer.
  fileprivate func sound(in room: RoomName) async -> Observed<Playback.RoomState>? {
    let end = ContinuousClock.now + .seconds(2)
    do {
      repeat {
        let newest = try await state(Playback.RoomState.self, of: .playback(room), within: .seconds(1))
        if let newest, newest.value.state != .buffering { return newest }
        try await Task.sleep(for: .milliseconds(50))
      } while ContinuousClock.now < end
    } catch {
      // The command itself succeeded, so this error is not reported.
    }
    return nil
  }
}

/// Parses the argument of `lunara seek`.
enum SeekTarget {
  /// Returns a jump to a position, or by an offset if the text begins with a sign; nil for invalid text.
  static func action(_ text: String) -> Playback.Transport.Action? {
    let isOffset = text.hasPrefix("+") || text.hasPrefix("-")
    guard let length = length(text.dropFirst(isOffset ? 1 : 0)) else { return nil }
    return isOffset ? .skip(by: text.hasPrefix("-") ? .zero - length : length) : .seek(to: length)
  }

  /// Parses seconds, `m:ss` or `h:mm:ss`, each with an optional fraction.
  private static func length(_ text: Substring) -> Milliseconds? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    var seconds = 0.0
    for part in parts {
      guard part.allSatisfy({ ("0"..."9").contains($0) || $0 == "." }), let number = Double(part) else { return nil }
      seconds = seconds * 60 + number
    }
    return seconds < 1e7 ? Milliseconds(seconds: seconds) : nil
  }
}
