import Messages
import Model
import Testing

@testable import lunara_playback

/// A room machine with a fake clock; its requests are kept apart by kind.
struct RoomMachineHarness {
  var machine: RoomMachine
  var now = Now(moment: MonotonicTime(nanoseconds: 0), date: Timestamp(seconds: 1000))
  /// The facts so far, as texts.
  var facts: [String] = []
  /// The last fact.
  private(set) var lastFact: RoomFact?
  /// The number of times that the state was to be published.
  var shows = 0
  /// The levels of the tracks that are found.
  var levels: Levels?
  /// The deleted prefetched files.
  var dropped: [LocalPath] = []
  /// The neighbours of the tracks that are found.
  var neighbours = NeighbouringTracks()
  /// The rows whose album's end the machine has asked for.
  var albumEnds: [AlbumEnd.Place] = []
  private var engine: [EngineCommand] = []
  private var finds: [(id: CueID, row: Int64)] = []
  /// The plugins that had failed at the last lookup.
  private(set) var failedPlugins: [String] = []

  /// Makes an idle room, or one that was just told to play.
  init(tracks: Int, startAt: Int = 0) throws {
    machine = RoomMachine(
      room: .kitchen, pace: .steady(1), restoring: Checkpoint(), queue: Queue(), boot: "this boot", at: now,
      drawing: { ListenID(rawValue: "listen") })
    collect()
    if tracks > 0 { _ = try load(tracks, .now, startAt: startAt) }
  }

  /// Makes a room after a restart, with that many tracks of which the first is current.
  init(restoring tracks: Int) throws {
    var queue = Queue()
    _ = try queue.load(tracks, .now)
    machine = RoomMachine(
      room: .kitchen, pace: .steady(1), restoring: Checkpoint(row: queue.currentSlot?.row), queue: queue,
      current: .numbered(1), boot: "this boot", at: now, drawing: { ListenID(rawValue: "listen") })
    collect()
  }

