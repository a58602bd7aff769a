import Bus
import Client
import Messages
import Model

extension Option {
  fileprivate static let afterCurrent = Option("--after-current", help: "when the track that plays is over")
  fileprivate static let afterAlbum = Option("--after-album", help: "when the album that plays is over")
  fileprivate static let cancel = Option(
    "--cancel", help: "with --after-current or --after-album: do not stop after it after all")
}

extension Command {
  static let transport: [Command] = [
    transport("pause", "hold the music", .pause),
    transport("resume", "play on; after a stop, from the start of what was stopped", .resume),
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
      ], options: [.room], action: .asynchronous { try await control($0, action, awaitsSound: true) })
  }

  private static let stop = Command(
    name: "stop", summary: "stop; the queue stays",
    examples: [
      "lunara stop": "in the only room, or the one that plays or was used last",
      "lunara stop --after-current": "when this track is over",
      "lunara stop --after-current --cancel": "do not stop then",
      "lunara stop --after-album": "when this album is over",
    ], options: [.room, .afterCurrent, .afterAlbum, .cancel],
    action: .asynchronous { context in
      let arguments = context.arguments
      let (track, album, cancel) = (arguments.has(.afterCurrent), arguments.has(.afterAlbum), arguments.has(.cancel))
      guard !(track && album) else { throw UsageError("--after-current and --after-album exclude each other.") }
      guard track || album || !cancel else {
        throw UsageError("--cancel goes with --after-current or --after-album.")
      }
      try await control(context, track ? .stopAfterCurrent(!cancel) : album ? .stopAfterAlbum(!cancel) : .stop)
    })

  private static let mute = Command(
    name: "mute", summary: "let no sound through, whatever the volume, or let it through again",
    examples: [
      "lunara mute": "whether it is on", "lunara mute on": "silence; the music goes on",
      "lunara mute off": "as loud as before",
    ],
    options: [.room],
    operand: .optional("on|off", help: "on or off; shows it if there is none", completes: .words(["on", "off"])),
    action: .asynchronous { context in
      guard !context.arguments.operands.isEmpty else {
        return try await show(context) { $0.modes.map { "mute \($0.isMuted ? "on" : "off")" } }
      }
      try await control(context, .mute(try context.arguments.word(0, "on|off", ["on": true, "off": false])))
    })

  private static let repeats = Command(
    name: "repeat", summary: "what follows the end of the queue, or of the track",
    examples: [
      "lunara repeat": "which it is", "lunara repeat all": "after the last the first",
      "lunara repeat one": "this track again and again", "lunara repeat off": "the end is the end",
    ], options: [.room],
    operand: .optional(
      "MODE", help: "off, one or all; shows it if there is none", completes: .words(["off", "one", "all"])),
    action: .asynchronous { context in
      guard !context.arguments.operands.isEmpty else {
        return try await show(context) { $0.modes.map { "repeat \($0.repeats.rawValue)" } }
      }
      let modes: [String: Playback.Repeat] = ["off": .off, "one": .one, "all": .all]
      try await control(context, .repeats(try context.arguments.word(0, "MODE", modes)))
    })

  private static let sleep = Command(
    name: "sleep", summary: "fade out and pause after a while",
    discussion: "`lunara stop --after-album` stops where the album ends instead.",
    examples: [
      "lunara sleep": "when it will", "lunara sleep 30m": "in half an hour", "lunara sleep off": "not any more",
    ],
    options: [.room],
    operand: .optional(
      "TIME", help: "90s, 30m or 1h; or off; shows what is left if there is none",
      completes: .words(["30m", "1h", "off"])),
    action: .asynchronous { context in
      guard !context.arguments.operands.isEmpty else {
        return try await show(context) { room in
          room.modes.map { _ in room.sleepsIn.map { "sleep in \($0.roundedToMinutes.text)" } ?? "sleep off" }
        }
      }
      let text = context.arguments.operands[0]
      if text == "off" { return try await control(context, .sleep(after: nil)) }
      guard let time = Milliseconds(duration: text), time > .zero, time <= Milliseconds(86_400_000) else {
        throw UsageError("TIME is a length of time of at most 24h, such as 90s, 30m or 1h, or off; not “\(text)”.")
      }
      try await control(context, .sleep(after: time))
    })

  private static let seek = Command(
    name: "seek", summary: "jump to a position, or by an offset",
    examples: [
      "lunara seek 90": "to 1:30", "lunara seek 1:30": "the same",
      "lunara seek +15": "15 s on", "lunara seek -15": "15 s back",
    ], options: [.room], operand: .one("S", help: "seconds or minutes:seconds; with + or - from where it is"),
    action: .asynchronous { context in
      let text = context.arguments.operands[0]
      let action = try SeekTarget.action(text).orUsage(
        "S is a number of seconds such as 90, 1:30, +15 or -15, not “\(text)”.")
      try await control(context, action, awaitsSound: true)
    })

  private static let volume = Command(
    name: "volume", summary: "set the volume, or change it",
    examples: [
      "lunara volume": "how loud it is", "lunara volume 60": "60 percent",
      "lunara volume +5": "louder by five percent of the whole",
      "lunara volume 0 --room kitchen": "silence there",
    ],
    options: [.room],
    operand: .optional("N", help: "percent, from 0 to 100; with + or - from where it is; shows it if there is none"),
    action: .asynchronous { context in
      guard !context.arguments.operands.isEmpty else {
        return try await show(context) { room in
          room.volume.map { "volume \($0)\(room.modes?.isMuted == true ? ", muted" : "")" }
        }
      }
      let percent = try context.arguments.integer(0, "N", in: -100...100)
      let text = context.arguments.operands[0]
      guard text.hasPrefix("+") || text.hasPrefix("-") else { return try await control(context, .volume(percent)) }
      try await control(context) { client, room in
        .volume(max(0, min(100, try await client.knownState(of: room).value.volume + percent)))
      }
    })

  /// Prints one value of a room's state, which `text` returns; nil if an older room does not tell it.
  private static func show(_ context: Context, _ text: (RoomStatus) -> String?) async throws {
    let client = try await Client(context)
    let room = try await client.room(for: context)
    let status = RoomStatus(try await client.knownState(of: room))
    guard let text = text(status) else { throw Client.stateUnknown(room) }
    context.console.print(status.json, text: Table([[.strong(room.rawValue), .init(text)]]).text(for: context.console))
  }

  private static func control(
    _ context: Context, _ action: Playback.Transport.Action, awaitsSound: Bool = false
  ) async throws {
    try await control(context, awaitsSound: awaitsSound) { _, _ in action }
  }

  private static func control(
    _ context: Context, awaitsSound: Bool = false,
    _ action: (Client, RoomName) async throws -> Playback.Transport.Action
  ) async throws {
    let client = try await Client(context)
    let room = try await client.room(for: context)
    let state = try await client.ask(Playback.Transport(try await action(client, room)), in: room)
    var status = RoomStatus(answered: state)
    if awaitsSound, state.state == .buffering, let sound = await client.sound(in: room) { status = RoomStatus(sound) }
    status.print(to: context.console)
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
