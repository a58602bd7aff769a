import Messages
import Model
import TestSupport

@testable import lunara_playback
@testable import lunara_router

/// A room machine with a slow engine, for tests of moves. The engine's events follow only from the machine's commands.
struct SimulatedRoom {
  /// A track that the engine has open.
  struct Sound {
    var cue: Cue
    var isHeld: Bool
    /// The position; nil while the track is being opened.
    var position: Milliseconds?
  }

  /// A message on its way to the engine or back.
  enum Message {
    case command(EngineCommand)
    case opened(CueID, fails: Bool)
    case report(EngineReport)
    case found(CueID)
    case arrivalFound(String)
  }

  var machine: RoomMachine
  var sound: Sound?
  /// The messages with their times of arrival; those in one direction stay in order.
  var messages: [(at: MonotonicTime, message: Message)] = []
  private let item: QueueItem

  init(_ name: String, playing item: QueueItem?, at now: Now) throws {
    self.item = item ?? .simulated
    machine = RoomMachine(
      room: RoomName(from: name), pace: .steady(1), restoring: Checkpoint(), queue: Queue(), at: now,
      drawing: { ListenID(rawValue: "listen") })
    guard item != nil else { return }
    var queue = machine.queue
    let starts = try queue.load(1, .now).starts
    machine.apply(queue, starts: starts, at: now)
  }

  /// True while the room can be heard.
  var sounds: Bool { sound.map { !$0.isHeld && $0.position != nil } ?? false }

  /// The time of the next event.
  var due: MonotonicTime? { (messages.map(\.at) + [machine.deadline].compactMap { $0 }).min() }

  /// Sends the machine's commands to the engine.
  mutating func collect(_ random: inout Seeded, at now: Now) {
    for effect in machine.removeEffects() {
      switch effect {
      case .engine(let command): send(.command(command), &random, at: now)
      case .find(let id, _, _, _): send(.found(id), &random, at: now)
      case .record, .recordProgress, .publish, .publishOutput, .dropPrefetched, .findAlbumEnd: break
      }
    }
  }

  mutating func send(_ message: Message, after delay: Int64? = nil, _ random: inout Seeded, at now: Now) {
    let at = now.moment + Milliseconds(delay ?? Int64.random(in: 0...20, using: &random))
    messages.append((max(at, messages.last { $0.message.goesWith(message) }?.at ?? at), message))
  }

  /// Advances the time of the audible sound.
  mutating func pass(_ time: Milliseconds) {
    guard sounds, let at = sound?.position else { return }
    sound?.position = at + time
  }

  /// Handles the events that are due.
  mutating func act(_ random: inout Seeded, at now: Now) {
    while let index = messages.indices.filter({ messages[$0].at <= now.moment }).min(by: {
      messages[$0].at < messages[$1].at
    }) {
      handle(messages.remove(at: index).message, &random, at: now)
      collect(&random, at: now)
    }
    if let deadline = machine.deadline, now.moment >= deadline { machine.wake(at: now) }
    collect(&random, at: now)
  }

  private mutating func handle(_ message: Message, _ random: inout Seeded, at now: Now) {
    switch message {
    case .command(let command): perform(command, &random, at: now)
    case .opened(let id, let fails):
      guard sound?.cue.id == id, sound?.position == nil else { return }
      if fails {
        sound = nil
        return machine.handle(.failed(id, LunaraError("playback.notAudio", "no")), at: now)
      }
      let start = sound?.cue.start
      sound?.position = start
      tell(.began(id), &random, at: now)
      flow(&random, at: now)
    case .report(let report): machine.handle(report.event, at: now.at(report.at))
    case .found(let id):
      machine.found(id, item, at: now)
      machine.located(id, .success(.file(LocalPath("/1"))), at: now)
    case .arrivalFound(let move): machine.arrivalLocated(move, .success(.file(LocalPath("/1"))), at: now)
    }
  }

  private mutating func perform(_ command: EngineCommand, _ random: inout Seeded, at now: Now) {
    switch command {
    case .play(let cue, let paused):
      sound = Sound(cue: cue, isHeld: paused)
      // Now and then opening takes long, as when a disk starts up, or fails.
      let fate = Int.random(in: 0..<12, using: &random)
      let delay = fate == 0 ? Int64.random(in: 7000...12_000, using: &random) : .random(in: 10...150, using: &random)
      send(.opened(cue.id, fails: fate == 1 && paused), after: delay, &random, at: now)
    case .pause(let held):
      guard sound?.isHeld != held else { return }
      let sounded = sounds
      sound?.isHeld = held
      if held, sounded, let sound, let at = sound.position {
        tell(.halted(sound.cue.id, at, .pause), &random, at: now)
      } else if !held {
        flow(&random, at: now)
      }
    case .seek(let id, let target):
      guard sound?.cue.id == id else { return }
      sound?.position = target
    case .stop: sound = nil
    case .prepare, .volume, .mute, .output, .listDevices: break
    }
  }

  private mutating func flow(_ random: inout Seeded, at now: Now) {
    guard sounds, let sound, let at = sound.position else { return }
    tell(.flowing(sound.cue.id, at), &random, at: now)
  }

  private mutating func tell(_ event: EngineEvent, _ random: inout Seeded, at now: Now) {
    // The position of a pause is sometimes reported later than any timeout.
    let isHalt = if case .halted = event { true } else { false }
    let isLate = isHalt && Int.random(in: 0..<4, using: &random) == 0
    let report = EngineReport(event: event, at: now.moment)
    send(.report(report), after: isLate ? Int64.random(in: 100...400, using: &random) : nil, &random, at: now)
  }

  /// Kills the room, and starts it from its stored state.
  mutating func restartAfterKill(at now: Now) {
    let (book, checkpoint, queue) = (machine.moves.state.stored, machine.checkpoint(at: now), machine.queue)
    (sound, messages) = (nil, [])
    machine = RoomMachine(
      room: machine.room, pace: .steady(1), restoring: checkpoint, queue: queue,
      current: queue.current == nil ? nil : item, at: now, drawing: { ListenID(rawValue: "listen") })
    machine.restore(book, at: now)
  }
}

extension SimulatedRoom.Message {
  /// Returns true where messages must stay in order.
  fileprivate func goesWith(_ other: Self) -> Bool {
    switch (self, other) {
    case (.command, .command), (.report, .report): true
    default: false
    }
  }
}

extension QueueItem {
  /// An item of ten minutes.
  static let simulated = QueueItem(
    entry: EntryID(rawValue: "entry"),
    track: Track(
      id: TrackID(source: "files", native: "t1"), albumID: AlbumID(source: "files", native: "a"), title: "Title",
      artist: "Artist", albumArtist: "Artist", album: "Album", number: 1, duration: Milliseconds(600_000)),
    origin: Origin(node: "test@main"))
}
