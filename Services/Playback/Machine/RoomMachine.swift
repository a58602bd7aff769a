import Messages
import Model

/// Decides what a room does: gets commands, the engine's events and the passing of time, and returns effects.
///
/// It is a state machine without I/O; `Room` carries out the effects. State that only one phase needs is in `phase`.
struct RoomMachine {
  /// An action for `Room`.
  enum Effect: Hashable, Sendable {
    case engine(EngineCommand)
    /// Read the item in a row of the queue, and if `locating` request its locator. `failed` are the ids of the plugins
    /// whose addresses of it could not be played.
    case find(CueID, row: Int64, locating: Bool, failed: [String] = [])
    /// Read the last row of the album in a row of the queue.
    case findAlbumEnd(AlbumEnd.Place)
    /// Store a checkpoint together with these facts.
    case record([RoomFact])
    /// Store position and heard time, unless a whole checkpoint is stored anyway.
    case recordProgress
    /// Delete the prefetched file of a track, which cannot be played.
    case dropPrefetched(LocalPath)
    case publish
    case publishOutput
  }

  let room: RoomName
  let drawListenID: @Sendable () -> ListenID
  var queue: Queue
  var meter: ListenMeter
  var phase: RoomPhase
  var position: PositionTracker
  var volume: VolumeControl
  var output: OutputControl
  /// The long tracks that go on where they were left; empty if a person does not want that.
  var leftTracks: LeftTracks
  var interruptions = Interruptions()
  var moves = RoomMoves()
  /// The place at which the room stops by itself.
  var plannedStop: PlannedStop
  /// The title that people gave the room; nil if its name is shown.
  var title: String?
  /// The title that the settings give the room; nil if its name says as much.
  var titleOfSettings: String?
  /// Returns true for a file of the prefetcher's cache, and for a copy of an album that is kept.
  var isPrefetched: @Sendable (LocalPath) -> Bool = { _ in false }
  /// Returns true if the room fetches an item from a location in advance.
  var isPrefetching: @Sendable (QueueItem, Library.Locator) -> Bool = { _, _ in false }
  /// The notice that the track before the current one was passed over, as it has no source; nil if it was not.
  var passedOver: LunaraError?
  /// True if the service is about to end, so that its end does not count as a crash.
  var isLeaving = false
  /// The id of the host's present boot; nil if it is not known.
  let boot: String?
  /// The last time that the room resumed by itself after a crash.
  private(set) var resumption: Checkpoint.Resumption?
  var effects: [Effect] = []

  private var lastCue: UInt64 = 0
  /// The heard time of the open listen when it was last stored.
  private var storedHeard: Milliseconds

