import Bus
import Messages
import Model
import ServiceKit
import Storage

/// A room on the bus: publishes its states and answers its requests.
struct PlaybackService: Sendable {
  let room: Room
  let node: Node
  private let sleepMonitor: SleepMonitor
  private let headphoneMonitor: HeadphoneMonitor?
  let prefetcher: Prefetcher?
  let offline: OfflineAlbums?
  private let work: Task<Void, Never>

  /// Opens the room and starts to publish; `start` starts to answer requests.
  init(
    room name: RoomName, host: String, engine: any Engine, database: Database, journal: Journal, node: Node, log: Log,
    systemBus: String? = nil, headphoneMonitor: HeadphoneMonitor? = nil,
    cache: (folder: String, limits: Prefetcher.Limits)? = nil, offlineFolder: String? = nil,
    testSound: TestSound? = nil, title: String? = nil
  ) async throws {
    let router = AudioLocator(host: host) { try await node.request($0, to: .router, within: $1) }
    let offline = offlineFolder.map { folder in
      OfflineAlbums(
        in: folder,
        OfflineContext(
          list: { id, after in
            try await node.request(Library.ListPlayable(ids: [id], after: after), to: .library, within: .seconds(15))
          },
          locate: { try await router.resolve($0) },
          connection: { await NetworkConnection.current(busAddress: systemBus) },
          publish: { await node.publish($0) }, log: log))
    }
    await offline?.start()
    let prefetcher = try cache.map { cache in
      try Prefetcher(in: cache.folder, limits: cache.limits, log: log) { item in
        // A kept track needs no second copy.
        if let kept = await offline?.copy(of: item, marks: false) { return kept }
        return try await router.resolve(item)
      }
    }
    let sleepMonitor = SleepMonitor(room: name, busAddress: systemBus, log: log)
    let room = try await Room(
      name, engine: engine, database: database, journal: journal, node: node,
      locator: AudioLocator(host: host, cache: prefetcher, offline: offline, ask: router.ask), testSound: testSound,
      title: title, log: log
    ) {
      await sleepMonitor.watch($0)
      await headphoneMonitor?.watch($0)
    }
    self.room = room
    self.node = node
    self.prefetcher = prefetcher
    self.offline = offline
    self.sleepMonitor = sleepMonitor
    self.headphoneMonitor = headphoneMonitor
    await prefetcher?.onSettled { track, isFetched in
      room.inbox.yield { $0.machine.prefetchSettled(track, isFetched: isFetched, at: $1) }
    }
    room.register(in: node.metrics)
    work = Task { await room.run() }
  }

  func start() async {
    let room = room
    await sleepMonitor.start(RoomInterrupter(of: room, .sleep))
    await headphoneMonitor?.start(RoomInterrupter(of: room, .unplugged)) { room.interruptionOver(.output) }
    await answer(Playback.Load.self) { room, request, reply, _ in try await room.load(request, reply) }
    await answer(Playback.Transport.self) { try await $0.transport($1.action, $2, $3) }
    await answer(Playback.Append.self) { room, request, reply, _ in try await room.append(request, reply) }
    await answer(Playback.EditQueue.self) { room, request, reply, _ in try await room.edit(request.edit, reply) }
    await answer(Playback.SetOutput.self) { try await $0.setOutput($1, $2, $3) }
    await answer(Playback.ReadOutput.self) { room, _, reply, _ in room.readOutput(reply) }
    await answer(Playback.SetTitle.self) { room, request, reply, now in
      try room.machine.setTitle(request.title)
      await room.answer(reply, room.machine.state, now)
    }
    await answer(Playback.PlayTestSound.self) { room, _, reply, _ in room.playTestSound(reply) }
    await answer(Playback.OfferMove.self) { try await $0.offer($1, $2, $3) }
    await answer(Playback.PrepareMove.self) { try await $0.prepare($1, $2, $3) }
    await answer(Playback.HoldForMove.self) { try $0.hold($1, $2, $3) }
    await answer(Playback.CommitMove.self) { try await $0.commit($1, $2, $3) }
    await answer(Playback.EndMove.self) { try await $0.end($1, $2, $3) }
    if let offline { await answerOffline(offline) }
    await room.followRatings()
    await node.serve(Playback.ReadQueue.self) { request, _ in try await room.read(request) }
    await node.serve(Playback.ReadPlayed.self) { request, _ in try await room.read(request) }
  }

  /// Makes the room answer the requests of a type, each after all earlier inputs.
  private func answer<R: Request>(
    _ type: R.Type, _ body: @escaping @Sendable (isolated Room, R, Room.Reply<R.Answer>, Now) async throws -> Void
  ) async {
    await node.serve(type) { [room] request, _ in try await room.ask { try await body($0, request, $1, $2) } }
  }

  /// Stores a checkpoint and ends the sound.
  func stop() async {
    await sleepMonitor.stop()
    await headphoneMonitor?.stop()
    await prefetcher?.stop()
    await offline?.stop()
    await room.close()
    await work.value
  }
}
