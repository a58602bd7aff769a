import Messages
import Model

/// A reason why a room pauses itself.
enum Interruption: Hashable, Sendable, CaseIterable {
  case sleep
  /// The output is gone, and there was no other one.
  case output
  /// Headphones were unplugged; loudspeakers may be available.
  case unplugged

  /// The name in the room's state.
  var name: String { self == .sleep ? "sleep" : "output" }
}

/// The interruptions because of which a room has paused itself.
struct Interruptions: Hashable, Sendable {
  /// The reasons that still apply, the oldest first.
  fileprivate(set) var reasons: [Interruption] = []
  /// True if the room resumes by itself when all interruptions are over.
  fileprivate(set) var endsWithSound = false
  /// The time until which the output must be back for that; nil if no output is waited for.
  fileprivate(set) var outputDueBy: MonotonicTime?
}

/// Interruptions: a room pauses by itself, and resumes by itself if a person expects that.
///
/// An interrupted room is a paused room with a reason. It resumes when all interruptions are over, unless a person has
/// started, stopped or paused it meanwhile, or the output was missing for too long.
extension RoomMachine {
  /// The longest time for which an output may be missing if the room is to resume by itself when it is back.
  static let outputPatience = Milliseconds(10_000)

  /// Pauses for a reason other than a person's command. Ignored by a room without sound.
  mutating func interrupt(_ reason: Interruption, at now: Now) {
    if reason == .sleep { stopWaitingForMore() }
    guard !interruptions.reasons.contains(reason) else { return }
    guard !interruptions.reasons.isEmpty || moves.resumes || hasSound(for: reason) else { return }
    if interruptions.reasons.isEmpty {
      interruptions.endsWithSound = true
      // Music that is held for a move may continue in the other room; here it may resume only after the move has ended.
      if moves.resumes { moves.resumes = false } else { pause(at: now) }
    }
    interruptions.reasons.append(reason)
    if reason != .sleep, interruptions.outputDueBy == nil {
      interruptions.outputDueBy = now.moment + Self.outputPatience
    }
    publish()
  }

  /// Ends an interruption: the room resumes if no other one applies and no person has decided otherwise.
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

  /// Forgets the interruptions if a person's command decides about the sound. Volume and modes do not.
  mutating func dropInterruptions(for action: Playback.Transport.Action) {
    guard action == .pause || action.changesWhatPlays, !interruptions.reasons.isEmpty else { return }
    interruptions = Interruptions()
    publish()
  }

  /// Stops waiting for an output that was missing for too long.
  mutating func stopWaitingForOutput(at now: Now) {
    guard let due = interruptions.outputDueBy, now.moment >= due else { return }
    interruptions.outputDueBy = nil
    interruptions.endsWithSound = false
  }

  /// Returns true if there is sound to interrupt, or would be in a moment. A room that retries after an error is
  /// interrupted only by the host's sleep: without an output it continues to retry.
  private func hasSound(for reason: Interruption) -> Bool {
    switch phase {
    case .engaged: wantsSound
    case .failed(let failure): failure.recovery.retry != nil && reason == .sleep
    case .idle, .unloaded: false
    }
  }

  /// Catches up after the host's sleep, during which the monotonic clock stood still. The locator of the next track may
  /// have expired, so a fresh one is requested; a sleep timer that is over pauses the room.
  private mutating func catchUp(at now: Now) {
    for index in tracks.indices where tracks[index].staleAt != nil {
      tracks[index].staleAt = now.moment
      tracks[index].renewAt = now.moment
    }
    renew(at: now)
    guard let timer = volume.timer else { return }
    volume.timer?.at = now.moment + max(.zero, timer.date - now.date)
    wakeSleep(at: now)
  }
}