  /// Makes a room after a restart, with that many tracks, at its stored position in the first.
  init(restoring checkpoint: Checkpoint, tracks: Int = 0) {
    var queue = Queue()
    if tracks > 0 { #expect(throws: Never.self) { _ = try queue.load(tracks, .now) } }
    machine = RoomMachine(
      room: .kitchen, pace: .steady(1), restoring: checkpoint, queue: queue, current: tracks > 0 ? .numbered(1) : nil,
      boot: "this boot", at: now, drawing: { ListenID(rawValue: "listen") })
    collect()
  }

  var state: Playback.RoomState { machine.state }
  /// The rows that the machine has asked for.
  var asked: [Int64] { finds.map(\.row) }
  var seconds: Int64 { now.moment.nanoseconds / 1_000_000_000 }

  /// Returns and removes the commands for the engine since the last call.
  mutating func engineCommands() -> [EngineCommand] {
    defer { engine = [] }
    return engine
  }

  mutating func load(_ count: Int, _ mode: Playback.LoadMode, startAt: Int = 0) throws -> Queue.Loaded {
    var queue = machine.queue
    let loaded = try queue.load(count, mode, startAt: startAt)
    machine.apply(queue, starts: loaded.starts, at: now)
    collect()
    return loaded
  }

  /// Loads items of which the first carries its own path.
  mutating func loadFresh(_ count: Int, _ first: QueueItem) throws {
    var queue = machine.queue
    let loaded = try queue.load(count, .now)
    machine.apply(queue, starts: loaded.starts, fresh: first.path.map { (first, $0) }, at: now)
    collect()
  }

  mutating func edit(_ change: (inout Queue) throws -> [Queue.Change]) {
    var queue = machine.queue
    #expect(throws: Never.self) { _ = try change(&queue) }
    machine.apply(queue, starts: false, at: now)
    collect()
  }

  mutating func command(_ action: Playback.Transport.Action) throws {
    defer { collect() }
    try machine.handle(action, at: now)
  }

  /// Answers that the album of the current item ends in a row.
  mutating func foundAlbumEnd(_ row: Int64) {
    guard let place = albumEnds.last else { return }
    machine.foundAlbumEnd(row, from: place, at: now)
    collect()
  }

  mutating func interrupt(_ reason: Interruption) {
    machine.interrupt(reason, at: now)
    collect()
  }

  mutating func interruptionOver(_ reason: Interruption) {
    machine.interruptionOver(reason, at: now)
    collect()
  }

  mutating func set(_ request: Playback.SetOutput) throws {
    defer { collect() }
    try machine.set(request, at: now)
  }

  mutating func sound(_ event: EngineEvent) {
    machine.handle(event, at: now)
    collect()
  }

  /// Answers the open lookups: track N is at /N, or as `locate` says.
  ///
  /// - Parameter item: the item that is found; nil for that of the row.
  mutating func answerFinds(
    only row: Int64? = nil, item given: QueueItem? = nil,
    _ locate: (Int64) -> Result<Library.Locator, LunaraError> = { .success(.file(LocalPath("/\($0)"))) }
  ) {
    let asked = finds.filter { row == nil || $0.row == row }
    finds.removeAll { find in asked.contains { $0.id == find.id } }
    for find in asked {
      var item = given ?? QueueItem.numbered(Int(find.row))
      item.track.levels = levels
      machine.found(find.id, item, beside: neighbours, at: now)
      machine.located(find.id, locate(find.row), at: now)
      collect()
    }
    if row == nil, !finds.isEmpty, !asked.isEmpty { answerFinds(only: nil, locate) }
  }

  /// Has the current track found and heard; returns its cue's id.
  @discardableResult
  mutating func playFirst() -> CueID {
    answerFinds()
    let id = machine.tracks.first?.id ?? CueID(number: 0)
    sound(.began(id))
    sound(.flowing(id, machine.tracks.first?.start ?? .zero))
    answerFinds()
    return id
  }

  mutating func pass(_ seconds: Int64) { pass(Milliseconds(seconds * 1000)) }

  mutating func pass(_ time: Milliseconds) {
    now.moment = now.moment + time
    now.date = Timestamp(microseconds: now.date.microseconds + time.rawValue * 1000)
  }

  /// Advances the clock to the machine's deadline, and wakes it.
  mutating func passToDeadline() {
    guard let deadline = machine.deadline else { return }
    pass(max(.zero, deadline - now.moment))
    machine.wake(at: now)
    collect()
  }

  private mutating func collect() {
    for effect in machine.removeEffects() {
      switch effect {
      case .engine(let command): engine.append(command)
      case .find(let id, let row, _, let failed):
        finds.append((id, row))
        failedPlugins = failed
      case .findAlbumEnd(let place): albumEnds.append(place)
      case .publish: shows += 1
      case .dropPrefetched(let path): dropped.append(path)
      case .recordProgress, .publishOutput: break
      case .record(let more):
        facts += more.map(\.word)
        lastFact = more.last ?? lastFact
      }
    }
  }
}

extension RoomFact {
  /// The name of the fact, with the number of the track.
  var word: String {
    switch self {
    case .failed(let item, let error): "failed \(item.track.number ?? 0) \(error.code)"
    case .started(let subject): "started \(subject.item.track.number ?? 0)"
    case .heard(let subject, let heard): "heard \(subject.item.track.number ?? 0) \(heard.rawValue)"
    case .ended(let subject, _, let reason): "ended \(subject.item.track.number ?? 0) \(reason)"
    }
  }
}

extension [EngineCommand] {
  /// The tracks that were to be prepared, as the numbers of their paths; nil for an order to prepare none.
  var prepared: [Int?] {
    compactMap { command in
      guard case .prepare(let cue) = command else { return nil }
      guard case .file(let path, _)? = cue?.locator else { return .some(nil) }
      return Int(path.description.dropFirst())
    }
  }
}

extension [EngineCommand] {
  /// The cues that were to be played or prepared.
  var cues: [Cue] {
    compactMap { command in
      switch command {
      case .play(let cue, _): cue
      case .prepare(let cue): cue
      default: nil
      }
    }
  }
}

extension EngineCommand {
  var isPlay: Bool { if case .play = self { true } else { false } }
}
