public import Model
import System

/// A step of this host's clock: the times that it gave in this boot before it was set, and how far it was set.
///
/// A host without a battery for its clock begins each boot with a wrong time, until it has asked a time server.
public struct ClockStep: Hashable, Sendable {
  /// The first of these times.
  public let first: Timestamp
  /// The last of these times.
  public let last: Timestamp
  /// The length by which the clock was set, in microseconds; negative where it was set back.
  public let offset: Int64

  /// Returns a time as the clock would have given it, had it been right from the beginning of the boot. Times that the
  /// clock did not give in this boot stay.
  public func moved(_ time: Timestamp) -> Timestamp {
    (first...last).contains(time) ? Timestamp(microseconds: time.microseconds + offset) : time
  }

  /// Calls `apply` after each step of the clock, until the task is cancelled. Looks at the clock every 20 s.
  public static func follow(
    _ reference: ClockReference = ClockReference(), apply: @Sendable (ClockStep) async -> Void
  ) async {
    var reference = reference
    while !Task.isCancelled {
      do { try await Task.sleep(for: .seconds(20), tolerance: .seconds(5)) } catch { return }
      if let step = reference.step() { await apply(step) }
    }
  }
}

/// The difference between the clock that can be set and the one that counts from the boot of the host.
public struct ClockReference: Sendable {
  /// The smallest change of the difference that is a step, in microseconds: a time server corrects smaller ones slowly.
  static let smallest: Int64 = 60_000_000
  /// The latest time after the boot, in microseconds, at which a clock that was wrong from its beginning is set: a time
  /// server answers in the first minutes.
  static let latest: Int64 = 3_600_000_000

  /// The time by the clock at which this boot began, in microseconds.
  private var boot: Int64

  /// - Parameters:
  ///   - now: the time by the clock that can be set.
  ///   - sinceBoot: the microseconds since the boot, at the same moment.
  public init(now: Timestamp, sinceBoot: Int64) { boot = now.microseconds - sinceBoot }

  /// Takes the clocks of this host.
  public init() { self.init(now: .now(), sinceBoot: MonotonicClock.microsecondsSinceBoot()) }

  /// Returns the step that this host's clock made since the last call; nil if it made none.
  public mutating func step() -> ClockStep? {
    step(now: .now(), sinceBoot: MonotonicClock.microsecondsSinceBoot())
  }

  /// Returns the step that the clock made since the last call; nil if it made none that says that this boot had a wrong
  /// clock until now: one back, or one long after the boot, as after a pause of a virtual machine.
  public mutating func step(now: Timestamp, sinceBoot: Int64) -> ClockStep? {
    let (former, offset) = (boot, now.microseconds - sinceBoot - boot)
    boot += offset
    guard offset >= Self.smallest, sinceBoot <= Self.latest else { return nil }
    return ClockStep(
      first: Timestamp(microseconds: former), last: Timestamp(microseconds: former + sinceBoot), offset: offset)
  }
}
