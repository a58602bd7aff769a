import Messages
import Model

/// Finds what changed between two states of a room.
enum RoomChanges {
  /// The difference of positions, in milliseconds, that is no jump.
  private static let positionTolerance: Int64 = 1500

  /// Returns the subsystems that changed; those of the first state are all that a room has.
  static func between(_ old: Playback.RoomState?, _ new: Playback.RoomState) -> Set<Subsystem> {
    guard let old else { return [.player, .mixer, .options, .playlist, .output] }
    var changes: Set<Subsystem> = []
    if old.state.name != new.state.name || old.item?.entry != new.item?.entry || hasJumped(old, new) {
      changes.insert(.player)
    }
    if old.volume != new.volume { changes.insert(.mixer) }
    if old.queueRevision != new.queueRevision { changes.insert(.playlist) }
    let modes = (old.modes ?? .init(), new.modes ?? .init())
    if modes.0.repeats != modes.1.repeats || modes.0.order != modes.1.order
      || modes.0.stopsAfterCurrent != modes.1.stopsAfterCurrent
    {
      changes.insert(.options)
    }
    if modes.0.isMuted != modes.1.isMuted || old.title != new.title { changes.insert(.output) }
    return changes
  }

  private static func hasJumped(_ old: Playback.RoomState, _ new: Playback.RoomState) -> Bool {
    let expected = old.position.after(new.position.takenAt - old.position.takenAt)
    return abs((new.position.offset - expected).rawValue) > positionTolerance
  }
}
