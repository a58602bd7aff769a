import Bus
import Messages
import Model

/// Knows what is to be done for the queues of rooms: which want more of what they go on with, and which have not been
/// compared with the catalogue as it is. Pure; all of it follows from the newest states, so one that begins anew comes to
/// the same.
struct UpkeepPlan: Equatable {
  /// What a room's queue is to be given.
  struct Want: Hashable, Sendable {
    var room: RoomName
    /// The queue's revision; another one means another want.
    var revision: Int64
    var continuation: Playback.Continuation
    /// Who asked for what the queue goes on from.
    var origin: String
  }

  /// A catalogue, as far as queues are concerned.
  struct Edition: Hashable, Sendable {
    var generation: Int64
    /// The sources that are well: only they say that something is gone.
    var sources: Set<String>

    /// Whether nothing can be gone that was not when `other` was compared with.
    func says(noMoreThan other: Edition) -> Bool {
      generation == other.generation && sources.isSubset(of: other.sources)
    }
  }

  private struct Room: Equatable {
    var want: Want?
    /// What was answered already: the state that says so is on its way.
    var done: Want?
    /// Whether it has anything that can be gone, and is not being moved.
    var isComparable = false
    var compared: Edition?
  }

  private var rooms: [RoomName: Room] = [:]
  private(set) var edition: Edition?

  /// Takes in the queues as they stand. A room that is away is compared again when it is back.
  mutating func take(_ queues: [Observed<Playback.QueueState>]) {
    var here: [RoomName: Room] = [:]
    for observed in queues where !observed.away && !observed.node.isRetired {
      guard let name = RoomName(observed.node.name) else { continue }
      let queue = observed.value
      var room = rooms[name] ?? Room()
      // A change in the midst of a move would call the move off.
      room.want = queue.moving == nil ? Want(queue, of: name) : nil
      room.isComparable = queue.moving == nil && queue.count > 0
      here[name] = room
    }
    rooms = here
  }

  /// Takes in the catalogue as it stands.
  mutating func take(_ catalogue: Library.CatalogueState) {
    let well = catalogue.sources.filter { $0.health == "ready" || $0.health == "empty" }
    edition = Edition(generation: catalogue.generation, sources: Set(well.map(\.name)))
  }

  /// Rooms for which there is something to do.
  var busy: [RoomName] { rooms.keys.filter { want(of: $0) != nil || uncompared($0) != nil }.sorted() }

  /// What a room wants now.
  func want(of room: RoomName) -> Want? {
    guard let known = rooms[room], let want = known.want, want != known.done else { return nil }
    return want
  }

  /// The catalogue that a room's queue is to be compared with.
  func uncompared(_ room: RoomName) -> Edition? {
    guard let known = rooms[room], known.isComparable, let edition else { return nil }
    if let compared = known.compared, edition.says(noMoreThan: compared) { return nil }
    return edition
  }

  /// Notes that a want was answered, or came too late.
  mutating func answered(_ want: Want) { rooms[want.room]?.done = want }

  /// Notes that a room's queue was compared.
  mutating func compared(_ room: RoomName, with edition: Edition) { rooms[room]?.compared = edition }
}

extension UpkeepPlan.Want {
  /// What a queue wants; nil where it has enough.
  fileprivate init?(_ queue: Playback.QueueState, of room: RoomName) {
    guard queue.wantsMore == true, let continuation = queue.continuation else { return nil }
    let current = queue.current.map { $0 - queue.first }
    let item = current.flatMap { queue.items.indices.contains($0) ? queue.items[$0] : nil } ?? queue.items.last
    self.init(
      room: room, revision: queue.revision, continuation: continuation,
      origin: item?.origin.node ?? NodeID.router.description)
  }
}
