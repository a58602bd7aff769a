import Messages
import Model
import ServiceKit

/// Measures the heard time of each track. It is a state machine without I/O.
///
/// Heard time is media time that reached the output while sound flowed without a break: not paused, not waiting for
/// data, not jumped over. The engine's report that a file has ended is no proof that it was heard.
struct ListenMeter: Hashable, Sendable {
  /// A listen that has not ended, as it is stored.
  struct OpenListen: Codable, Hashable, Sendable {
    var subject: Playback.ListenSubject
    /// The heard time so far, across pauses and restarts.
    var heard: Milliseconds
  }

  /// A time in which sound flows without a break.
  private struct UnbrokenSpan: Hashable, Sendable {
    var position: Milliseconds
    let since: MonotonicTime
    var counted = Milliseconds.zero
  }

  private(set) var listen: OpenListen?
  private let room: RoomName
  private let pace: Pace
  /// The present span; nil while no sound flows.
  private var span: UnbrokenSpan?
  /// The heard time that was last written to the journal.
  private var reported: Milliseconds
  /// True if the source of the present item did not know its length, so that the room's counts.
  private var learnsLength = false

  /// The heard time between two reports of a listen.
  static let interval = Milliseconds(30_000)
  /// The time by which a steady output may be ahead of the clock: a device fills its buffer at once when it starts.
  static let slack = Milliseconds(500)

  /// Continues the listen of an earlier run of the service, if there was one.
  init(room: RoomName, pace: Pace, resuming listen: OpenListen? = nil) {
    self.room = room
    self.pace = pace
    self.listen = listen
    reported = listen?.heard ?? .zero
  }

  /// Handles the start of an item's sound. An entry other than that of the current listen starts a new listen.
  ///
  /// - Parameter length: the length that the decoder knows, which counts where the item has none.
  mutating func soundStarted(
    _ item: QueueItem, length: Milliseconds? = nil, from position: Milliseconds, at now: MonotonicTime,
    on date: Timestamp, device: String? = nil, drawing id: () -> ListenID
  ) -> [RoomFact] {
    var item = item
    let isUnknown = item.track.duration <= .zero
    if isUnknown, let length { item.track.duration = length }
    var reports = listen.map { $0.subject.item.entry != item.entry } == true ? end(.skipped) : []
    if listen == nil {
      let subject = Playback.ListenSubject(
        listen: id(), room: room, item: item, startedAt: date, device: device)
      listen = OpenListen(subject: subject, heard: .zero)
      reported = .zero
      reports.append(.started(subject))
    }
    setDuration(item.track.duration, of: item.entry)
    learnsLength = isUnknown
    span = UnbrokenSpan(position: position, since: now)
    return reports
  }

  /// Sets the length of an item if its source did not know it: the length decides whether the listen counts. The
  /// decoder may learn it bit by bit, as of a stream of fragments.
  mutating func setDuration(_ length: Milliseconds, of entry: EntryID) {
    guard length > .zero, let listen, listen.subject.item.entry == entry else { return }
    guard learnsLength || listen.subject.item.track.duration <= .zero else { return }
    self.listen?.subject.item.track.duration = length
  }

  /// Gives the present listen what the library now says of its track. Returns true if that was something else. A length
  /// that only the decoder knows stays.
  mutating func renew(_ tracks: [Track]) -> Bool {
    guard let listen, var track = tracks.first(where: { $0.id == listen.subject.item.track.id }) else { return false }
    if track.duration > .zero { learnsLength = false } else { track.duration = listen.subject.item.track.duration }
    self.listen?.subject.item.track = track
    return self.listen != listen
  }

  /// Handles that the item has played to its natural end, which is its length if nothing else gave one.
  mutating func finish(at position: Milliseconds) -> [RoomFact] {
    if let listen, learnsLength, position > listen.subject.item.track.duration {
      self.listen?.subject.item.track.duration = position
    }
    return end(.finished)
  }

  mutating func advance(to position: Milliseconds, at now: MonotonicTime) -> [RoomFact] {
    count(upTo: position, at: now)
    guard let listen, listen.heard - reported >= Self.interval else { return [] }
    return report()
  }

  /// Handles that sound has flowed up to a position and has stopped there.
  mutating func hold(at position: Milliseconds, _ now: MonotonicTime, _ reason: HoldReason) -> [RoomFact] {
    count(upTo: position, at: now)
    span = nil
    return reason == .starved ? [] : report()
  }

  mutating func end(_ reason: Playback.EndReason) -> [RoomFact] {
    span = nil
    guard let ended = listen else { return [] }
    listen = nil
    learnsLength = false
    reported = .zero
    return [.ended(ended.subject, ended.heard, reason)]
  }

  /// Continues a listen that another room started, with the heard time so far; nil for no listen.
  mutating func adopt(_ mark: Playback.ListenMark?, of item: QueueItem) {
    span = nil
    learnsLength = false
    listen = mark.map {
      let subject = Playback.ListenSubject(listen: $0.listen, room: room, item: item, startedAt: $0.startedAt)
      return OpenListen(subject: subject, heard: $0.heard)
    }
    reported = mark?.heard ?? .zero
  }

  /// Moves the beginning of the present listen, if it was before the clock was set.
  mutating func apply(_ step: ClockStep) {
    guard let start = listen?.subject.startedAt else { return }
    listen?.subject.startedAt = step.moved(start)
  }

  /// Forgets the present listen, which continues in another room.
  mutating func discardListen() { _ = end(.skipped) }

  private mutating func report() -> [RoomFact] {
    guard let listen, listen.heard > reported else { return [] }
    reported = listen.heard
    return [.heard(listen.subject, listen.heard)]
  }

  /// Adds the heard time since the last position. On a steady output a span cannot be longer than the clock allows: a
  /// position that jumps ahead has not been heard.
  private mutating func count(upTo position: Milliseconds, at now: MonotonicTime) {
    guard var present = span else { return }
    var flowed = max(.zero, position - present.position)
    if case .steady(let rate) = pace {
      let passed = Double(max(.zero, now - present.since).rawValue)
      let allowed = Milliseconds(Int64((passed * 1.02 + Double(Self.slack.rawValue)) * rate))
      flowed = min(flowed, max(.zero, allowed - present.counted))
    }
    listen?.heard += flowed
    present.counted += flowed
    present.position = position
    span = present
  }
}
