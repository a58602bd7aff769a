import Messages
import Model

/// What a room wants of its host, by what it does.
struct HostNeeds: Hashable, Sendable {
  /// The host does not count as idle while there is sound.
  var isBusy = false
  /// Before the host sleeps the room has something to do; or it waits to hear that it is awake again.
  var hearsOfSleep = false

  /// Wants nothing.
  init() {}

  /// What a room in this state wants.
  init(_ state: Playback.RoomState) {
    isBusy = state.state == .playing || state.state == .buffering
    hearsOfSleep = isBusy || state.retriesAt != nil || state.interruption == Interruption.sleep.word
  }

  /// The locks that say so.
  var locks: Set<HostNeeds.Lock> {
    Set((isBusy ? [.idle] : []) + (hearsOfSleep ? [.sleepDelay] : []))
  }

  /// The locks of logind that a room may hold.
  enum Lock: CaseIterable, Sendable {
    /// No sleep before the room has paused.
    case sleepDelay
    /// The host is not idle.
    case idle
  }
}
