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
    /// Store how far things have come, if nothing else is to be stored.
    case note
    /// Give up what was fetched of a track, which cannot be played.
    case dropCopy(LocalPath)
    /// Publish how things stand.
    case show
    /// Publish how the room sounds.
    case showOutput
  }

  /// What the room is about.
  enum Phase: Hashable, Sendable {
    /// Nothing is current.
    case idle
    /// Something is current, and the engine knows nothing of it: after a restart.
    case cold
    /// The engine plays, or is about to.
    case engaged
    /// Sound cannot go on: until a person resumes, or until the next try.
    case failed(LunaraError)
  }

  /// A track on its way to the ear.
  struct PreparedTrack: Hashable, Sendable {
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
    var staleAt: MonotonicTime?
    /// When to ask for a fresh one, where it is prepared; nil for never.
    var renewAt: MonotonicTime?
    var start: Milliseconds
    var stage: Stage
    /// Its length as the decoder knows it.
    var duration: Milliseconds?
    /// Up to where its stream is there already.
    var buffered: Milliseconds?
    /// The tracks that stand before and after it in the queue, for its level.
    var neighbours = NeighbouringTracks()
    /// Whether its place was asked for anew because the first one was refused.
    var isRenewed = false
    /// The id under which a fresh place is being asked for, while it waits to be played.
    var renewal: CueID?
    /// Whether its place is still being asked for though the room gave up waiting for it.
    var isSought = false

    /// The locator, where it can still be used.
    func locator(at now: Now) -> Library.Locator? {
      if let staleAt, staleAt <= now.moment { nil } else { locator }
    }
  }

  /// The tracks beside another one in the queue.
  struct NeighbouringTracks: Hashable, Sendable {
    var before: Track?
    var after: Track?
  }

  /// Where the ear was at a moment.
  struct Anchor: Hashable, Sendable {
    var position: Milliseconds
    var at: MonotonicTime
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
  var tracks: [PreparedTrack] = []
  /// Whether sound flows.
  var isFlowing = false
  var anchor: Anchor
  /// Since when sound is wanted and missing.
  var silentSince: MonotonicTime?
  /// Until when a jump does not count as want of sound.
  var graceUntil: MonotonicTime?
  /// When to ask again where the current track is.
  var locateAt: MonotonicTime?
  /// When to try again to prepare the next track.
  var prepareAt: MonotonicTime?
  /// A row whose audio could not be found in advance; it is asked for again when its turn comes.
  var unpreparable: Int64?
  /// Why the place of the current track is not known.
  var lastTrouble: LunaraError?
  var failuresInRow = 0
  /// Whether a file is what was fetched of a stream in advance.
  var isCopy: @Sendable (LocalPath) -> Bool = { _ in false }
  /// What made the room pause itself.
  var interruptions = Interruptions()
  /// Whether and when the room tries again by itself.
  var retry: Retry?
  /// Where the stream of the current track broke last, and how often in a row without getting further.
  var cut: (row: Int64, at: Milliseconds, times: Int)?
  /// Until when the queue, which came to its end, goes on by itself with more of its continuation; nil for not at all.
  var dryUntil: MonotonicTime?
  /// How the room came to have nothing current; nil where something is, and after a restart.
  var rest: Rest?
  /// Whether the room stops when the current item is over.
  var stopsAfterCurrent = false
  /// The sleep timer.
  var sleep: Sleep?
  /// Whether the volume was taken back by the sleep timer.
  var isFaded = false
  var isMuted = false
  /// What people call the room; nil where that is its name.
  var title: String?
  /// How the room sounds, and what there is to sound with.
  var output: OutputSettings
  var devices: [Playback.OutputDevice] = []
  var usedDevice: String?
  var outputTrouble: LunaraError?
  /// Moves to and from other rooms.
  var moves = RoomMoves()
  /// Whether the service is about to end, which is no crash.
  var isLeaving = false
  var effects: [Effect] = []

  private var lastCue: UInt64 = 0
  /// What was heard when it was stored last.
  private var storedHeard = Milliseconds.zero
  /// The position as published last.
  private(set) var shown: Anchor

  /// How long sound may be missing before that is an error.
  static let silenceLimit = Milliseconds(8000)
  /// After how much sound the position is stored again: at every look at it, which comes after about a second.
  static let storeInterval = Milliseconds(500)
  /// For how long after a crash a room may play on by itself.
  static let resumeLimit = Milliseconds(600_000)
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
    self.queue.repeats = checkpoint.repeats
    output = checkpoint.output
    volume = min(checkpoint.output.startVolume ?? checkpoint.volume, checkpoint.output.maximumVolume)
    isMuted = checkpoint.isMuted
    title = checkpoint.title
    stopsAfterCurrent = checkpoint.stopsAfterCurrent
    meter = ListenMeter(room: room, pace: pace, resuming: checkpoint.listen)
    let isCurrent = queue.current != nil
    phase = isCurrent ? .cold : .idle
    anchor = Anchor(position: isCurrent ? checkpoint.progress.position : .zero, at: now.moment, date: now.date)
    shown = anchor
    storedHeard = checkpoint.progress.heard
    if isCurrent {
      lineUpCold(item)
    }
    if !isCurrent || item != nil { closeForgottenListen() }
    begin(from: checkpoint, at: now)
  }

  private mutating func begin(from checkpoint: Checkpoint, at now: Now) {
    if output.device != nil { effects.append(.engine(.output(output.device))) }
    effects.append(.engine(.volume(volume, over: .zero)))
    if isMuted { effects.append(.engine(.mute(true))) }
    if let date = checkpoint.sleepsAt, date > now.date { sleep = Sleep(at: now.moment + (date - now.date), date: date) }
    let age = now.date - checkpoint.progress.takenAt
    let isOver = checkpoint.sleepsAt.map { $0 <= now.date } ?? false
    if output.resumesAfterCrash, checkpoint.isPlaying, phase == .cold, !isOver, age <= Self.resumeLimit {
      wantsSound = true
      open(at: anchor.position, at: now)
    } else if checkpoint.isPlaying {
      // It waits from now on, whatever becomes of this start.
      record()
    }
    effects += [.show, .showOutput]
  }

  /// Gives out what is to be done, once.
  mutating func removeEffects() -> [Effect] {
    noteReplacedArrival()
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
    // From a pause on it is where the sound was then, though that may go on for a moment: what is found out comes later.
    guard isFlowing, wantsSound else { return anchor.position }
    let moved = anchor.position + Milliseconds(Int64(Double((now.moment - anchor.at).rawValue) * pace.rate))
    return duration.map { min(moved, max($0, anchor.position)) } ?? moved
  }

  /// The length of the current track: the decoder's word, or else the library's.
  var duration: Milliseconds? {
    guard let first = tracks.first else { return nil }
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
    if !facts.isEmpty { return record(facts) }
    guard heard - storedHeard >= Self.storeInterval else { return }
    storedHeard = heard
    effects.append(.note)
  }
}
