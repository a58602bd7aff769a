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
  case setShuffle(Bool)
  case setLoop(String)
  /// Goes to a track of the track list.
  case goTo(track: String)
  /// Changes the track list, which only Lunara does.
  case editTracks

  /// What comes of a call.
  enum Outcome: Equatable, Sendable {
    /// The room is told.
    case perform(RoomCommand)
    /// Nothing happens, and the standard wants no error.
    case ignore
    /// The caller gets an error of this D-Bus name.
    case refuse(name: String, message: String)
  }

  /// What the standard says of this call while the room shows `player`.
  ///
  /// Rooms take their commands as what is to be: what is paused stays paused. So they are handed on although they look
  /// needless here, where the effect of the one before may not show yet.
  ///
  /// - Parameters:
  ///   - tracks: the track list.
  ///   - isFirst: whether no other command is on its way to the room.
  func outcome(for player: PlayerProperties, tracks: TrackList = TrackList(), isFirst: Bool = true) -> Outcome {
    switch self {
    case .next: player.canGoNext ? .perform(.transport(.next)) : .ignore
    case .previous: player.canGoPrevious ? .perform(.transport(.previous)) : .ignore
    case .pause: player.hasItem ? .perform(.transport(.pause)) : .ignore
    case .stop: player.hasItem ? .perform(.transport(.stop)) : .ignore
    // What to begin with where nothing is current is for the room to say: it knows what was stopped or queued since.
    case .play: player.canPlay ? .perform(.transport(.resume)) : .ignore
    case .playPause:
      if !player.canPause {
        .refuse(name: DBusErrorName.failed, message: "There is nothing to play in this room. Choose some music first.")
      } else {
        .perform(.transport(.toggle))
      }
    case .seek(let offset): Self.seek(by: offset, player)
    case .setPosition(let track, let position): Self.setPosition(track, position, player)
    case .openURI:
      .refuse(name: DBusErrorName.notSupported, message: "Lunara plays what is in its library and opens no addresses.")
    case .setVolume(let volume):
      volume.isNaN
        ? .refuse(name: DBusErrorName.invalidArguments, message: "The volume is no number.")
        : .perform(.transport(.volume(Int((min(max(volume, 0), 1) * 100).rounded()))))
    case .setRate(let rate): rate == 0 ? PlayerCall.pause.outcome(for: player) : .ignore
    // Mixing anew what is mixed would be a change that nobody asked for.
    case .setShuffle(let isMixed): isMixed && player.isMixed && isFirst ? .ignore : .perform(.mix(isMixed))
    case .setLoop(let name): Self.setLoop(name)
    case .goTo(let track): tracks.index(of: track).map { .perform(.transport(.jump(to: $0.0, of: $0.1))) } ?? .ignore
    case .editTracks:
      .refuse(
        name: DBusErrorName.notSupported, message: "The track list shows the queue. It is changed in Lunara itself.")
    }
  }

  private static func seek(by offset: Int64, _ player: PlayerProperties) -> Outcome {
    let offset = Milliseconds(microseconds: offset)
    guard player.canSeek, offset != .zero else { return .ignore }
    return .perform(.transport(.skip(by: offset)))
  }

  /// A position for another track than the current one comes too late and is ignored, as is one outside the track.
  private static func setPosition(_ track: String, _ position: Int64, _ player: PlayerProperties) -> Outcome {
    guard player.canSeek, track == player.trackPath, position >= 0, let length = player.length,
      position <= length.microseconds
    else { return .ignore }
    return .perform(.transport(.seek(to: Milliseconds(microseconds: position), of: player.entry)))
  }

  private static func setLoop(_ name: String) -> Outcome {
    switch PlayerProperties.Loop(rawValue: name) {
    case .some(.none): .perform(.transport(.repeats(.off)))
    case .track: .perform(.transport(.repeats(.one)))
    case .playlist: .perform(.transport(.repeats(.all)))
    case nil:
      .refuse(name: DBusErrorName.invalidArguments, message: "A loop status is None, Track or Playlist.")
    }
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

/// What a program of the desktop has a room do.
enum RoomCommand: Hashable, Sendable {
  /// A command of transport.
  case transport(Playback.Transport.Action)
  /// Mixes the tracks of the queue, or undoes that.
  case mix(Bool)
}
