import Messages

/// What a program of the desktop has a room do.
enum RoomCommand: Hashable, Sendable {
  /// A command of transport.
  case transport(Playback.Transport.Action)
  /// Mixes the tracks of the queue, or undoes that.
  case mix(Bool)
}
