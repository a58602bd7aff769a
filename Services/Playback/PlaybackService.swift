import Bus
import Messages
import Model
import ServiceKit
import Storage

/// A room on the bus: what it publishes and answers.
struct PlaybackService: Sendable {
  let room: Room
  private let node: Node
  private let vigil: SleepMonitor
  private let headphones: HeadphoneMonitor?
  let prefetcher: Prefetcher?
  private let work: Task<Void, Never>

  /// Opens the room and begins to publish; `start` begins to answer.
  init(
    room name: RoomName, host: String, engine: any Engine, database: Database, journal: Journal, node: Node, log: Log,
    systemBus: String? = nil, headphones: HeadphoneMonitor? = nil,
    cache: (folder: String, limits: Prefetcher.Limits)? = nil, testSound: TestSound? = nil
  ) async throws {
    var asking = AudioLocator(host: host, node: node)
    let prefetcher = try cache.map { [asking] cache in
      try Prefetcher(in: cache.folder, limits: cache.limits, log: log) { try await asking.resolve($0) }
    }
    asking.cache = prefetcher
    let locating = asking
    let vigil = SleepMonitor(room: name, busAddress: systemBus, log: log)
    let outlet = RoomEnvironment(
      publishRoom: {
        await node.publish($0)
        await vigil.watch($0)
        await headphones?.watch($0)
      },
      publishQueue: { await node.publish($0) },
      publishOutput: { await node.publish($0) },
      locate: { try await locating.locate($0) }, ownPath: { locating.ownPath(of: $0) },
      isCopy: { prefetcher?.isOwn($0) ?? false }, dropCopy: { prefetcher?.drop($0) },
      testSound: testSound,
      prefetch: prefetcher.map { prefetcher in (prefetcher.count, { await prefetcher.want($0) }) })
    let room = try await Room(name, engine: engine, database: database, journal: journal, outlet: outlet, log: log)
    self.room = room
    self.node = node
    self.vigil = vigil
    self.headphones = headphones
    self.prefetcher = prefetcher
    await prefetcher?.onFetched { room.inbox.yield(.fetched($0)) }
    room.register(in: node.metrics)
    work = Task { await room.run() }
  }

  /// Begins to answer.
  func start() async {
    let room = room
    await vigil.begin(RoomInterrupter(of: room, .sleep))
    await headphones?.begin(RoomInterrupter(of: room, .unplugged)) { room.interruptionOver(.output) }
    await node.serve(Playback.Load.self) { request, _ in try await room.load(request) }
    await node.serve(Playback.Transport.self) { request, _ in try await room.transport(request.action) }
    await node.serve(Playback.Append.self) { request, _ in try await room.append(request) }
    await node.serve(Playback.EditQueue.self) { request, _ in try await room.edit(request.edit) }
    await node.serve(Playback.ReadQueue.self) { request, _ in try await room.read(request) }
    await node.serve(Playback.ReadPlayed.self) { request, _ in try await room.read(request) }
    await node.serve(Playback.SetOutput.self) { request, _ in try await room.set(request) }
    await node.serve(Playback.ReadOutput.self) { request, _ in try await room.read(request) }
    await node.serve(Playback.SetTitle.self) { request, _ in try await room.set(request) }
    await node.serve(Playback.PlayTestSound.self) { request, _ in try await room.play(request) }
    await node.serve(Playback.OfferMove.self) { request, _ in try await room.offerMove(request) }
    await node.serve(Playback.PrepareMove.self) { request, _ in try await room.prepareMove(request) }
    await node.serve(Playback.HoldForMove.self) { request, _ in try await room.holdForMove(request) }
    await node.serve(Playback.CommitMove.self) { request, _ in try await room.commitMove(request) }
    await node.serve(Playback.EndMove.self) { request, _ in try await room.endMove(request) }
  }

  /// Stores where things stand and ends the sound.
  func stop() async {
    await vigil.stop()
    await headphones?.stop()
    await prefetcher?.stop()
    await room.close()
    await work.value
  }
}
