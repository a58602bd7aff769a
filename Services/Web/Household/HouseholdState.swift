import Bus
import Client
import Messages
import Model

/// The newest states of the household, and the browsers that follow them.
actor HouseholdState {
  /// Receives errors that have no caller to throw to.
  let report: @Sendable (LunaraError) -> Void
  var rooms = ObservedRooms()
  var queues: [RoomName: Playback.QueueState] = [:]
  var catalogue: Library.CatalogueState?
  var outbox: Scrobble.OutboxState?
  var outputs: [RoomName: Playback.OutputState] = [:]
  var presences: [NodePresence] = []
  var plugins: Resolver.PluginState?
  var found: Resolver.ShownTracksState?
  /// The places in which pages show described tracks, by the names of the pages.
  var shownPlaces: [String: Set<String>] = [:]
  /// Receives the places of a page that is gone.
  nonisolated let leftPlaces: @Sendable ([String]) -> Void
  /// The JSON of topics that do not change with time, made once per change for all browsers.
  var written: [EventFeed.Topic: [UInt8]] = [:]
  var log = FactLog()
  /// The time by which each node's clock is behind this host's clock.
  private var clocks: [NodeID: Milliseconds] = [:]
  var followers: [Int: Follower] = [:]
  var lastFollower = 0
  /// The counter of events that were sent to browsers.
  nonisolated let eventsSent: MetricCounter

  init(
    eventsSent: MetricCounter = MetricCounter(), leftPlaces: @escaping @Sendable ([String]) -> Void = { _ in },
    report: @escaping @Sendable (LunaraError) -> Void = { _ in }
  ) {
    self.eventsSent = eventsSent
    self.leftPlaces = leftPlaces
    self.report = report
  }

  func update(_ observed: [Observed<Playback.RoomState>]) {
    if rooms.update(observed) { markChanged(.rooms) }
  }

  func update(_ observed: [Observed<Playback.QueueState>]) {
    update(&queues, observed, EventFeed.Topic.queue)
  }

  func update(_ observed: [Observed<Playback.OutputState>]) {
    update(&outputs, observed, EventFeed.Topic.output)
  }

  private func update<S: State & Equatable>(
    _ known: inout [RoomName: S], _ observed: [Observed<S>], _ topic: (RoomName) -> EventFeed.Topic
  ) {
    let old = known
    known = [:]
    for one in observed { if let room = RoomName(one.node.name) { known[room] = one.value } }
    for room in old.keys where known[room] == nil { written[topic(room)] = nil }
    for (room, value) in known where old[room] != value { markChanged(topic(room)) }
  }

  func update(_ observed: [Observed<Library.CatalogueState>]) {
    guard let newest = observed.first(where: { $0.node == .library })?.value, newest != catalogue else { return }
    catalogue = newest
    markChanged(.catalogue)
  }

  func update(_ observed: [Observed<Scrobble.OutboxState>]) {
    guard let newest = observed.first(where: { $0.node == .scrobble })?.value, newest != outbox else { return }
    outbox = newest
    markChanged(.scrobbles)
  }

  func update(_ newest: [NodePresence]) {
    for presence in newest where !presence.away { clocks[presence.id] = .now() - presence.saidAt }
    func seen(_ presences: [NodePresence]) -> [String] { presences.map { "\($0.id) \($0.pid) \($0.away)" } }
    guard seen(newest) != seen(presences) else { return }
    presences = newest
    markChanged(.presence)
  }

  /// Adds a fact to the log for browsers, and sends the error of a track that failed within the last minute.
  ///
  /// - Parameter now: the time of this host. A browser that connects for the first time does not get facts that are
  ///   older than a minute.
  func add(_ fact: ReceivedFact, now: Timestamp = .now()) {
    let place = EventID.Place(
      journal: fact.envelope.journal ?? "", epoch: fact.envelope.epoch, seq: fact.seq)
    log.record(place, of: fact.node)
    do {
      guard let shape = try fact.shape() else { return }
      let isOld = now - fact.time - (clocks[fact.node] ?? .zero) > Milliseconds(60_000)
      log.add(.init(node: fact.node, place: place, isOld: isOld, json: shape.bytes(.leftOut)))
      if !isOld, let failed = try fact.decode(Playback.TrackFailed.self) { notify(of: failed.error) }
    } catch {
      report(LunaraError(error))
    }
    for key in followers.keys where followers[key]?.reader != nil { wake(key) }
  }

  /// Sends browsers an error that no state shows.
  func notify(of error: LunaraError) {
    for (key, follower) in followers where follower.room == nil {
      followers[key]?.feed.add(error)
      wake(key)
    }
  }

  func markChanged(_ topic: EventFeed.Topic) {
    written[topic] = nil
    for (key, follower) in followers where follower.isConcerned(by: topic) {
      followers[key]?.feed.markChanged(topic)
      wake(key)
    }
  }
}

extension HouseholdState {
  var followerCount: Int { followers.count }

  func roomStatuses() -> [RoomStatus] { rooms.statuses() }

  /// Returns the status of a room; nil if the room is not known.
  func status(of room: RoomName) -> RoomStatus? { rooms.status(of: room) }

  /// Returns a part of a room's queue, with the position in its current item.
  func queue(_ part: Playback.QueueState, of room: RoomName) -> RoomQueue {
    RoomQueue(part, of: room, position: rooms.status(of: room)?.position ?? .zero, modes: rooms[room]?.modes)
  }

  func reachableNodes() -> [NodeID] { presences.filter { !$0.away && !$0.retired }.map(\.id) }

  /// Returns the status of the household; `own` is the presence of this service, which `presences` lacks.
  func status(with own: NodePresence) -> HouseholdStatus {
    HouseholdStatus(
      nodes: (presences + [own]).sorted { $0.id < $1.id }.map { NodeStatus($0) }, rooms: roomStatuses(),
      catalogue: catalogue, outbox: outbox)
  }

  /// Returns the named room, or without a name the only one. Throws `client.roomUnknown`, `client.roomNeeded`,
  /// `client.noRoom`.
  func room(named name: RoomName?) throws -> RoomName {
    guard let name else { return try rooms.choice.room(for: nil) }
    return try rooms.choice.known(name)
  }
}
