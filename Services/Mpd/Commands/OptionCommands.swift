import Client
import Messages
import Model

/// Commands that set modes and the volume of a room.
enum OptionCommands {
  static let all: [MPDCommand] = [
    MPDCommand("setvol", 1...1) { session, arguments, _ in
      let volume = try arguments[0].unsigned()
      guard volume <= 100 else { throw CommandError(.argument, "Number too large: \(arguments[0])") }
      try await set(volume: volume, session)
    },
    MPDCommand("volume", 1...1) { session, arguments, _ in
      let change = try arguments[0].integer()
      guard abs(change) <= 100 else { throw CommandError(.argument, "Number too large: \(arguments[0])") }
      guard let volume = try await session.household.status(of: try session.room()).volume else {
        throw CommandError(.system, "No mixer")
      }
      try await set(volume: min(100, max(0, volume + change)), session)
    },
    MPDCommand("getvol") { session, _, reply in
      reply.add("volume", ifPresent: try await session.household.status(of: try session.room()).volume)
    },
    MPDCommand("repeat", 1...1) { session, arguments, _ in
      let isOn = try arguments[0].flag()
      try await session.perform(try await options(session).settingRepeat(isOn))
    },
    MPDCommand("single", 1...1) { session, arguments, _ in
      guard let single = RoomOptions.Single(rawValue: arguments[0]) else {
        throw CommandError(.argument, "Unrecognized single mode, expected 0, 1, or oneshot")
      }
      try await session.perform(try await options(session).setting(single))
    },
    MPDCommand("random", 1...1) { session, arguments, _ in
      let isOn = try arguments[0].flag()
      guard try await options(session).isRandom != isOn else { return }
      try await session.edit(.order(isOn ? .tracks : .queued, seed: isOn ? .random(in: 0 ... .max) : 0))
    },
    MPDCommand("consume", 1...1) { _, arguments, _ in
      guard arguments[0] != "oneshot", try !arguments[0].flag() else {
        throw CommandError(.argument, "Lunara keeps songs in the queue after they played")
      }
    },
    MPDCommand("crossfade", 1...1) { _, arguments, _ in
      guard try arguments[0].unsigned() == 0 else {
        throw CommandError(.argument, "Lunara plays without gaps and does not crossfade")
      }
    },
    MPDCommand("mixrampdb", 1...1) { _, arguments, _ in _ = try arguments[0].time() },
    MPDCommand("mixrampdelay", 1...1) { _, arguments, _ in
      guard try arguments[0] == "nan" || arguments[0].time() <= .zero else {
        throw CommandError(.argument, "Lunara has no MixRamp")
      }
    },
    MPDCommand("replay_gain_mode", 1...1) { session, arguments, _ in
      let modes: [String: Playback.Levelling] = ["off": .off, "track": .track, "album": .album, "auto": .smart]
      guard let mode = modes[arguments[0]] else { throw CommandError(.argument, "Unrecognized replay gain mode") }
      _ = try await session.household.ask(Playback.SetOutput(levelling: mode), in: try session.room())
    },
    MPDCommand("replay_gain_status") { session, _, reply in
      let output = try await session.household.output(of: try session.room())
      let names: [Playback.Levelling: String] = [.track: "track", .album: "album", .smart: "auto"]
      reply.add("replay_gain_mode", names[output?.levelling ?? .off] ?? "off")
    },
  ]

  private static func options(_ session: Session) async throws -> RoomOptions {
    RoomOptions(try await session.household.status(of: try session.room()).modes)
  }

  private static func set(volume: Int, _ session: Session) async throws {
    let maximum = try await session.household.status(of: try session.room()).modes?.maximumVolume ?? 100
    try await session.perform([.volume(min(volume, maximum))])
  }
}