  /// The time without wanted sound after which the room reports an error.
  static let silenceLimit = Milliseconds(8000)
  /// The heard time after which the position is stored again. It is less than the time of about one second between two
  /// positions that the engine reports, so that each of them is stored.
  static let storeInterval = Milliseconds(500)
  /// Restores a room from its checkpoint at its last position: playing after a crash, if the checkpoint allows that,
  /// and else paused. `item` is the current item; if it is nil, the room shows none until it was read.
  init(
    room: RoomName, pace: Pace, restoring checkpoint: Checkpoint, queue: Queue, current item: QueueItem? = nil,
    boot: String? = nil, at now: Now, drawing drawListenID: @escaping @Sendable () -> ListenID = { .random() }
  ) {
    self.room = room
    self.boot = boot
    self.drawListenID = drawListenID
    self.queue = queue
    self.queue.repeats = checkpoint.repeats
    output = OutputControl(settings: checkpoint.output)
    leftTracks = checkpoint.leftTracks
    volume = VolumeControl(
      percent: min(checkpoint.output.startVolume ?? checkpoint.volume, checkpoint.output.maximumVolume),
      isMuted: checkpoint.isMuted)
    title = checkpoint.title
    plannedStop = checkpoint.plannedStop
    meter = ListenMeter(room: room, pace: pace, resuming: checkpoint.listen)
    let isCurrent = queue.current != nil
    position = PositionTracker(
      pace: pace, position: isCurrent ? checkpoint.progress.position : .zero, at: now,
      takenAt: checkpoint.progress.takenAt)
    storedHeard = checkpoint.progress.heard
    phase = .idle(nil)
    if let track = unloadedTrack(item) { phase = .unloaded(track) }
    if !isCurrent || item != nil { endStaleListen() }

    if let device = output.settings.device { effects.append(.engine(.output(device))) }
    effects.append(.engine(.volume(volume.percent, over: .zero)))
    if volume.isMuted { effects.append(.engine(.mute(true))) }
    if let date = checkpoint.sleepsAt, date > now.date {
      volume.timer = SleepTimer(at: now.moment + (date - now.date), date: date)
    }
    resumption = checkpoint.resumption
    if let row = queue.currentSlot?.row, checkpoint.resumes(row, at: now.date, in: boot) {
      resumption = Checkpoint.Resumption(row: row, date: now.date)
      open(at: position.anchor.position, wantsSound: true, at: now)
    } else if checkpoint.isPlaying {
      // Stores that the room does not play, so that a later start does not resume either.
      record()
    }
    effects += [.publish, .publishOutput]
  }

  mutating func removeEffects() -> [Effect] {
    recordReplacedArrival()
    seekAlbumEnd()
    defer { effects = [] }
    return effects
  }

  /// Returns a cue id that was never used.
  mutating func nextCue() -> CueID {
    lastCue += 1
    return CueID(number: lastCue)
  }

  mutating func publish() {
    position.markPublished()
    effects.append(.publish)
  }

  /// Requests that a checkpoint is stored.
  mutating func record(_ facts: [RoomFact] = []) {
    storedHeard = meter.listen?.heard ?? .zero
    effects.append(.record(facts))
  }

  mutating func recordAndPublish(_ facts: [RoomFact] = []) {
    record(facts)
    publish()
  }

  /// Requests a checkpoint if there are facts, or storing the progress if `storeInterval` was heard since the last
  /// time.
  mutating func recordIfDue(_ facts: [RoomFact]) {
    let heard = meter.listen?.heard ?? .zero
    if !facts.isEmpty { return record(facts) }
    guard heard - storedHeard >= Self.storeInterval else { return }
    storedHeard = heard
    effects.append(.recordProgress)
  }
}

// MARK: - Reading the phase

extension RoomMachine {
  var isIdle: Bool { if case .idle = phase { true } else { false } }
  var isEngaged: Bool { playing != nil }
  var wantsSound: Bool { phase.wantsSound }
  var isFlowing: Bool { playing?.isFlowing ?? false }
  var silentSince: MonotonicTime? { playing?.silentSince }
  /// The state of retrying; nil if the room does not retry.
  var retry: Retry? { phase.recovery.retry }

  /// The state of the phase `engaged`; nil in any other phase, in which setting it has no effect.
  var playing: Playing? {
    get { if case .engaged(let playing) = phase { playing } else { nil } }
    set { if let newValue, isEngaged { phase = .engaged(newValue) } }
  }

  var tracks: [PreparedTrack] {
    get { phase.tracks }
    set { phase.tracks = newValue }
  }

  func isFirst(_ id: CueID) -> Bool { tracks.first?.id == id }

  /// The length of the current track: the decoder's, or else the library's.
  var duration: Milliseconds? {
    guard let first = tracks.first else { return nil }
    if let duration = first.duration { return duration }
    return first.item.flatMap { $0.track.duration > .zero ? $0.track.duration : nil }
  }

  func position(at now: Now) -> Milliseconds {
    // After a pause the position is that of the pause, though sound may flow a moment longer: the engine corrects it
    // later.
    isFlowing && wantsSound ? position.extrapolated(to: now, within: duration) : position.anchor.position
  }
}
