import Messages
import Model

/// What a room does: takes commands, the engine's events and the passing of time, and answers with what is to be done.
/// A pure state machine; `Room` does the rest.
struct RoomMachine {
  /// What is to be done.
  enum Effect: Hashable, Sendable {
    /// Tell the engine.
    case engine(EngineCommand)
    /// Read the item in a row of the queue, and find out where its audio is if `locating`.
    case find(CueID, row: Int64, locating: Bool)
    /// Store how things stand, together with these facts.
    case record([RoomFact])
    /// Publish how things stand.
    case show
  }

  /// What the room is about.
  enum Phase: Hashable, Sendable {
    /// Nothing is current.
    case idle
    /// Something is current, and the engine knows nothing of it: after a restart.
    case cold
    /// The engine plays, or is about to.
    case engaged
    /// Sound cannot go on until a person resumes.
    case failed(LunaraError)
  }

  /// A track on its way to the ear.
  struct LinedUp: Hashable, Sendable {
    enum Stage: Hashable, Sendable {
      /// The engine knows nothing of it.
      case waiting
      /// The place of its audio is being asked for.
      case locating
      /// The engine was told to play it.
      case handed
      /// The engine was told to go on with it.
      case prepared
      /// The engine has gone on to decode it, though an earlier one may still be heard.
      case decoding
      /// It is the one that is heard.
      case audible
    }

    var id: CueID
    var row: Int64
    var item: QueueItem?
    var locator: Library.Locator?
    /// Whether the locator is the path that the item brought along, which nobody was asked about yet.
    var isOwnPath = false
    /// From when on the locator is no good any more; nil for never.
    var staleAt: Moment?
    var start: Milliseconds
    var stage: Stage
    /// Its length as the decoder knows it.
    var duration: Milliseconds?

    /// The locator, where it can still be used.
    func locator(at now: Now) -> Library.Locator? {
      if let staleAt, staleAt <= now.moment { nil } else { locator }
    }
  }

  /// Where the ear was at a moment.
  struct Anchor: Hashable, Sendable {
    var position: Milliseconds
    var at: Moment
    var date: Timestamp
  }

  let room: RoomName
  let pace: Pace
  /// Draws the id of a new listen.
  let draw: @Sendable () -> ListenID
  var queue: Queue
  var meter: ListenMeter
  var volume: Int
  var phase: Phase
  /// Whether a person wants sound, as opposed to a pause.
  var wantsSound = false
  /// The current track, then those that follow as far as the engine has been given them.
  var lineup: [LinedUp] = []
  /// Whether sound flows.
  var isFlowing = false
  var anchor: Anchor
  /// Since when sound is wanted and missing.
  var silentSince: Moment?
  /// Until when a jump does not count as want of sound.
  var graceUntil: Moment?
  /// When to ask again where the current track is.
  var locateAt: Moment?
  /// When to try again to prepare the next track.
  var prepareAt: Moment?
  /// A row whose audio could not be found in advance; it is asked for again when its turn comes.
  var unpreparable: Int64?
  /// Why the place of the current track is not known.
  var lastTrouble: LunaraError?
  var failuresInRow = 0
  /// What made the room pause itself.
  var interruptions = Interruptions()
  var effects: [Effect] = []

  private var lastCue: UInt64 = 0
  /// What was heard when it was stored last.
  private var storedHeard = Milliseconds.zero
  /// The position as published last.
  private var shown: Anchor

  /// How long sound may be missing before that is an error.
  static let silenceLimit = Milliseconds(8000)
  /// After how much sound the position is stored again.
  static let storeInterval = Milliseconds(3000)
  /// After how long a state that stays true is published again.
  static let showInterval = Milliseconds(10_000)

  /// A room as it was stored: paused where it was, with its current item, as a room that shows none has nothing to pause.
  init(
    room: RoomName, pace: Pace, restoring checkpoint: Checkpoint, queue: Queue, current item: QueueItem? = nil,
    at now: Now,
    drawing draw: @escaping @Sendable () -> ListenID = { .random() }
  ) {
    self.room = room
    self.pace = pace
    self.draw = draw
    self.queue = queue
    volume = checkpoint.volume
    meter = ListenMeter(room: room, pace: pace, resuming: checkpoint.listen)
    let isCurrent = queue.current != nil
    phase = isCurrent ? .cold : .idle
    anchor = Anchor(position: isCurrent ? checkpoint.position : .zero, at: now.moment, date: now.date)
    shown = anchor
    storedHeard = checkpoint.listen?.heard ?? .zero
    if isCurrent {
      lineUpCold(item)
    }
    if !isCurrent || item != nil { closeForgottenListen() }
    effects += [.engine(.volume(volume, over: .zero)), .show]
  }

