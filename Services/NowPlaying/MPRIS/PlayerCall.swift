import Messages
import Model

/// What a program of the desktop asks of a player: a method of MPRIS or a property it sets. Times in microseconds.
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

  /// What comes of a call.
  enum Outcome: Equatable, Sendable {
    /// The room is told.
    case perform(Playback.Transport.Action)
    /// Nothing happens, and the standard wants no error.
    case ignore
    /// The caller gets an error of this D-Bus name.
    case refuse(name: String, message: String)
  }

  /// What the standard says of this call while the room shows `player`.
  func outcome(for player: PlayerProperties) -> Outcome {
    switch self {
    case .next: player.canGoNext ? .perform(.next) : .ignore
    case .previous: player.canGoPrevious ? .perform(.previous) : .ignore
    case .pause: player.status == .playing ? .perform(.pause) : .ignore
    case .stop: player.trackPath == TrackPath.none ? .ignore : .perform(.stop)
    case .play: player.canPlay ? Self.play(player) : .ignore
    case .playPause:
      if !player.canPause {
        .refuse(name: DBusErrorName.failed, message: "There is nothing to play in this room. Choose some music first.")
      } else if player.status == .stopped {
        Self.play(player)
      } else {
        .perform(.toggle)
      }
    case .seek(let offset): Self.seek(by: offset, player)
    case .setPosition(let track, let position): Self.setPosition(track, position, player)
    case .openURI:
      .refuse(name: DBusErrorName.notSupported, message: "Lunara plays what is in its library and opens no addresses.")
    case .setVolume(let volume):
      volume.isNaN
        ? .refuse(name: DBusErrorName.invalidArguments, message: "The volume is no number.")
        : .perform(.volume(Int((min(max(volume, 0), 1) * 100).rounded())))
    case .setRate(let rate): rate == 0 ? PlayerCall.pause.outcome(for: player) : .ignore
    }
  }

  /// Where nothing is current any more, playing on means starting an item of the queue.
  private static func play(_ player: PlayerProperties) -> Outcome {
    guard player.status != .playing else { return .ignore }
    return .perform(player.trackPath == TrackPath.none ? .jump(to: player.startIndex) : .resume)
  }

  private static func seek(by offset: Int64, _ player: PlayerProperties) -> Outcome {
    let offset = Milliseconds(microseconds: offset)
    guard player.canSeek, offset != .zero else { return .ignore }
    return .perform(.skip(by: offset))
  }

  /// A position for another track than the current one comes too late and is ignored, as is one outside the track.
  private static func setPosition(_ track: String, _ position: Int64, _ player: PlayerProperties) -> Outcome {
    guard player.canSeek, track == player.trackPath, position >= 0, let length = player.length,
      position <= length.microseconds
    else { return .ignore }
    return .perform(.seek(to: Milliseconds(microseconds: position), of: player.entry))
  }
}

/// Names of D-Bus errors.
enum DBusErrorName {
  static let failed = "org.freedesktop.DBus.Error.Failed"
  static let notSupported = "org.freedesktop.DBus.Error.NotSupported"
  static let invalidArguments = "org.freedesktop.DBus.Error.InvalidArgs"
  static let limitsExceeded = "org.freedesktop.DBus.Error.LimitsExceeded"

  /// The name of one of our own errors: `org.lunara.Error.bus.timeout`.
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
