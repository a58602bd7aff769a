import Bus
import Messages
import Model
import ServiceKit

/// Keeps the queues of rooms up to date with the library: appends the albums that follow, and removes tracks that are
/// gone.
///
/// The object stores only data that it can get again from the published states, and repeating its requests does no
/// harm. So it can be ended at any step, and two instances at once have the same effect as one.
actor QueueMaintenance {
  struct Pauses: Sendable {
    var retries = RetryPolicy(first: .seconds(1), longest: .seconds(30))
    /// The pause before queues are compared with a changed catalogue, which may soon change again.
    var settling = Duration.seconds(2)
    /// The pause after a comparison, as a multiple of its duration: comparing 100,000 tracks takes seconds.
    var rest = 20
  }

  private let sender: any RequestSender
  private let log: Log
  private let pauses: Pauses
  private var plan = QueueMaintenancePlan()
  private var workers: [RoomName: Task<Void, Never>] = [:]
  private var resting: [RoomName: ContinuousClock.Instant] = [:]
  private var followers: [Task<Void, Never>] = []

  init(sender: any RequestSender, log: Log, pauses: Pauses = Pauses()) {
    self.sender = sender
    self.log = log
    self.pauses = pauses
  }

  /// Starts to follow the states on the bus.
  func follow(_ node: Node) {
    followers = [
      Task { for await queues in await node.states(Playback.QueueState.self) { update(queues) } },
      Task {
        for await catalogues in await node.states(Library.CatalogueState.self) {
          for observed in catalogues where observed.node == .library && !observed.away { update(observed.value) }
        }
      },
    ]
  }

  func stop() async {
    for task in followers { task.cancel() }
    let ending = Array(workers.values)
    for task in ending { task.cancel() }
    for task in ending { await task.value }
  }

  /// Handles the states of all queues.
  func update(_ queues: [Observed<Playback.QueueState>]) {
    plan.update(queues)
    begin()
  }

  /// Handles the state of the catalogue.
  func update(_ catalogue: Library.CatalogueState) {
    plan.update(catalogue)
    begin()
  }

  /// Returns when there is nothing left to do.
  func finished() async {
    while let worker = workers.values.first { await worker.value }
  }

  private func begin() {
    for room in plan.busy where workers[room] == nil { workers[room] = Task { await work(for: room) } }
  }

  /// Does everything that a room needs, one step after the other.
  private func work(for room: RoomName) async {
    var failures = 0
    while !Task.isCancelled {
      do {
        if let needed = plan.neededAlbums(in: room) {
          try await answer(needed)
          plan.answered(needed)
        } else if plan.uncompared(room) != nil {
          try await rest(for: room, until: max(.now + pauses.settling, resting[room] ?? .now))
          guard let catalogueVersion = plan.uncompared(room), plan.neededAlbums(in: room) == nil else { continue }
          let began = ContinuousClock.now
          try await QueuePruning(sender: sender, room: room).run(log)
          resting[room] = .now + began.duration(to: .now) * pauses.rest
          plan.compared(room, with: catalogueVersion)
        } else {
          break
        }
        failures = 0
      } catch {
        guard !Task.isCancelled else { break }
        if failures == 0 { log.warning(LunaraError(error)) }
        failures += 1
        do { try await rest(for: room, until: .now + pauses.retries.pause(after: failures)) } catch { break }
      }
    }
    workers[room] = nil
  }

  private func answer(_ needed: QueueMaintenancePlan.NeededAlbums) async throws {
    do {
      let count = try await QueueContinuation(sender: sender, needed: needed).run()
      log.debug("albums were appended", ["room": needed.room.rawValue, "tracks": "\(count)"])
    } catch let error as LunaraError where error.code == "playback.queueMoved" {
      // The queue has changed meanwhile: its new state shows its needs.
      log.debug("the queue changed before albums were appended", ["room": needed.room.rawValue])
    }
  }

  /// Waits until a time, or until the albums that the room needs have changed.
  private func rest(for room: RoomName, until end: ContinuousClock.Instant) async throws {
    let needed = plan.neededAlbums(in: room)
    while ContinuousClock.now < end, plan.neededAlbums(in: room) == needed {
      try await Task.sleep(for: min(.milliseconds(200), end - .now))
    }
  }
}

/// Decides what the queues of rooms need: more albums, or a comparison with the catalogue. The plan does no I/O, and
/// follows from the newest states, so that a new plan decides the same.
struct QueueMaintenancePlan: Equatable {
  /// A queue that needs more albums.
  struct NeededAlbums: Hashable, Sendable {
    var room: RoomName
    /// The queue's revision; with another revision the need is a new one.
    var revision: Int64
    var continuation: Playback.Continuation
    /// The node that asked for the item after which the albums are appended.
    var origin: String
  }

