import Bus
import Glibc
import Messages
import Model
import ServiceKit
import Storage
import Synchronization
import TestSupport
import Testing

@testable import lunara_playback
@testable import lunara_router

/// Rooms with the real engine, a router, and a library that locates some minutes of sound.
final class RealRooms: Sendable {
  let bus: TestBus
  let client: Node
  private let folder = TemporaryDirectory()
  private let sound: LocalPath
  private let library: Node
  private let router = Mutex<(node: Node, moves: MoveCoordinator)?>(nil)
  let isMissing = Mutex<Set<TrackID>>([])

  init() async throws {
    bus = try TestBus()
    client = try await bus.node("test@main")
    library = try await bus.node("library@main")
    let path = LocalPath("\(folder.path)/sound.wav")
    sound = path
    try Self.writeSound(seconds: 120, to: path.description)
    await library.serve(Library.LocateTrack.self) { [weak self] request, _ in
      if self?.isMissing.withLock({ $0.contains(request.id) }) ?? true {
        throw LunaraError("library.fileMissing", "The track \(request.id) has no file.")
      }
      return .file(path)
    }
    try await startRouter()
  }

  static func with(_ body: (RealRooms) async throws -> Void) async throws {
    let rooms = try await RealRooms()
    try await body(rooms)
    await rooms.stopRouter()
    await rooms.library.close()
    await rooms.client.close()
  }

  func startRouter() async throws {
    let node = try await bus.node("router@main")
    let handler = RouterRequestHandler(node: node, log: .quiet)
    await handler.start()
    router.withLock { $0 = (node, handler.moves) }
  }

  func stopRouter() async {
    guard let running = router.withLock({ $0 }) else { return }
    await running.moves.stop()
    await running.node.close()
    router.withLock { $0 = nil }
  }

  func room(_ name: String, speed: String? = nil) async throws -> RunningRoom {
    let database = try bus.database("playback-\(name)", migrations: QueueStore.migrations)
    let journal = try await Journal(database)
    let node = try await Node.start(.playback(RoomName(from: name)), in: bus.directory, journal: journal)
    let engine = MPVEngine(output: try AudioOutput(audio: "null") { _ in speed })
    let service = try await PlaybackService(
      room: RoomName(from: name), host: "here", engine: engine, database: database, journal: journal, node: node,
      log: .quiet)
    await service.start()
    let room = RunningRoom(
      name: RoomName(from: name), service: service, node: node, database: database, client: client, engine: engine)
    _ = try await room.queue()
    return room
  }

  func move(_ from: RunningRoom, _ to: RunningRoom, keepsQueue: Bool? = nil) async throws -> Playback.RoomState {
    try await client.request(
      Router.Move(from: from.name, to: to.name, keepsQueue: keepsQueue), to: .router, within: .seconds(30))
  }

  /// Returns items that differ by number.
  func items(_ count: Int) -> [QueueItem] {
    (1...count).map { number in
      QueueItem(
        entry: EntryID(rawValue: "entry-\(number)"),
        track: Track(
          id: TrackID(source: "files", native: "t\(number)"), albumID: AlbumID(source: "files", native: "a"),
          title: "Title \(number)", artist: "Artist", albumArtist: "Artist", album: "Album", number: number,
          duration: Milliseconds(120_000)), path: sound, host: "here", origin: QueueItem.Origin(node: "test@main"))
    }
  }

  /// A quiet tone: 44.1 kHz, 16 bits, mono.
  private static func writeSound(seconds: Int, to path: String) throws {
    let count = seconds * 44_100 * 2
    func number(_ value: Int, _ bytes: Int) -> [UInt8] {
      (0..<bytes).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    var bytes = Array("RIFF".utf8) + number(36 + count, 4) + Array("WAVEfmt ".utf8) + number(16, 4) + number(1, 2)
    bytes += number(1, 2) + number(44_100, 4) + number(88_200, 4) + number(2, 2) + number(16, 2) + Array("data".utf8)
    bytes += number(count, 4)
    bytes.reserveCapacity(bytes.count + count)
    for sample in 0..<count / 2 { bytes += [UInt8(truncatingIfNeeded: sample % 100), 0] }
    let file = try #require(fopen(path, "we"))
    defer { fclose(file) }
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
  }
}

/// A running room.
struct RunningRoom {
  let name: RoomName
  let service: PlaybackService
  let node: Node
  let database: Database
  let client: Node
  let engine: MPVEngine

  func load(_ items: [QueueItem], startAt: Int = 0) async throws {
    let load = RequestID.random().text
    for first in stride(from: 0, to: items.count, by: 100) {
      let part = Array(items[first..<min(items.count, first + 100)])
      _ = try await client.request(
        Playback.Load(
          load: load, part: first / 100, isLast: first + 100 >= items.count, mode: .now, items: part, startAt: startAt),
        to: node.id)
    }
  }

  @discardableResult
  func command(_ action: Playback.Transport.Action) async throws -> Playback.RoomState {
    try await client.request(Playback.Transport(action), to: node.id)
  }

  func queue(first: Int = 0) async throws -> Playback.QueueState {
    try await client.request(Playback.ReadQueue(first: first), to: node.id)
  }

  /// Returns the whole queue.
  func all() async throws -> [QueueItem] {
    var items: [QueueItem] = []
    while true {
      let page = try await queue(first: items.count)
      items += page.items
      if page.items.isEmpty || items.count >= page.count { return items }
    }
  }

  /// Returns the state of the machine, which others may not have received yet.
  func state() async -> Playback.RoomState { await service.room.machine.state }

  func position() async -> Milliseconds { await service.room.machine.position(at: .now()) }

  func becomes(_ name: String) async -> Bool {
    await eventually(equals: name) { await state().state.name }
  }

  /// The kinds of the facts in the journal, with the listens they are about.
  func facts() async throws -> [(kind: String, listen: ListenID, room: RoomName, heard: Milliseconds)] {
    await service.room.writer.flush()
    return try await database.read { reader in
      try reader.rows("SELECT kind, payload FROM bus_facts ORDER BY seq") {
        let payload: [UInt8] = try $0.value(1)
        let fact = try MessageCoding.decode(AnyListen.self, from: payload)
        return (
          kind: try $0.value(0), listen: fact.subject.listen, room: fact.subject.room, heard: fact.heard ?? .zero
        )
      }
    }
  }

  func stop() async {
    await service.stop()
    await node.close()
    await database.close()
  }

  /// Ends the room as a kill does: nothing more is stored or sent.
  func kill() async {
    await database.close()
    await node.close()
    await engine.close()
  }

  private struct AnyListen: Decodable {
    var subject: Playback.ListenSubject
    var heard: Milliseconds?
  }
}
