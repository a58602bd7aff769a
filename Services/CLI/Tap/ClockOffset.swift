import Model

/// How far another host's clock is from this one's, as a question and its answer show it.
///
/// The answer was written somewhere between the moments of asking and hearing, so the offset is known to half of that
/// round trip.
struct ClockOffset: Sendable, Equatable {
  /// By how much the other clock is ahead, in milliseconds; below zero where it is behind.
  let milliseconds: Double
  /// How far the offset may be off, in milliseconds.
  let uncertainty: Double

  /// On one host there is one clock.
  static let none = ClockOffset(milliseconds: 0, uncertainty: 0)

  private init(milliseconds: Double, uncertainty: Double) {
    self.milliseconds = milliseconds
    self.uncertainty = uncertainty
  }

  /// Judges by one round trip: `saidAt` on the other clock, the moments of asking and hearing on this one.
  init(askedAt: Timestamp, saidAt: Timestamp, heardAt: Timestamp) {
    let (asked, heard) = (Double(askedAt.microseconds), Double(heardAt.microseconds))
    milliseconds = (Double(saidAt.microseconds) - (asked + heard) / 2) / 1000
    uncertainty = max(0, heard - asked) / 2000
  }

  /// How late something came, in milliseconds, by this host's clock.
  func latency(of saidAt: Timestamp, seenAt: Timestamp) -> Double {
    max(0, Double(seenAt.microseconds - saidAt.microseconds) / 1000 + milliseconds)
  }
}
