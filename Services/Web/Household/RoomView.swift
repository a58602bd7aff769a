import Bus
import Messages
import Model

/// What is known of a room, with its position anchored on this process's monotonic clock.
struct RoomView {
  let value: Playback.RoomState
  let away: Bool
  /// The instant at which the room's position was taken, as seen from here.
  private let anchor: ContinuousClock.Instant
  /// Since when nothing is heard of it: where the music went since is unknown, so the position stands still.
  private let awaySince: ContinuousClock.Instant?
  /// When it was said, by the room's clock and as seen from here.
  private let said: (at: Timestamp, instant: ContinuousClock.Instant)

  /// Makes a view.
  ///
  /// - Parameters:
  ///   - observed: the newest value; its age and the time between anchor and saying are both the publisher's.
  ///   - old: the view before, which knows since when the room is away.
  init(_ observed: Observed<Playback.RoomState>, at now: ContinuousClock.Instant, after old: RoomView?) {
    value = observed.value
    away = observed.away
    let held = max(.zero, observed.saidAt - observed.value.position.takenAt)
    anchor = now - .milliseconds(observed.age.rawValue) - .milliseconds(held.rawValue)
    said = (observed.saidAt, now - .milliseconds(observed.age.rawValue))
    awaySince = observed.away ? old?.awaySince ?? now : nil
  }

  /// Where in the track the room is.
  func position(at now: ContinuousClock.Instant) -> Milliseconds {
    value.position.after(Self.milliseconds((awaySince ?? now) - anchor), upTo: value.duration)
  }

  private static func milliseconds(_ duration: Duration) -> Milliseconds {
    let (seconds, attoseconds) = duration.components
    return Milliseconds(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
  }

  /// The room as surfaces show it.
  func shape(at now: ContinuousClock.Instant) -> Shape.Room {
    let passed = Self.milliseconds(now - said.instant)
    return Shape.Room(value, position: position(at: now), now: said.at - (.zero - passed), away: away)
  }

  /// Whether a person would see a difference, other than time passing.
  func differs(from other: RoomView?) -> Bool { other.map { $0.value != value || $0.away != away } ?? true }
}
