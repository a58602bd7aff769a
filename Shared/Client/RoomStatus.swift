public import Bus
public import Messages
public import Model

/// The state of a room at one time, as programs show it.
public struct RoomStatus: Sendable, Equatable {
  /// The name.
  public var name: RoomName
  /// The title that people gave the room; nil if it has none.
  public var title: String?
  /// `idle`, `buffering`, `playing`, `paused` or `error`.
  public var state = "idle"
  /// The error in the state `error`.
  public var error: LunaraError?
  /// True if the room does not answer.
  public var isAway = false
  /// The current track; nil if there is none.
  public var track: Track?
  /// The current entry of the queue; nil if there is none.
  public var entry: EntryID?
  /// The position in the track at the time of this status.
  public var position = Milliseconds.zero
  /// The speed of the position in media seconds per second; 0 while no sound flows or nothing is known.
  public var rate = 0.0
  /// The length of the track; nil if there is none.
  public var duration: Milliseconds?
  /// The volume in percent; nil if not known.
  public var volume: Int?
  /// The revision of the queue; nil if not known.
  public var queueRevision: Int64?
  /// The position up to which the track is buffered; nil if not known.
  public var buffered: Milliseconds?
  /// The modes: repeat, order and limits; nil if not known.
  public var modes: Playback.Modes?
  /// A problem that does not stop the room; nil if there is none.
  public var notice: LunaraError?
  /// The name of the plugin that gives the sound; nil for music of the library.
  public var plugin: String?
  /// True if only a preview of the track is played.
  public var isPreview = false
  /// The time until the room tries again, in the state `error`; nil if it does not.
  public var retriesIn: Milliseconds?
  /// The time until the sleep timer pauses the room; nil if no timer runs.
  public var sleepsIn: Milliseconds?
  /// The reason why the room paused automatically, `sleep` or `output`; nil if it did not.
  public var interruption: String?
  /// The number of the theme as which the current track was queued; nil if it was queued otherwise.
  public var theme: Int64?
  /// The time since the room last played, paused or jumped; nil if it never did, or if that is not known.
  public var sinceUsed: Milliseconds?

  /// Creates the status of a room that has not published a state yet.
  public init(silent room: RoomName) { name = room }

  /// Creates the status of a room that was stopped in order: it is idle and away.
  public init(stopped room: RoomName) {
    name = room
    isAway = true
  }

  /// Creates the status of a room that does not answer.
  public init(unreachable room: RoomName, _ error: LunaraError) {
    name = room
    state = "error"
    self.error = error
    isAway = true
  }

  /// Creates the status of a room that has just answered with its state.
  public init(answered state: Playback.RoomState, now: Timestamp = .now()) {
    self.init(
      state, position: state.position(saidAt: state.position.takenAt, age: .zero), now: now,
      use: state.use(saidAt: now, age: .zero))
  }

  /// Creates the status of a room at a time.
  ///
  /// - Parameters:
  ///   - observed: its last state.
  ///   - moment: the time of the status.
  ///   - awaySince: the time since which the room has been away; the position is the one at that time. Nil if it is
  ///     there.
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
      now: observed.saidAt - (.zero - age(at: moment)),
      use: observed.value.use(saidAt: observed.saidAt, age: age(at: moment)))
    isAway = observed.away
    if isAway { rate = 0 }
  }

  private init(_ value: Playback.RoomState, position: Milliseconds, now: Timestamp, use: RoomUse) {
    name = value.room
    sinceUsed = use.sinceUsed
    title = value.title
    // An unknown state of a newer version is shown as `buffering`, as readers know only the names above.
    if case .unknown = value.state { state = "buffering" } else { state = value.state.name }
    if case .error(let error) = value.state { self.error = error }
    track = value.item?.track
    entry = value.item?.entry
    theme = value.item?.origin.place.flatMap(Library.Theme.number(place:))
    self.position = position
    rate = value.position.rate
    duration = value.duration ?? value.item?.track.duration
    volume = value.volume
    queueRevision = value.queueRevision
    buffered = value.buffered
    modes = value.modes
    notice = value.notice
    interruption = value.interruption
    plugin = value.plugin
    isPreview = value.isPreview ?? false
    retriesIn = value.retriesAt.map { max($0 - now, .zero) }
    sleepsIn = value.modes?.sleepsAt.map { max($0 - now, .zero) }
  }

  /// True while sound is played, or about to be played.
  public var isPlaying: Bool { state == "playing" || state == "buffering" }

  /// The use of the room, for the choice of the room that a person means.
  public var use: RoomUse { RoomUse(isPlaying: isPlaying, sinceUsed: sinceUsed) }
}

/// The last state of each room as the bus reports it, and the time since which it has been away.
public struct ObservedRooms: Sendable {
  private struct Room: Sendable {
    var observed: Observed<Playback.RoomState>
    var awaySince: ContinuousClock.Instant?
  }

  private var rooms: [RoomName: Room] = [:]

  public init() {}

  /// Updates all rooms; a room that is not among them is removed.
  ///
  /// - Parameters:
  ///   - observed: the newest state of each room, as `Node.states` returns them.
  ///   - now: the time when they were received.
  /// - Returns: true if anything changed beside the passing of time.
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

  /// The last state of a room; nil if the room is not known.
  public subscript(_ room: RoomName) -> Playback.RoomState? { rooms[room]?.observed.value }

  /// Returns the status of a room at a time; nil if the room is not known.
  public func status(of room: RoomName, at moment: ContinuousClock.Instant = .now) -> RoomStatus? {
    rooms[room].map { RoomStatus($0.observed, at: moment, awaySince: $0.awaySince) }
  }

  /// Returns the status of all rooms at a time, by name.
  public func statuses(at moment: ContinuousClock.Instant = .now) -> [RoomStatus] {
    rooms.keys.sorted().compactMap { status(of: $0, at: moment) }
  }

  /// The rooms from which that of a request is chosen.
  public var choice: RoomChoice { RoomChoice(statuses()) }
}

extension RoomChoice {
  /// Creates the choice between rooms with these statuses.
  ///
  /// Rooms are only known from the services of a running household.
  ///
  /// - Parameters:
  ///   - statuses: the statuses of all rooms.
  ///   - here: the rooms on the machine of the program that chooses.
  public init(_ statuses: [RoomStatus], here: Set<RoomName> = []) {
    self.init(
      live: Set(statuses.filter { !$0.isAway }.map(\.name)), away: Set(statuses.filter(\.isAway).map(\.name)),
      uses: Dictionary(statuses.filter { !$0.isAway }.map { ($0.name, $0.use) }) { first, _ in first }, here: here,
      isHouseholdUp: true)
  }
}
