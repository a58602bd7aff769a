import Bus
import Messages
import Model

/// The newest of everything that browsers are shown, and the browsers that follow it.
actor Household {
  let epoch: Int64
  let report: @Sendable (LunaraError) -> Void
  /// Grows with every change; the second part of event ids.
  var version = 0
  var rooms: [RoomName: RoomView] = [:]
  var queues: [RoomName: Playback.QueueState] = [:]
  var catalogue: Library.CatalogueState?
  var presences: [NodePresence] = []
  /// The JSON of topics that do not change with time, made once a change for all browsers.
  var written: [EventFeed.Topic: [UInt8]] = [:]
  var followers: [Int: Follower] = [:]
  var lastFollower = 0
  var eventsSent = 0

  /// Makes an empty household.
  ///
  /// - Parameters:
  ///   - epoch: the service's start number, the first part of event ids.
  ///   - report: told of trouble that has no caller to throw to.
  init(epoch: Int64, report: @escaping @Sendable (LunaraError) -> Void = { _ in }) {
    self.epoch = epoch
    self.report = report
  }

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

  /// Takes in who is there.
  func take(_ newest: [NodePresence]) {
    func seen(_ presences: [NodePresence]) -> [String] { presences.map { "\($0.id) \($0.pid) \($0.away)" } }
    guard seen(newest) != seen(presences) else { return }
    presences = newest
    changed(.presence)
  }

  /// Takes in that something went wrong which no state shows.
  func take(failure error: LunaraError) {
    for key in followers.keys {
      followers[key]?.feed.failed(error)
      wake(key)
    }
  }

  private func changed(_ topic: EventFeed.Topic) {
    version += 1
    written[topic] = nil
    for key in followers.keys {
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

  /// Where a room is in its track.
  func position(of room: RoomName) -> Milliseconds { rooms[room]?.position(at: .now) ?? .zero }

  /// The room that is meant: the named one, or the only one.
  ///
  /// - Throws: `web.roomUnknown`, `web.roomNeeded`.
  func room(named name: RoomName?) throws -> RoomName {
    let known = rooms.keys.sorted()
    let list = known.map(\.rawValue).joined(separator: ", ")
    guard let name else {
      if known.count == 1 { return known[0] }
      if known.isEmpty { throw LunaraError("web.roomUnknown", "No room is there yet. `lunara up` starts one.") }
      throw LunaraError("web.roomNeeded", "There are several rooms: \(list). Name one with room.")
    }
    guard rooms[name] != nil else {
      throw LunaraError(
        "web.roomUnknown", "There is no room \(name). \(known.isEmpty ? "None is there yet." : "There are: \(list).")")
    }
    return name
  }
}
