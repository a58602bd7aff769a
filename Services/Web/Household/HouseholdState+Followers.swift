import Bus
import Client
import Messages
import Model

struct Follower {
  var feed = EventFeed()
  /// The browser's place in the log of facts; nil for one that gets no facts.
  var reader: FactReader?
  /// The only room whose changes it gets; nil for all topics.
  var room: RoomName?
  /// The name that its page gives itself; nil for one that shows no described tracks.
  var page: String?
  /// The session with which the browser was admitted.
  var session: SessionToken?
  /// The continuation of its stream; set while there is nothing to send.
  var wake: CheckedContinuation<Void, Never>?

  func isConcerned(by topic: EventFeed.Topic) -> Bool {
    guard let room else { return topic != .found || page != nil }
    return topic == .rooms || topic == .queue(room)
  }
}

/// The browsers that follow the household, and the events that they get.
extension HouseholdState {
  /// The number of unread heartbeats after which a browser counts as gone: those of a minute.
  static let heartbeatLimit = 30
  static let followerLimit = 400

  /// Returns the event stream for one browser: a snapshot first, then changes. The stream is generated from the newest
  /// values when the browser reads it.
  ///
  /// - Parameters:
  ///   - id: the id of the last event that it received; later facts are sent again.
  ///   - page: the name that the page gives itself.
  ///   - isBack: true if it was connected before, even if its id cannot be read.
  ///   - session: the session of the browser; the stream ends with it.
  /// - Throws: `web.tooManyReaders`.
  func events(
    after id: EventID? = nil, of page: String? = nil, missed isBack: Bool = false, for session: SessionToken? = nil
  ) throws -> AsyncStream<[UInt8]> {
    var follower = Follower(page: page, session: session)
    var reader = id.map { log.reader(at: $0) } ?? log.newReader()
    reader.isLost = isBack && id == nil
    follower.reader = reader
    let key = try add(follower)
    return AsyncStream {
      await self.next(for: key)
    } onCancel: {
      Task { await self.leave(key) }
    }
  }

  /// Adds a browser that gets the changes of one room only.
  ///
  /// - Returns: the key for `nextChange(for:)` and `leave(_:)`.
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

  /// Sends every browser a heartbeat, and ends the streams of those that have not read several of them.
  func beat() {
    for (key, follower) in followers {
      guard follower.feed.unreadHeartbeats < Self.heartbeatLimit else {
        leave(key)
        continue
      }
      followers[key]?.feed.beat()
      wake(key)
    }
  }

  func close() { for key in followers.keys { leave(key) } }

  var sessions: Set<SessionToken> { Set(followers.values.compactMap(\.session)) }

  func end(sessions: Set<SessionToken>) {
    for (key, follower) in followers where follower.session.map(sessions.contains) == true { leave(key) }
  }

  /// Ends the event streams whose sessions are no longer valid.
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

  /// The number of rooms whose queues and outputs are in the snapshot; those of other rooms follow as separate events.
  static let snapshotRooms = EventFeed.topicLimit

  /// Marks the queues and outputs that did not fit into the browser's snapshot as changed.
  private func queueOtherRooms(for key: Int) {
    for room in queues.keys.sorted().dropFirst(Self.snapshotRooms) { followers[key]?.feed.markChanged(.queue(room)) }
    for room in outputs.keys.sorted().dropFirst(Self.snapshotRooms) { followers[key]?.feed.markChanged(.output(room)) }
  }

  private func next(for key: Int) async -> [UInt8]? {
    while var reader = followers[key]?.reader {
      let before = EventID(reader.seen)
      let (isLost, facts) = log.read(&reader)
      followers[key]?.reader = reader
      let items = followers[key]?.feed.popItems() ?? []
      if items.first == .snapshot { queueOtherRooms(for: key) }
      if isLost || !items.isEmpty || !facts.isEmpty {
        eventsSent.increment(by: items.count + facts.count)
        return (isLost ? reset(before) : []) + items.flatMap { text(of: $0, before) }
          + facts.flatMap { EventText.event("fact", id: $0.id, json: $0.json) }
      }
      await withCheckedContinuation { followers[key]?.wake = $0 }
    }
    return nil
  }

  /// Waits for the next change. Returns true for a change, and at once at the first call; false for a heartbeat; nil at
  /// the end of the stream.
  func nextChange(for key: Int) async -> Bool? {
    while followers[key] != nil {
      if let items = followers[key]?.feed.popItems(), !items.isEmpty {
        eventsSent.increment()
        return items != [.heartbeat]
      }
      await withCheckedContinuation { followers[key]?.wake = $0 }
    }
    return nil
  }

  func leave(_ key: Int) {
    let follower = followers.removeValue(forKey: key)
    follower?.wake?.resume()
    forgetPlaces(of: follower)
  }
}

extension HouseholdState {
  private func reset(_ id: EventID) -> [UInt8] {
    EventText.event("reset", id: id, json: Array(#"{"reason":"More happened meanwhile than is kept."}"#.utf8))
  }

  private func text(of item: EventFeed.Item, _ id: EventID) -> [UInt8] {
    switch item {
    case .heartbeat: EventText.heartbeat
    case .notice(let error): EventText.event("notice", json: error.json.bytes(.leftOut))
    case .newest(let topic): json(of: topic).map { EventText.event(topic.name, json: $0) } ?? []
    case .snapshot: EventText.retry + EventText.event("snapshot", id: id, json: snapshot.bytes(.leftOut))
    }
  }

  private var snapshot: JSON {
    [
      "rooms": roomStatuses(), "catalogue": catalogue.orNull, "nodes": presences.map { NodeStatus($0) },
      "queues": queues.sorted { $0.key < $1.key }.prefix(Self.snapshotRooms).map { RoomQueue($1, of: $0) },
      "scrobbles": outbox.orNull,
      "plugins": plugins.orNull,
      "outputs": outputs.sorted { $0.key < $1.key }.prefix(Self.snapshotRooms).map { $1.json(of: $0) },
    ]
  }

  /// Returns the JSON of a topic; nil for the queue or output of a room that has gone, which the topic `rooms` shows.
  private func json(of topic: EventFeed.Topic) -> [UInt8]? {
    // The JSON of rooms is not cached, as it contains playback positions, which change all the time.
    if topic == .rooms { return roomStatuses().json.bytes(.leftOut) }
    if let ready = written[topic] { return ready }
    let json: JSON? =
      switch topic {
      case .rooms, .presence: presences.map { NodeStatus($0) }.json
      case .queue(let room): queues[room].map { RoomQueue($0, of: room).json }
      case .catalogue: catalogue.json
      case .scrobbles: outbox.json
      case .output(let room): outputs[room].map { $0.json(of: room) }
      case .plugins: plugins.json
      case .found: found.json
      }
    let made = json?.bytes(.leftOut)
    written[topic] = made
    return made
  }
}
