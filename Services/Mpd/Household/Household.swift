import Bus
import Client
import Messages
import Model
import Synchronization

/// The rooms and the library as the connections use them, and the changes that they report to their clients.
actor Household {
  /// The longest wait for a room.
  private static let patience = Duration.seconds(8)

  nonisolated let client: Client
  nonisolated let catalogue: SongCatalogue
  nonisolated let pictures: Pictures
  private let preferred: RoomName
  private let startedAt = ContinuousClock.now
  private var subscribers: [ObjectIdentifier: Subscriber] = [:]
  private var histories: [RoomName: QueueHistory] = [:]
  private var states: [RoomName: Playback.RoomState] = [:]
  private var levelling: [RoomName: Playback.Levelling] = [:]
  private var library: Library.CatalogueState?
  private var known: RoomList?

  /// Creates the access.
  ///
  /// - Parameters:
  ///   - client: the requests to the household.
  ///   - preferred: the room of connections at the first port, if there is such a room.
  ///   - pictures: the reader of covers.
  init(client: Client, preferred: RoomName, pictures: Pictures) {
    self.client = client
    self.preferred = preferred
    self.pictures = pictures
    catalogue = SongCatalogue(client: client)
  }

  /// Follows rooms and library until the task is cancelled.
  ///
  /// - Parameter changed: called with the rooms when these change.
  func follow(changed: @escaping @Sendable (RoomList) async -> Void) async {
    let node = client.node
    await node.follow("library", from: .since(.now())) { fact in
      guard fact.envelope.kind == Library.RatingChanged.kind else { return }
      await self.publish([.sticker])
    }
    await withTaskGroup { group in
      group.addTask {
        for await states in await node.states(Playback.RoomState.self) {
          await self.update(states)
          if let rooms = await self.newRooms() { await changed(rooms) }
        }
      }
      group.addTask {
        for await states in await node.states(Playback.QueueState.self) { await self.update(states) }
      }
      group.addTask {
        for await states in await node.states(Playback.OutputState.self) { await self.update(states) }
      }
      group.addTask {
        for await states in await node.states(Library.CatalogueState.self) { await self.update(states) }
      }
      await group.waitForAll()
    }
  }

  // MARK: - Connections

  /// Adds a connection, which is told of changes until it is removed.
  func add(_ subscriber: Subscriber) { subscribers[ObjectIdentifier(subscriber)] = subscriber }

  /// Removes a connection.
  func remove(_ subscriber: Subscriber) { subscribers[ObjectIdentifier(subscriber)] = nil }

  /// The number of connections.
  var connectionCount: Int { subscribers.count }

  /// Tells all connections, or those in a room, of changes.
  func publish(_ changes: Set<Subsystem>, in room: RoomName? = nil) {
    guard !changes.isEmpty else { return }
    for subscriber in subscribers.values { subscriber.note(changes, in: room) }
  }

  /// Returns the channels to which the clients in a room subscribed, sorted.
  func channels(in room: RoomName?) -> [String] {
    Set(subscribers.values.filter { $0.room == room }.flatMap(\.channels)).sorted()
  }

  /// Sends a message to the clients in a room; returns false if none is subscribed to its channel.
  func send(_ message: ClientMessage, in room: RoomName?) -> Bool {
    subscribers.values.filter { $0.room == room && $0.receive(message) }.isEmpty == false
  }

  // MARK: - Changes

  private func update(_ observed: [Observed<Playback.RoomState>]) {
    for state in observed.map(\.value) {
      publish(RoomChanges.between(states[state.room], state), in: state.room)
      states[state.room] = state
    }
  }

  /// The newest state of a room that was received; nil if none was.
  func receivedState(of room: RoomName) -> Playback.RoomState? { states[room] }

  private func newRooms() -> RoomList? {
    let rooms = self.rooms
    guard rooms != known else { return nil }
    if known != nil { publish([.partition, .output]) }
    known = rooms
    return rooms
  }

  private func update(_ observed: [Observed<Playback.QueueState>]) {
    for state in observed {
      guard let room = RoomName(state.node.name), let old = states[room], old.queueRevision < state.value.revision
      else {
        continue
      }
      states[room]?.queueRevision = state.value.revision
      publish([.playlist], in: room)
    }
  }

  private func update(_ observed: [Observed<Playback.OutputState>]) {
    for state in observed {
      guard let room = RoomName(state.node.name) else { continue }
      if let old = levelling[room], old != state.value.levelling { publish([.options], in: room) }
      levelling[room] = state.value.levelling
    }
  }

  private func update(_ observed: [Observed<Library.CatalogueState>]) async {
    guard let newest = observed.first(where: { $0.node == .library })?.value else { return }
    let old = library
    library = newest
    var changes: Set<Subsystem> = []
    if let old, old.isUpdating != newest.isUpdating { changes.insert(.update) }
    if let old, old.lists != newest.lists { changes.insert(.storedPlaylist) }
    if await catalogue.update(generation: newest.generation) {
      changes.insert(.database)
      // Queued songs may have new tags, which do not change the revision of the queue.
      for room in histories.keys { histories[room]?.expire() }
      await pictures.clear()
    }
    publish(changes)
  }
}