  /// Gives out what is to be done, once.
  mutating func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }

  /// A cue that was never given out.
  mutating func nextCue() -> CueID {
    lastCue += 1
    return CueID(number: lastCue)
  }

  /// Where the ear is.
  func position(at now: Now) -> Milliseconds {
    guard isFlowing else { return anchor.position }
    let moved = anchor.position + Milliseconds(Int64(Double((now.moment - anchor.at).rawValue) * pace.rate))
    return duration.map { min(moved, max($0, anchor.position)) } ?? moved
  }

  /// The length of the current track: the decoder's word, or else the library's.
  var duration: Milliseconds? {
    guard let first = lineup.first else { return nil }
    if let duration = first.duration { return duration }
    return first.item.flatMap { $0.track.duration > .zero ? $0.track.duration : nil }
  }

  /// Notes where the ear is.
  mutating func setAnchor(_ position: Milliseconds, at now: Now) {
    anchor = Anchor(position: position, at: now.moment, date: now.date)
  }

  /// Asks for all to be published.
  mutating func show() {
    shown = anchor
    effects.append(.show)
  }

  /// Asks for publishing where the published position no longer tells the truth, or was published long ago.
  mutating func showIfStale(at now: Now) {
    let age = now.moment - shown.at
    let told = shown.position + Milliseconds(Int64(Double(age.rawValue) * pace.rate))
    let isWrong = abs((told - anchor.position).rawValue) > Int64(250 * max(1, pace.rate))
    if age >= Self.showInterval || isWrong && age >= Milliseconds(1000) { show() }
  }

  /// Asks for storing how things stand.
  mutating func record(_ facts: [RoomFact] = []) {
    storedHeard = meter.listen?.heard ?? .zero
    effects.append(.record(facts))
  }

  /// Asks for storing if there are facts, or if much was heard since.
  mutating func recordIfDue(_ facts: [RoomFact]) {
    let heard = meter.listen?.heard ?? .zero
    if !facts.isEmpty || heard - storedHeard >= Self.storeInterval { record(facts) }
  }

  /// The room as others see it.
  var state: Playback.RoomState {
    let isShownFlowing = isFlowing && wantsSound
    return Playback.RoomState(
      room: room, state: playbackState, item: lineup.first?.item,
      position: Position(
        offset: anchor.position, rate: isShownFlowing ? max(pace.rate, pace == .free ? 1 : 0) : 0,
        takenAt: anchor.date),
      duration: duration, volume: volume, queueRevision: queue.revision,
      interruption: interruptions.shown)
  }

  private var playbackState: PlaybackState {
    switch phase {
    case .idle: .idle
    case .cold: .paused
    case .failed(let error): .error(error)
    case .engaged: !wantsSound ? .paused : isFlowing || graceUntil != nil ? .playing : .buffering
    }
  }

  /// How things stand, to be stored.
  func checkpoint(at now: Now) -> Checkpoint {
    Checkpoint(row: queue.currentSlot?.row, position: position(at: now), volume: volume, listen: meter.listen)
  }
}

/// The present moment on both clocks.
struct Now: Hashable, Sendable {
  var moment: Moment
  var date: Timestamp

  /// The same present, `moment` ago.
  func at(_ earlier: Moment) -> Now { Now(moment: earlier, date: date - (moment - earlier)) }

  /// Reads both clocks.
  static func now() -> Now { Now(moment: .now(), date: .now()) }
}

/// What a room stores beside its queue, to be found again after a restart.
struct Checkpoint: Hashable, Sendable {
  /// The row of the current item.
  var row: Int64?
  /// Where in it.
  var position: Milliseconds = .zero
  /// The volume in percent.
  var volume = 100
  /// The listen that is not over.
  var listen: ListenMeter.OpenListen?
}

/// What a room journals.
enum RoomFact: Hashable, Sendable {
  /// Something about a listen.
  case listen(ListenMeter.Report)
  /// A track that could not be played.
  case failed(QueueItem, LunaraError)
}
