import Bus
import Messages
import Model
import ServiceKit
import Storage
import Synchronization
import TestSupport
import Testing

@testable import lunara_playback

/// A room with the real engine on a bus of its own, a router that knows the tracks' files, and a client that receives
/// the room's states.
final class RoomFixture: Sendable {
  let bus: TestBus
  let audio = Audio()
  let client: Node
  let watcher = Watcher()

  init() async throws {
    bus = try TestBus()
    client = try await bus.node("test@main")
    let states = await client.states(Playback.RoomState.self)
    Task { [watcher] in
      for await snapshot in states {
        if let room = snapshot.first(where: { !$0.away }) { await watcher.saw(room.value) }
      }
    }
  }

  private let places = Mutex<[TrackID: Library.Locator]>([:])
  private let router = Mutex<Node?>(nil)

  /// Makes a household for `body` and removes it afterwards.
  static func with(router: Bool = true, _ body: (RoomFixture) async throws -> Void) async throws {
    let household = try await RoomFixture()
    if router { try await household.startRouter() }
    try await body(household)
    await household.router.withLock { $0 }?.close()
    await household.client.close()
  }

  /// Starts a router that locates the tracks added to this fixture.
  func startRouter() async throws {
    let router = try await bus.node("router@main")
    await router.serve(Router.Resolve.self) { [weak self] request, _ in
      guard let place = self?.places.withLock({ $0[request.track] }) else {
        throw LunaraError("library.fileMissing", "The track \(request.track) has no file.")
      }
      return place
    }
    self.router.withLock { $0 = router }
  }

  /// Ends the router.
  func endRouter() async {
    let ended = router.withLock { router in
      defer { router = nil }
      return router
    }
    await ended?.close()
  }

  /// Makes tracks that the router can locate, numbered from 1.
  func album(_ count: Int, seconds: Double) async throws -> [QueueItem] {
    let path = try await audio.sine("track.flac", seconds: seconds)
    return (1...count).map { number in
      let item = QueueItem.numbered(number, seconds: seconds)
      replace(item.track.id, with: path)
      return item
    }
  }

  /// Makes tracks that are segments of one file, numbered from 1, of these lengths in seconds.
  func image(_ lengths: [Int64], _ name: String = "image.flac") async throws -> [QueueItem] {
    let path = try await audio.noise(name, seconds: Double(lengths.reduce(0, +)), ["-sample_fmt", "s16"])
    var start: Int64 = 0
    return lengths.enumerated().map { index, length in
      let item = QueueItem.numbered(index + 1, seconds: Double(length))
      let end = start + length * 44_100
      replace(item.track.id, with: .file(path, segment: AudioSegment(start: start, end: end, sampleRate: 44_100)))
      start = end
      return item
    }
  }

  /// Has the router give another location for a track.
  func replace(_ track: TrackID, with path: LocalPath) { replace(track, with: .file(path)) }

  /// Has the router give any location for a track.
  func replace(_ track: TrackID, with place: Library.Locator) { places.withLock { $0[track] = place } }

  /// Removes a track from the router.
  func forget(_ track: TrackID) { places.withLock { $0[track] = nil } }

  /// Opens the room, always with the same database.
  func room(
    audio: String = "null", speed: String? = "max", host: String = "here", systemBus: String? = nil,
    cache: (folder: String, limits: Prefetcher.Limits)? = nil, offlineFolder: String? = nil,
    testSound: (@Sendable () -> [UInt8])? = nil
  ) async throws -> OpenRoom {
    await watcher.forget()
    let database = try bus.database("playback-kitchen", migrations: QueueStore.migrations)
    let journal = try await Journal(database)
    let node = try await Node.start(.playback(.kitchen), in: bus.directory, journal: journal)
    let output = try AudioOutput(audio: audio) { _ in speed }
    let engine = MPVEngine(output: output)
    let service = try await PlaybackService(
      room: .kitchen, host: host, engine: engine, database: database, journal: journal, node: node, log: .quiet,
      systemBus: systemBus, cache: cache, offlineFolder: offlineFolder,
      testSound: testSound.map {
        TestSound(
          output: output, path: self.audio.folder.path + "/test.wav", file: $0, timeout: .seconds(100),
          engine: { MPVEngine(output: output, volume: $0, linger: .zero) })
      })
    await service.start()
    let room = OpenRoom(
      service: service, node: node, database: database, client: client, watcher: watcher, engine: engine)
    // The first answer shows that the two nodes are connected.
    _ = try await room.queue()
    return room
  }
}

