import Bus
import Messages
import Model
import ServiceKit
import Storage

/// A room on the bus: publishes its states and answers its requests.
struct PlaybackService: Sendable {
  let room: Room
  private let node: Node
  private let sleepMonitor: SleepMonitor
  private let headphoneMonitor: HeadphoneMonitor?
  let prefetcher: Prefetcher?
  private let work: Task<Void, Never>

  /// Opens the room and begins to publish; `start` begins to answer.
  init(
    room name: RoomName, host: String, engine: any Engine, database: Database, journal: Journal, node: Node, log: Log,
    systemBus: String? = nil, headphoneMonitor: HeadphoneMonitor? = nil,
    cache: (folder: String, limits: Prefetcher.Limits)? = nil, testSound: TestSound? = nil
  ) async throws {
    let router = AudioLocator(host: host, node: node)
    let prefetcher = try cache.map { cache in
      try Prefetcher(in: cache.folder, limits: cache.limits, log: log) { try await router.resolve($0) }
    }
    let locator = AudioLocator(host: host, cache: prefetcher, ask: router.ask)
    let sleepMonitor = SleepMonitor(room: name, busAddress: systemBus, log: log)
    let environment = RoomEnvironment(
      publishRoom: {
        await node.publish($0)
        await sleepMonitor.watch($0)
        await headphoneMonitor?.watch($0)
      },
      publishQueue: { await node.publish($0) },
      publishOutput: { await node.publish($0) },
      locate: { try await locator.locate($0) }, ownPath: { locator.ownPath(of: $0) },
      isCopy: { prefetcher?.isOwn($0) ?? false }, dropCopy: { prefetcher?.drop($0) },
      testSound: testSound,
      prefetch: prefetcher.map { prefetcher in (prefetcher.count, { await prefetcher.setWanted($0) }) })
    let room = try await Room(
      name, engine: engine, database: database, journal: journal, environment: environment, log: log)
    self.room = room
    self.node = node
    self.sleepMonitor = sleepMonitor
    self.headphoneMonitor = headphoneMonitor
    self.prefetcher = prefetcher
    await prefetcher?.onFetched { room.inbox.yield(.fetched($0)) }
    room.register(in: node.metrics)
    work = Task { await room.run() }
  }

  /// Begins to answer.
  func start() async {
    let room = room
    await sleepMonitor.start(RoomInterrupter(of: room, .sleep))
    await headphoneMonitor?.start(RoomInterrupter(of: room, .unplugged)) { room.interruptionOver(.output) }
    await answer(Playback.Load.self) { .load($0, $1) }
    await answer(Playback.Transport.self) { .transport($0.action, $1) }
    await answer(Playback.Append.self) { .append($0, $1) }
    await answer(Playback.EditQueue.self) { .edit($0.edit, $1) }
    await answer(Playback.SetOutput.self) { .output($0, $1) }
    await answer(Playback.ReadOutput.self) { .readOutput($1) }
    await answer(Playback.SetTitle.self) { .title($0.title, $1) }
    await answer(Playback.PlayTestSound.self) { .testSound($1) }
    await answer(Playback.OfferMove.self) { .move(.offer($0, $1)) }
    await answer(Playback.PrepareMove.self) { .move(.prepare($0, $1)) }
    await answer(Playback.HoldForMove.self) { .move(.hold($0, $1)) }
    await answer(Playback.CommitMove.self) { .move(.commit($0, $1)) }
    await answer(Playback.EndMove.self) { .move(.end($0, $1)) }
    await node.serve(Playback.ReadQueue.self) { request, _ in try await room.read(request) }
    await node.serve(Playback.ReadPlayed.self) { request, _ in try await room.read(request) }
  }

  /// Gives the room an input for each request of a type, and returns its answer.
  private func answer<R: Request>(
    _ type: R.Type, _ input: @escaping @Sendable (R, Room.Reply<R.Answer>) -> Room.Input
  ) async {
    await node.serve(type) { [room] request, _ in try await room.ask { input(request, $0) } }
  }

  /// Stores a checkpoint and ends the sound.
  func stop() async {
    await sleepMonitor.stop()
    await headphoneMonitor?.stop()
    await prefetcher?.stop()
    await room.close()
    await work.value
  }
}
