import Bus
import Messages
import Model

/// The newest of everything that browsers are shown, and the browsers that follow it.
actor Household {
  let report: @Sendable (LunaraError) -> Void
  var rooms: [RoomName: RoomView] = [:]
  var queues: [RoomName: Playback.QueueState] = [:]
  var catalogue: Library.CatalogueState?
  var outbox: Scrobble.OutboxState?
  var outputs: [RoomName: Playback.OutputState] = [:]
  var presences: [NodePresence] = []
  /// The JSON of topics that do not change with time, made once a change for all browsers.
  var written: [EventFeed.Topic: [UInt8]] = [:]
  var log = FactLog()
  /// How far the clocks of nodes are behind the one here.
  private var clocks: [NodeID: Milliseconds] = [:]
  var followers: [Int: Follower] = [:]
  var lastFollower = 0
  var eventsSent = 0

  /// Makes an empty household.
  ///
  /// - Parameter report: told of trouble that has no caller to throw to.
  init(report: @escaping @Sendable (LunaraError) -> Void = { _ in }) { self.report = report }

  /// Takes in what rooms say.
  func take(_ observed: [Observed<Playback.RoomState>]) {
    let now = ContinuousClock.now
    let old = rooms
    rooms = [:]
    for one in observed { rooms[one.value.room] = RoomView(one, at: now, after: old[one.value.room]) }
    if old.count != rooms.count || rooms.contains(where: { $1.differs(from: old[$0]) }) { changed(.rooms) }
  }

  /// Takes in the queues of rooms.
  func take(_ observed: [Observed<Playback.QueueState>]) {
    let there = Set(observed.compactMap { RoomName($0.node.name) })
    for room in queues.keys where !there.contains(room) {
      queues[room] = nil
      written[.queue(room)] = nil
    }
    for one in observed {
      guard let room = RoomName(one.node.name), queues[room] != one.value else { continue }
      queues[room] = one.value
      changed(.queue(room))
    }
  }

  /// Takes in the catalogue.
  func take(_ observed: [Observed<Library.CatalogueState>]) {
    guard let newest = observed.first(where: { $0.node == .library })?.value, newest != catalogue else { return }
    catalogue = newest
    changed(.catalogue)
  }

  /// Takes in how the outbox of scrobbles stands.
  func take(_ observed: [Observed<Scrobble.OutboxState>]) {
    guard let newest = observed.first(where: { $0.node == .scrobble })?.value else { return }
    outbox = newest
    changed(.scrobbles)
  }

  /// Takes in where the sound of rooms goes.
  func take(_ observed: [Observed<Playback.OutputState>]) {
    let there = Set(observed.compactMap { RoomName($0.node.name) })
    for room in outputs.keys where !there.contains(room) {
      outputs[room] = nil
      written[.output(room)] = nil
    }
    for one in observed {
      guard let room = RoomName(one.node.name), outputs[room] != one.value else { continue }
      outputs[room] = one.value
      changed(.output(room))
    }
  }

  /// Takes in what happened.
  ///
  /// - Parameter now: the time here; what happened long before is no news to who has just come.
  func take(_ fact: ReceivedFact, now: Timestamp = .now()) {
    let place = EventID.Place(
      journal: fact.envelope.journal ?? "", epoch: fact.envelope.epoch, seq: fact.seq)
    log.note(place, of: fact.node)
    do {
      guard let shape = try FactShape(fact) else { return }
      let isOld = now - fact.time - (clocks[fact.node] ?? .zero) > Milliseconds(60_000)
      log.add(.init(node: fact.node, place: place, isOld: isOld, json: try MessageCoding.encode(shape)))
      if !isOld, let failed = try fact.decode(Playback.TrackFailed.self) { take(failure: failed.error) }
    } catch {
      report(LunaraError(error))
    }
    for key in followers.keys where followers[key]?.reader != nil { wake(key) }
  }

  /// Takes in who is there.
  func take(_ newest: [NodePresence]) {
    for presence in newest where !presence.away { clocks[presence.id] = .now() - presence.saidAt }
    func seen(_ presences: [NodePresence]) -> [String] { presences.map { "\($0.id) \($0.pid) \($0.away)" } }
    guard seen(newest) != seen(presences) else { return }
    presences = newest
    changed(.presence)
  }

  /// Takes in that something went wrong which no state shows.
  func take(failure error: LunaraError) {
    for (key, follower) in followers where follower.room == nil {
      followers[key]?.feed.failed(error)
      wake(key)
    }
  }

  private func changed(_ topic: EventFeed.Topic) {
    written[topic] = nil
    for (key, follower) in followers where follower.isConcerned(by: topic) {
      followers[key]?.feed.changed(topic)
      wake(key)
    }
  }
}

/// What requests read.
extension Household {
  /// How many browsers follow, and how many events they were sent.
  var counts: (followers: Int, eventsSent: Int) { (followers.count, eventsSent) }

  /// The rooms as they are now, by name.
  func shapes() -> [Shape.Room] {
    let now = ContinuousClock.now
    return rooms.sorted { $0.key < $1.key }.map { $0.value.shape(at: now) }
  }

  /// A room as it is now.
  func shape(of room: RoomName) -> Shape.Room? { rooms[room]?.shape(at: .now) }

  /// The nodes that answer.
  func nodesThatAreThere() -> [NodeID] { presences.filter { !$0.away && !$0.retired }.map(\.id) }

  /// How all of it stands; `own` is this service, which nobody tells it of.
  func status(with own: NodePresence) -> Shape.Status {
    Shape.Status(
      nodes: (presences + [own]).sorted { $0.id < $1.id }.map(Shape.Node.init), rooms: shapes(),
      catalogue: catalogue.map(Shape.Catalogue.init),
      scrobbles: outbox.map(Shape.Outbox.init))
  }

  /// Where a room is in its track.
  func position(of room: RoomName) -> Milliseconds { rooms[room]?.position(at: .now) ?? .zero }

  /// The room that is meant: the named one, or the only one.
  ///
  /// - Throws: `client.roomUnknown`, `client.roomNeeded`.
  func room(named name: RoomName?) throws -> RoomName {
    let known = rooms.keys.sorted()
    let list = known.map(\.rawValue).joined(separator: ", ")
    guard let name else {
      if known.count == 1 { return known[0] }
      if known.isEmpty { throw LunaraError("client.roomUnknown", "No room is there yet. `lunara up` starts one.") }
      throw LunaraError("client.roomNeeded", "There are several rooms: \(list). Name one with room.")
    }
    guard rooms[name] != nil else {
      throw LunaraError(
        "client.roomUnknown", "There is no room \(name). \(known.isEmpty ? "None is there yet." : "There are: \(list).")")
    }
    return name
  }
}
