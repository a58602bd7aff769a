import Messages
import Model

/// Why a room pauses itself.
enum Interruption: Hashable, Sendable, CaseIterable {
  /// The host goes to sleep.
  case sleep
  /// What the sound came out of is gone, and there was nothing to go on with.
  case output
  /// Headphones were pulled; there may be loudspeakers to go on with.
  case unplugged

  /// The word for it in the room's state.
  var word: String {
    switch self {
    case .sleep: "sleep"
    case .output, .unplugged: "output"
    }
  }
}

/// What holds a room that paused itself.
struct Interruptions: Hashable, Sendable {
  /// What is not over, the oldest first.
  fileprivate(set) var reasons: [Interruption] = []
  /// Whether the room plays on by itself once all are over.
  fileprivate(set) var endsWithSound = false
  /// Until when the output has to be back for that; nil where none is waited for.
  fileprivate(set) var outputDueBy: MonotonicTime?

  /// What people are told: what came first.
  var shown: String? { reasons.first?.word }
}

/// Pausing by itself, and playing on by itself: only where a person would find it as they left it.
///
/// A room that is interrupted is an ordinary paused room that knows why. It plays on when all that interrupted it is
/// over, unless somebody has decided something about its sound since, or the output stayed away for long: then whoever
/// brings it back, an hour later perhaps, does not ask for music with that.
extension RoomMachine {
  /// For so long an output may be gone without its return being a surprise: headphones whose radio was disturbed, a
  /// sound server that starts again.
  static let outputPatience = Milliseconds(10_000)

  /// Something holds the sound that no person decided. A room that would not sound does not take note of it.
  mutating func interrupt(_ reason: Interruption, at now: Now) {
    if reason == .sleep { leaveDry() }
    guard !interruptions.reasons.contains(reason) else { return }
    guard !interruptions.reasons.isEmpty || moves.resumes || hasSound(for: reason) else { return }
    if interruptions.reasons.isEmpty {
      interruptions.endsWithSound = true
      // What is held for a move may still go on elsewhere, and here only when all of it is over.
      if moves.resumes { moves.resumes = false } else { pause(at: now) }
    }
    interruptions.reasons.append(reason)
    if reason != .sleep, interruptions.outputDueBy == nil {
      interruptions.outputDueBy = now.moment + Self.outputPatience
    }
    show()
  }

  /// What held the sound is over; the room plays on if nothing else holds it and nobody touched it since.
  mutating func interruptionOver(_ reason: Interruption, at now: Now) {
    if reason == .sleep { catchUp(at: now) }
    guard interruptions.reasons.contains(reason) else { return }
    interruptions.reasons.removeAll { $0 == reason }
    if !interruptions.reasons.contains(where: { $0 != .sleep }) { interruptions.outputDueBy = nil }
    if interruptions.reasons.isEmpty {
      let endsWithSound = interruptions.endsWithSound
      forgetInterruptions()
      if endsWithSound, moves.isHeld { moves.resumes = true } else if endsWithSound { resume(at: now) }
    }
    show()
  }

  /// A person's command: what it says about the sound holds, whatever interrupted it. How loud it is and what comes
  /// later says nothing about that.
  mutating func forgetInterruptions(for action: Playback.Transport.Action) {
    switch action {
    case .resume, .pause, .toggle, .next, .previous, .stop, .seek, .skip, .jump:
      guard !interruptions.reasons.isEmpty else { return }
      forgetInterruptions()
      show()
    case .volume, .mute, .repeats, .stopAfterCurrent, .sleep: break
    }
  }

  /// Leaves the room as it is, with no reason for it but what it shows.
  mutating func forgetInterruptions() { interruptions = Interruptions() }

  /// The output was away for too long.
  mutating func stopWaitingForOutput(at now: Now) {
    guard let due = interruptions.outputDueBy, now.moment >= due else { return }
    interruptions.outputDueBy = nil
    interruptions.endsWithSound = false
  }

  /// Whether a reason takes sound away, or what would be sound in a moment. A room that tries again by itself tries until
  /// there is an output, but not while the host sleeps.
  private func hasSound(for reason: Interruption) -> Bool {
    switch phase {
    case .engaged: wantsSound
    case .failed: retry != nil && reason == .sleep
    case .idle, .cold: false
    }
  }

  /// This room's clock stands still while the host sleeps, and the expiry of a place does not: the next track is given a
  /// fresh one. Nor does a sleep timer stand still: where it has run out there is no sound to wait for.
  private mutating func catchUp(at now: Now) {
    for index in tracks.indices where tracks[index].staleAt != nil {
      (tracks[index].staleAt, tracks[index].renewAt) = (now.moment, now.moment)
    }
    renew(at: now)
    guard let timer = sleep else { return }
    sleep?.at = now.moment + max(.zero, timer.date - now.date)
    wakeSleep(at: now)
  }
}