/// The requests of commands.
extension Household {
  /// The rooms that are known, in the order of their names.
  nonisolated var rooms: RoomList { RoomList(client.rooms(), preferred: preferred) }

  /// The time since the service started, in seconds.
  nonisolated var uptimeSeconds: Int64 { (ContinuousClock.now - startedAt).components.seconds }

  /// Returns the output settings of a room; nil if it has not published them.
  nonisolated func output(of room: RoomName) async throws -> Playback.OutputState? {
    try checkPresent(room)
    return try await client.state(Playback.OutputState.self, of: .playback(room))?.value
  }

  /// The size and the sources of the library; nil until they are known.
  var libraryState: Library.CatalogueState? { library }

  /// Sends a request to a room.
  ///
  /// - Throws: `client.roomAway` at once for a room that is known to be away; the errors of `Client.ask`.
  nonisolated func ask<R: Request>(_ request: R, in room: RoomName) async throws -> R.Answer {
    try checkPresent(room)
    return try await client.ask(request, of: .playback(room), within: Self.patience)
  }

  /// Returns the state of a room.
  ///
  /// - Throws: `client.roomAway`, and the errors of `Client.state`.
  nonisolated func status(of room: RoomName) async throws -> RoomStatus {
    try checkPresent(room)
    let state = try await client.state(Playback.RoomState.self, of: .playback(room))
    return state.map { RoomStatus($0) } ?? RoomStatus(silent: room)
  }

  nonisolated private func checkPresent(_ room: RoomName) throws {
    let node = NodeID.playback(room)
    guard client.node.isMissing(node) || client.node.hasLeft(node) else { return }
    throw LunaraError("client.roomAway", "The room \(room) is away. Start its player, or choose another room.")
  }

  /// Returns the whole queue of a room. It is read again only if its revision changed.
  ///
  /// - Throws: the errors of `Client.queue(of:)`.
  func queue(of room: RoomName) async throws -> NumberedQueue {
    let page = try await ask(Playback.ReadQueue(first: 0, limit: 1), in: room)
    if var history = histories[room], !history.isExpired, history.revision == page.revision,
      history.queue.items.count == page.count
    {
      history.move(current: page.current, next: page.nextIndex)
      histories[room] = history
      return history.queue
    }
    let whole = try await client.queue(of: room)
    var history = histories[room] ?? QueueHistory()
    history.update(whole)
    histories[room] = history
    return history.queue
  }
}

extension Library.CatalogueState {
  /// True while a source is read.
  var isUpdating: Bool { sources.contains { $0.progress != nil } }

  /// The time when a source was last read completely.
  var updatedAt: Timestamp? { sources.compactMap(\.lastRefreshed).max() }
}
