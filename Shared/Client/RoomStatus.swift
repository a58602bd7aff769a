public import Bus
public import Messages
public import Model

/// The state of a room at a moment, as every program shows it.
public struct RoomStatus: Sendable, Equatable {
  /// Its name.
  public var name: RoomName
  /// The title that people gave it; nil where they call it by its name.
  public var title: String?
  /// `idle`, `buffering`, `playing`, `paused` or `error`.
  public var state = "idle"
  /// The error, in state `error`.
  public var error: LunaraError?
  /// True while it does not answer.
  public var isAway = false
  /// The track it plays.
  public var track: Track?
  /// The queue's entry that plays.
  public var entry: EntryID?
  /// The position in the track at this moment.
  public var position = Milliseconds.zero
  /// The speed of the position, in media seconds a second; 0 while no sound flows or nothing is known.
  public var rate = 0.0
  /// The length of the track; nil where none is current.
  public var duration: Milliseconds?
  /// In percent; nil where it is not known.
  public var volume: Int?
  /// The revision of its queue; nil where it is not known.
  public var queueRevision: Int64?
  /// Up to where the track is buffered; nil where that is not known.
  public var buffered: Milliseconds?
  /// Its modes: repeat, order and limits; nil where they are not known.
  public var modes: Playback.Modes?
  /// A problem in spite of which it goes on.
  public var notice: LunaraError?
  /// In how long it tries again by itself, in state `error`; nil where it does not.
  public var retriesIn: Milliseconds?
  /// In how long the sleep timer pauses it; nil where none runs.
  public var sleepsIn: Milliseconds?
  /// The reason for which it paused itself, `sleep` or `output`; nil where it did not.
  public var interruption: String?

  /// Makes the status of a room that has said nothing about itself yet.
  public init(silent room: RoomName) { name = room }

  /// Makes the status of a room that does not answer.
  public init(unreachable room: RoomName, _ error: LunaraError) {
    name = room
    state = "error"
    self.error = error
    isAway = true
  }

  /// Makes the status of a room that has just answered with its state.
  public init(answered state: Playback.RoomState, now: Timestamp = .now()) {
    self.init(state, position: state.position(saidAt: state.position.takenAt, age: .zero), now: now)
  }

  /// Makes the status of a room as it is at a moment.
  ///
  /// - Parameters:
  ///   - observed: what it said last.
  ///   - moment: the moment.
  ///   - awaySince: the moment since which it does not answer; the position stays as it was then.
  public init(
    _ observed: Observed<Playback.RoomState>, at moment: ContinuousClock.Instant = .now,
    awaySince: ContinuousClock.Instant? = nil
  ) {
    func age(at moment: ContinuousClock.Instant) -> Milliseconds {
      let (seconds, attoseconds) = (moment - observed.readAt).components
      return observed.age + Milliseconds(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }
    self.init(
      observed.value,
      position: observed.value.position(saidAt: observed.saidAt, age: age(at: awaySince ?? moment)),
      now: observed.saidAt - (.zero - age(at: moment)))
    isAway = observed.away
    if isAway { rate = 0 }
  }

  private init(_ value: Playback.RoomState, position: Milliseconds, now: Timestamp) {
    name = value.room
    title = value.title
    // A state of a newer version is shown as the nearest one that readers know.
    if case .unknown = value.state { state = "buffering" } else { state = value.state.name }
    if case .error(let error) = value.state { self.error = error }
    (track, entry) = (value.item?.track, value.item?.entry)
    self.position = position
    rate = value.position.rate
    duration = value.duration ?? value.item?.track.duration
    (volume, queueRevision, buffered) = (value.volume, value.queueRevision, value.buffered)
    (modes, notice, interruption) = (value.modes, value.notice, value.interruption)
    retriesIn = value.retriesAt.map { max($0 - now, .zero) }
    sleepsIn = value.modes?.sleepsAt.map { max($0 - now, .zero) }
  }

  /// True while sound is to be heard, or about to be.
  public var isPlaying: Bool { state == "playing" || state == "buffering" }
}

/// The rooms as the bus reports them: the last state of each, and since when it has been away.
public struct ObservedRooms: Sendable {
  private struct Room: Sendable {
    var observed: Observed<Playback.RoomState>
    var awaySince: ContinuousClock.Instant?
  }

  private var rooms: [RoomName: Room] = [:]

  public init() {}

  /// Updates all rooms; one that is not among them is gone.
  ///
  /// - Parameters:
  ///   - observed: the newest state of each room, as `Node.states` gives them.
  ///   - now: the moment they were heard.
  /// - Returns: true if a person would see a difference, other than time passing.
  public mutating func update(
    _ observed: [Observed<Playback.RoomState>], at now: ContinuousClock.Instant = .now
  ) -> Bool {
    let old = rooms
    rooms = [:]
    for one in observed {
      let awaySince = one.away ? old[one.value.room]?.awaySince ?? now : nil
      rooms[one.value.room] = Room(observed: one, awaySince: awaySince)
    }
    return old.count != rooms.count
      || rooms.contains { name, room in
        old[name].map { $0.observed.value != room.observed.value || $0.observed.away != room.observed.away } ?? true
      }
  }

  /// The last state of a room; nil for one that is not there.
  public subscript(_ room: RoomName) -> Playback.RoomState? { rooms[room]?.observed.value }

  /// Returns the status of a room at a moment; nil for one that is not there.
  public func status(of room: RoomName, at moment: ContinuousClock.Instant = .now) -> RoomStatus? {
    rooms[room].map { RoomStatus($0.observed, at: moment, awaySince: $0.awaySince) }
  }

  /// Returns the status of all rooms at a moment, by name.
  public func statuses(at moment: ContinuousClock.Instant = .now) -> [RoomStatus] {
    rooms.keys.sorted().compactMap { status(of: $0, at: moment) }
  }

  /// The rooms that an intent can go to.
  public var choice: RoomChoice {
    let away = rooms.filter(\.value.observed.away).keys
    return RoomChoice(live: Set(rooms.keys).subtracting(away), away: Set(away))
  }
}