  /// The version of the catalogue, as far as it shows which tracks are gone.
  struct CatalogueVersion: Hashable, Sendable {
    var generation: Int64
    /// The sources that work: only for their tracks can the catalogue show that they are gone.
    var sources: Set<String>

    /// Returns true if this version cannot show more tracks as gone than `other`.
    func showsNoMoreRemovals(than other: CatalogueVersion) -> Bool {
      generation == other.generation && sources.isSubset(of: other.sources)
    }
  }

  private struct Room: Equatable {
    var needed: NeededAlbums?
    /// The last need that was met; the queue's state may still show it.
    var done: NeededAlbums?
    /// True if the queue has items and is not being moved.
    var isComparable = false
    var compared: CatalogueVersion?
    /// The index of the current item, and its index at the last comparison, which concerned the items around it.
    var place = 0
    var comparedPlace = 0
    var revision: Int64 = 0
    var count = 0
    /// True if the items may have other places since the last comparison.
    var isReordered = false

    /// True if other items than those that were compared may be played next.
    var hasMoved: Bool { isReordered || abs(place - comparedPlace) >= QueuePruning.step }
  }

  private var rooms: [RoomName: Room] = [:]
  private(set) var catalogueVersion: CatalogueVersion?

  /// Handles the states of all queues. The queue of a room that was away is compared again.
  mutating func update(_ queues: [Observed<Playback.QueueState>]) {
    var here: [RoomName: Room] = [:]
    for observed in queues where !observed.away && !observed.node.isRetired {
      guard let name = RoomName(observed.node.name) else { continue }
      let queue = observed.value
      var room = rooms[name] ?? Room()
      // Appending to the queue would cancel the move.
      room.needed = queue.moving == nil ? NeededAlbums(queue, of: name) : nil
      room.isComparable = queue.moving == nil && queue.count > 0
      room.place = queue.current ?? queue.nextIndex ?? 0
      // A load takes its items from the catalogue, and changes their number.
      if queue.revision != room.revision, queue.count == room.count { room.isReordered = true }
      room.revision = queue.revision
      room.count = queue.count
      here[name] = room
    }
    rooms = here
  }

  /// Handles the state of the catalogue.
  mutating func update(_ catalogue: Library.CatalogueState) {
    let well = catalogue.sources.filter { $0.health == "ready" || $0.health == "empty" }
    catalogueVersion = CatalogueVersion(generation: catalogue.generation, sources: Set(well.map(\.name)))
  }

  /// The rooms that need albums or a comparison.
  var busy: [RoomName] { rooms.keys.filter { neededAlbums(in: $0) != nil || uncompared($0) != nil }.sorted() }

  /// Returns the albums that a room's queue needs; nil if it needs none, or has got them.
  func neededAlbums(in room: RoomName) -> NeededAlbums? {
    guard let known = rooms[room], let needed = known.needed, needed != known.done else { return nil }
    return needed
  }

  /// Returns the catalogue version with which a room's queue must be compared; nil if that is not necessary.
  func uncompared(_ room: RoomName) -> CatalogueVersion? {
    guard let known = rooms[room], known.isComparable, let catalogueVersion else { return nil }
    if let compared = known.compared, catalogueVersion.showsNoMoreRemovals(than: compared), !known.hasMoved {
      return nil
    }
    return catalogueVersion
  }

  /// Records that a need was met, or was made obsolete by a change of the queue.
  mutating func answered(_ needed: NeededAlbums) { rooms[needed.room]?.done = needed }

  /// Records that a room's queue was compared.
  mutating func compared(_ room: RoomName, with catalogueVersion: CatalogueVersion) {
    guard var known = rooms[room] else { return }
    known.compared = catalogueVersion
    known.comparedPlace = known.place
    known.isReordered = false
    rooms[room] = known
  }
}

extension QueueMaintenancePlan.NeededAlbums {
  /// Reads the need of a queue; nil if it has enough tracks.
  fileprivate init?(_ queue: Playback.QueueState, of room: RoomName) {
    guard queue.wantsMore == true, let continuation = queue.continuation else { return nil }
    let current = queue.current.map { $0 - queue.first }
    let item = current.flatMap { queue.items.indices.contains($0) ? queue.items[$0] : nil } ?? queue.items.last
    self.init(
      room: room, revision: queue.revision, continuation: continuation,
      origin: item?.origin.node ?? NodeID.router.description)
  }
}
