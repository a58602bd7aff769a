import Messages
import Model

/// A call of a desktop program to a player: a method of MPRIS, or the setting of a property. Times are in microseconds.
enum PlayerCall: Equatable, Sendable {
  case next
  case previous
  case pause
  case playPause
  case stop
  case play
  case seek(by: Int64)
  case setPosition(track: String, to: Int64)
  case openURI
  case setVolume(Double)
  case setRate(Double)
  case setShuffle(Bool)
  case setLoop(String)

  enum Outcome: Equatable, Sendable {
    case perform(RoomCommand)
    /// Nothing happens, and MPRIS requires no error.
    case ignore
    /// The caller gets an error with this D-Bus name.
    case refuse(name: String, message: String)
  }

  /// Returns the result that MPRIS requires for this call while the room's player is in the state `player`.
  ///
  /// Commands name the wanted state, so pausing a paused room changes nothing. They are sent even if they seem
  /// needless, as `player` may not show the effect of the previous command yet.
  ///
  /// - Parameters:
  ///   - player: the state of the room's player.
  ///   - isFirst: true if no other command is being sent to the room.
  func outcome(for player: PlayerProperties, isFirst: Bool = true) -> Outcome {
    switch self {
    case .next: player.canGoNext ? .perform(.transport(.next)) : .ignore
    case .previous: player.canGoPrevious ? .perform(.transport(.previous)) : .ignore
    case .pause: player.hasItem ? .perform(.transport(.pause)) : .ignore
    case .stop: player.hasItem ? .perform(.transport(.stop)) : .ignore
    // Without a current track the room decides what to play: it knows what was stopped or queued.
    case .play: player.canPlay ? .perform(.transport(.resume)) : .ignore
    case .playPause:
      player.canPlay
        ? .perform(.transport(.toggle))
        : .refuse(name: DBusErrorName.failed, message: "The queue of this room is empty. Add some music first.")
    case .seek(let offset): Self.seek(by: offset, player)
    case .setPosition(let track, let position): Self.setPosition(track, position, player)
    case .openURI:
      .refuse(
        name: DBusErrorName.notSupported,
        message: "Lunara cannot open addresses. It plays only the music in its library.")
    case .setVolume(let volume):
      volume.isNaN
        ? .refuse(name: DBusErrorName.invalidArguments, message: "The volume is not a number.")
        : .perform(.transport(.volume(Int((min(max(volume, 0), 1) * 100).rounded()))))
    case .setRate(let rate): rate == 0 ? PlayerCall.pause.outcome(for: player) : .ignore
    // Shuffling a shuffled queue again would change its order, which nobody asked for.
    case .setShuffle(let isOn): isOn && player.isShuffled && isFirst ? .ignore : .perform(.shuffle(isOn))
    case .setLoop(let name):
      PlayerProperties.loops.first { $0.name == name }.map { .perform(.transport(.repeats($0.mode))) }
        ?? .refuse(name: DBusErrorName.invalidArguments, message: "The loop status must be None, Track or Playlist.")
    }
  }

  private static func seek(by offset: Int64, _ player: PlayerProperties) -> Outcome {
    let offset = Milliseconds(microseconds: offset)
    guard player.canSeek, offset != .zero else { return .ignore }
    return .perform(.transport(.skip(by: offset)))
  }

  /// Seeks to a position. Ignores a position in another track than the current one, as the call came too late, and a
  /// position outside the track.
  private static func setPosition(_ track: String, _ position: Int64, _ player: PlayerProperties) -> Outcome {
    guard player.canSeek, track == player.trackPath, position >= 0, let length = player.length,
      position <= length.microseconds
    else { return .ignore }
    return .perform(.transport(.seek(to: Milliseconds(microseconds: position), of: player.entry)))
  }
}

/// The names of D-Bus errors.
enum DBusErrorName {
  static let failed = "org.freedesktop.DBus.Error.Failed"
  static let notSupported = "org.freedesktop.DBus.Error.NotSupported"
  static let invalidArguments = "org.freedesktop.DBus.Error.InvalidArgs"
  static let limitsExceeded = "org.freedesktop.DBus.Error.LimitsExceeded"

  /// Returns the D-Bus name of an error of Lunara: `org.lunara.Error.bus.timeout`.
  static func of(_ error: LunaraError) -> String {
    let parts = error.code.split(separator: ".").map { part in
      let text = String(
        part.unicodeScalars.map {
          $0.isASCII && ($0.properties.isAlphabetic || $0 == "_" || ("0"..."9").contains($0)) ? Character($0) : "_"
        })
      return text.first?.isNumber ?? true ? "_" + text : text
    }
    return (["org.lunara.Error"] + parts).joined(separator: ".")
  }
}

/// A command from the desktop to a room.
enum RoomCommand: Hashable, Sendable {
  case transport(Playback.Transport.Action)
  /// Shuffles the tracks of the queue, or restores their order.
  case shuffle(Bool)
}