/// A running room, as others see it over the bus.
struct OpenRoom {
  let service: PlaybackService
  let node: Node
  let database: Database
  let client: Node
  let watcher: Watcher
  let engine: MPVEngine

  @discardableResult
  func load(_ items: [QueueItem], _ mode: Playback.LoadMode = .now, startAt: Int = 0) async throws
    -> Playback.QueueSummary
  {
    try await client.request(
      Playback.Load(load: RequestID.random().text, mode: mode, items: items, startAt: startAt), to: node.id)
  }

  @discardableResult
  func command(_ action: Playback.Transport.Action) async throws -> Playback.RoomState {
    try await client.request(Playback.Transport(action), to: node.id)
  }

  @discardableResult
  func edit(_ edit: Playback.EditQueue.Edit) async throws -> Playback.QueueSummary {
    try await client.request(Playback.EditQueue(edit), to: node.id)
  }

  func queue(first: Int = 0, limit: Int = 100) async throws -> Playback.QueueState {
    try await client.request(Playback.ReadQueue(first: first, limit: limit), to: node.id)
  }

  /// Returns the audible position, at most a second old.
  func position() async throws -> Milliseconds {
    // A seek that is meant for another entry changes nothing, and answers with the position.
    try await command(.seek(to: .zero, of: EntryID(rawValue: "none"))).position.offset
  }

  /// Has the room wait for a person after a kill.
  func staysPausedAfterACrash() async throws {
    _ = try await client.request(Playback.SetOutput(resumesAfterCrash: false), to: node.id)
  }

  /// Waits until other nodes see a state.
  func becomes(_ name: String) async -> Bool {
    await eventually(equals: name) { await watcher.last?.state.name }
  }

  /// Returns all facts so far from the journal, once those under way are stored.
  func facts() async throws -> [JournalFact] {
    await service.room.writer.flush()
    return try await database.read { reader in
      try reader.rows("SELECT kind, payload FROM bus_facts ORDER BY seq") {
        let payload: [UInt8] = try $0.value(1)
        return try JournalFact(kind: try $0.value(0), payload: payload)
      }
    }
  }

  /// Stops as the service does.
  func stop() async {
    await service.stop()
    await node.close()
    await database.close()
  }
}

extension OpenRoom {
  /// Ends the room as a kill does: nothing more is stored or sent.
  func kill() async {
    await database.close()
    await node.close()
    await engine.close()
  }
}

/// The states of a room as another node received them.
actor Watcher {
  private(set) var states: [Playback.RoomState] = []

  func saw(_ state: Playback.RoomState) { states.append(state) }

  var last: Playback.RoomState? { states.last }

  /// Forgets the states of an earlier start.
  func forget() { states = [] }
}

/// A fact of a room.
enum JournalFact: Sendable {
  case started(Playback.ListenStarted)
  case heard(Playback.ListenHeard)
  case ended(Playback.ListenEnded)
  case failed(Playback.TrackFailed)

  init(kind: String, payload: [UInt8]) throws {
    self =
      switch kind {
      case Playback.ListenStarted.kind: .started(try MessageCoding.decode(Playback.ListenStarted.self, from: payload))
      case Playback.ListenHeard.kind: .heard(try MessageCoding.decode(Playback.ListenHeard.self, from: payload))
      case Playback.ListenEnded.kind: .ended(try MessageCoding.decode(Playback.ListenEnded.self, from: payload))
      default: .failed(try MessageCoding.decode(Playback.TrackFailed.self, from: payload))
      }
  }

  /// The name of the fact, with the number of the track.
  var word: String {
    switch self {
    case .started(let fact): "started \(fact.subject.item.track.number ?? 0)"
    case .heard(let fact): "heard \(fact.subject.item.track.number ?? 0)"
    case .ended(let fact): "ended \(fact.subject.item.track.number ?? 0) \(fact.reason)"
    case .failed(let fact): "failed \(fact.item.track.number ?? 0) \(fact.error.code)"
    }
  }

  var ended: Playback.ListenEnded? { if case .ended(let fact) = self { fact } else { nil } }
  var heard: Playback.ListenHeard? { if case .heard(let fact) = self { fact } else { nil } }
  var started: Playback.ListenStarted? { if case .started(let fact) = self { fact } else { nil } }
}
