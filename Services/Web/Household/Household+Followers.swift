import Messages
import Model

/// One browser that follows.
struct Follower {
  var feed = EventFeed()
  /// How far it is in what happened; nil where it is told of states only.
  var reader: FactReader?
  /// The only room it is told of; nil for everything.
  var room: RoomName?
  /// The session it was let in by.
  var session: SessionToken?
  /// Set while the browser has been told everything and waits.
  var wake: CheckedContinuation<Void, Never>?

  /// Whether a topic is anything to it.
  func isConcerned(by topic: EventFeed.Topic) -> Bool {
    guard let room else { return true }
    return topic == .rooms || topic == .queue(room)
  }
}

/// The browsers that follow, and what they are sent.
extension Household {
  /// Beats that a browser may leave unread before it is taken for gone.
  static let beatLimit = 4
  /// How many browsers follow at most.
  static let followerLimit = 400

  /// The events for one browser: everything first, then what changes. Each piece is made when the browser is ready for
  /// it, from the newest values.
  ///
  /// - Parameters:
  ///   - id: where it was before; what happened since is told.
  ///   - isBack: whether it was here before, be it that its id is not understood.
  ///   - session: ends with it.
  /// - Throws: `web.tooManyReaders`.
  func events(after id: EventID? = nil, missed isBack: Bool = false, for session: SessionToken? = nil) throws
    -> AsyncStream<[UInt8]>
  {
    var follower = Follower(session: session)
    var reader = id.map { log.returner(at: $0) } ?? log.newcomer()
    reader.isLost = isBack && id == nil
    follower.reader = reader
    let key = try add(follower)
    return AsyncStream {
      await self.next(for: key)
    } onCancel: {
      Task { await self.leave(key) }
    }
  }

  /// Takes in one that is told of one room only; gives what to ask for its changes by.
  ///
  /// - Throws: `web.tooManyReaders`.
  func follow(_ room: RoomName, for session: SessionToken? = nil) throws -> Int {
    try add(Follower(room: room, session: session))
  }

  private func add(_ follower: Follower) throws -> Int {
    guard followers.count < Self.followerLimit else {
      throw LunaraError("web.tooManyReaders", "Too many browsers follow already. Close some pages, or try again later.")
    }
    lastFollower += 1
    followers[lastFollower] = follower
    return lastFollower
  }

  /// Gives every browser a sign of life, and lets go of those that have not read for long.
  func beat() {
    for (key, follower) in followers {
      guard follower.feed.beatsWaiting < Self.beatLimit else {
        leave(key)
        continue
      }
      followers[key]?.feed.beat()
      wake(key)
    }
  }

  /// Ends all event streams.
  func close() { for key in followers.keys { leave(key) } }

  /// The sessions of those who follow.
  var sessions: Set<SessionToken> { Set(followers.values.compactMap(\.session)) }

  /// Ends the event streams of sessions.
  func end(sessions: Set<SessionToken>) {
    for (key, follower) in followers where follower.session.map(sessions.contains) == true { leave(key) }
  }

  /// Ends the event streams of sessions that have ended, however they did.
  func endStreams(notAdmittedBy authenticator: SessionAuthenticator) async {
    let followed = sessions
    guard !followed.isEmpty else { return }
    end(sessions: followed.subtracting(await authenticator.validSessions(of: followed)))
  }

  func wake(_ key: Int) {
    guard let wake = followers[key]?.wake else { return }
    followers[key]?.wake = nil
    wake.resume()
  }

  /// Of how many rooms the first event tells all; the others' queues and outputs follow, each when there is room for it.
  static let snapshotRooms = EventFeed.topicLimit

  /// Notes for who has just been told everything what did not fit into it.
  private func noteTheRest(for key: Int) {
    for room in queues.keys.sorted().dropFirst(Self.snapshotRooms) { followers[key]?.feed.changed(.queue(room)) }
    for room in outputs.keys.sorted().dropFirst(Self.snapshotRooms) { followers[key]?.feed.changed(.output(room)) }
  }

