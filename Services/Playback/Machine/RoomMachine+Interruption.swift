import Messages
import Model

/// A reason for which a room pauses itself.
enum Interruption: Hashable, Sendable, CaseIterable {
  case sleep
  /// The output is gone, and there was none to go on with.
  case output
  /// Headphones were pulled; there may be loudspeakers to go on with.
  case unplugged

  /// The name in the room's state.
  var name: String { self == .sleep ? "sleep" : "output" }
}

/// The interruptions that hold a room which paused itself.
struct Interruptions: Hashable, Sendable {
  /// The reasons that are not over, the oldest first.
  fileprivate(set) var reasons: [Interruption] = []
  /// True if the room plays on by itself once all are over.
  fileprivate(set) var endsWithSound = false
  /// The time by which the output has to be back for that; nil where none is waited for.
  fileprivate(set) var outputDueBy: MonotonicTime?
}

/// Interruptions: a room pauses by itself, and plays on by itself where a person expects that.
///
/// An interrupted room is an ordinary paused room that keeps the reason. It plays on when all interruptions are over,
/// unless a person has decided something about its sound since, or the output stayed away for long.
extension RoomMachine {
  /// The longest time that an output may be gone for the room to play on by itself when it returns.
  static let outputPatience = Milliseconds(10_000)

  /// Pauses for a reason that no person decided. A room that would not sound ignores it.
  mutating func interrupt(_ reason: Interruption, at now: Now) {
    if reason == .sleep { stopWaitingForMore() }
    guard !interruptions.reasons.contains(reason) else { return }
    guard !interruptions.reasons.isEmpty || moves.resumes || hasSound(for: reason) else { return }
    if interruptions.reasons.isEmpty {
      interruptions.endsWithSound = true
      // Music that is held for a move may continue elsewhere, and here only after the move has ended.
      if moves.resumes { moves.resumes = false } else { pause(at: now) }
    }
    interruptions.reasons.append(reason)
    if reason != .sleep, interruptions.outputDueBy == nil {
      interruptions.outputDueBy = now.moment + Self.outputPatience
    }
    publish()
  }

  /// Ends an interruption: the room plays on if nothing else holds it and nobody touched it since.
  mutating func interruptionOver(_ reason: Interruption, at now: Now) {
    if reason == .sleep { catchUp(at: now) }
    guard interruptions.reasons.contains(reason) else { return }
    interruptions.reasons.removeAll { $0 == reason }
    if !interruptions.reasons.contains(where: { $0 != .sleep }) { interruptions.outputDueBy = nil }
    if interruptions.reasons.isEmpty {
      let endsWithSound = interruptions.endsWithSound
      interruptions = Interruptions()
      if endsWithSound, moves.isHeld { moves.resumes = true } else if endsWithSound { resume(at: now) }
    }
    publish()
  }

  /// Forgets the interruptions if a person's command decides about the sound. Volume and modes say nothing about that.
  mutating func dropInterruptions(for action: Playback.Transport.Action) {
    guard action == .pause || action.changesWhatPlays, !interruptions.reasons.isEmpty else { return }
    interruptions = Interruptions()
    publish()
  }

  /// Gives up waiting for an output that was away for too long.
  mutating func stopWaitingForOutput(at now: Now) {
    guard let due = interruptions.outputDueBy, now.moment >= due else { return }
    interruptions.outputDueBy = nil
    interruptions.endsWithSound = false
  }

  /// Returns true if there is sound that the interruption ends, or would be sound in a moment. A room that retries is
  /// interrupted only by the host's sleep: without an output it goes on trying.
  private func hasSound(for reason: Interruption) -> Bool {
    switch phase {
    case .engaged: wantsSound
    case .failed(let failure): failure.recovery.retry != nil && reason == .sleep
    case .idle, .unloaded: false
    }
  }

  /// Makes up for the time that the host slept, in which the monotonic clock stood still. The locator of the next track
  /// may have expired, so a fresh one is asked for; a sleep timer that has run out pauses the room.
  private mutating func catchUp(at now: Now) {
    for index in tracks.indices where tracks[index].staleAt != nil {
      (tracks[index].staleAt, tracks[index].renewAt) = (now.moment, now.moment)
    }
    renew(at: now)
    guard let timer = volume.timer else { return }
    volume.timer?.at = now.moment + max(.zero, timer.date - now.date)
    wakeSleep(at: now)
  }
}