  private func next(for key: Int) async -> [UInt8]? {
    while var reader = followers[key]?.reader {
      let before = EventID(reader.seen)
      let (isLost, news) = log.read(&reader)
      followers[key]?.reader = reader
      let items = followers[key]?.feed.take() ?? []
      if items.first == .snapshot { noteTheRest(for: key) }
      if isLost || !items.isEmpty || !news.isEmpty {
        eventsSent += items.count + news.count
        return (isLost ? reset(before) : []) + items.flatMap { text(of: $0, before) }
          + news.flatMap { EventText.event("fact", id: $0.id, json: $0.json) }
      }
      await withCheckedContinuation { followers[key]?.wake = $0 }
    }
    return nil
  }

  /// Waits for the next change: true for one, the first at once; false where it is time for a sign of life; nil at the
  /// end.
  func nextChange(for key: Int) async -> Bool? {
    while followers[key] != nil {
      if let items = followers[key]?.feed.take(), !items.isEmpty {
        eventsSent += 1
        return items != [.heartbeat]
      }
      await withCheckedContinuation { followers[key]?.wake = $0 }
    }
    return nil
  }

  /// Lets go of a browser.
  func leave(_ key: Int) { followers.removeValue(forKey: key)?.wake?.resume() }
}

/// How it is written.
extension Household {
  private struct Snapshot: Encodable {
    var rooms: [Shape.Room]
    var queues: [Shape.Queue]
    @Nullable var catalogue: Shape.Catalogue?
    var nodes: [Shape.Node]
    @Nullable var scrobbles: Shape.Outbox?
    var outputs: [Shape.Output]
  }

  private func reset(_ id: EventID) -> [UInt8] {
    EventText.event("reset", id: id, json: Array(#"{"reason":"More happened meanwhile than is kept."}"#.utf8))
  }

  private func text(of item: EventFeed.Item, _ id: EventID) -> [UInt8] {
    do {
      switch item {
      case .heartbeat: return EventText.heartbeat
      case .notice(let error): return EventText.event("notice", json: try MessageCoding.encode(error))
      case .newest(let topic): return try json(of: topic).map { EventText.event(topic.name, json: $0) } ?? []
      case .snapshot:
        let all = Snapshot(
          rooms: shapes(),
          queues: queues.sorted { $0.key < $1.key }.prefix(Self.snapshotRooms)
            .map { Shape.Queue($0.value, room: $0.key) },
          catalogue: catalogue.map(Shape.Catalogue.init), nodes: presences.map(Shape.Node.init),
          scrobbles: outbox.map(Shape.Outbox.init),
          outputs: outputs.sorted { $0.key < $1.key }.prefix(Self.snapshotRooms)
            .map { Shape.Output($0.value, of: $0.key) })
        return EventText.retry + EventText.event("snapshot", id: id, json: try MessageCoding.encode(all))
      }
    } catch {
      report(LunaraError(error))
      return EventText.heartbeat
    }
  }

  /// Nil for what a room said that has gone meanwhile, which the rooms tell.
  private func json(of topic: EventFeed.Topic) throws -> [UInt8]? {
    // Rooms carry a position, which is another a moment later.
    if topic == .rooms { return try MessageCoding.encode(shapes()) }
    if let ready = written[topic] { return ready }
    let made: [UInt8]? =
      switch topic {
      case .rooms, .presence: try MessageCoding.encode(presences.map(Shape.Node.init))
      case .queue(let room): try queues[room].map { try MessageCoding.encode(Shape.Queue($0, room: room)) }
      case .catalogue: try MessageCoding.encode(catalogue.map(Shape.Catalogue.init))
      case .scrobbles: try MessageCoding.encode(outbox.map(Shape.Outbox.init))
      case .output(let room): try outputs[room].map { try MessageCoding.encode(Shape.Output($0, of: room)) }
      }
    written[topic] = made
    return made
  }
}
