import Model

/// What one browser has yet to be told. Pure, and as large as the household, however long a browser does not read: of
/// each topic only that it changed, of notices the newest few.
struct EventFeed {
  /// What can change.
  enum Topic: Hashable {
    case rooms
    case queue(RoomName)
    case catalogue
    case presence
    case scrobbles
    case output(RoomName)
  }

  /// What is sent next.
  enum Item: Equatable {
    /// Everything as it is.
    case snapshot
    /// One topic as it is.
    case newest(Topic)
    /// Something went wrong somewhere.
    case notice(LunaraError)
    /// Nothing, said so that the connection is known to live.
    case heartbeat
  }

  /// Of how many topics is told at once: with queues that is a quarter of a megabyte.
  static let topicLimit = 8
  /// How many notices wait at most.
  static let noticeLimit = 8

  private var isNew = true
  private var topics: [Topic] = []
  private var notices: [LunaraError] = []
  private var isBeatDue = false
  /// How many beats passed since something was taken.
  private(set) var beatsWaiting = 0

  /// Notes that a topic has a newer value.
  mutating func changed(_ topic: Topic) {
    guard !isNew, !topics.contains(topic) else { return }
    topics.append(topic)
  }

  /// Notes something that went wrong; beyond the limit the oldest are forgotten.
  mutating func failed(_ error: LunaraError) {
    notices.append(error)
    if notices.count > Self.noticeLimit { notices.removeFirst() }
  }

  /// Notes that it is time for a sign of life.
  mutating func beat() {
    isBeatDue = true
    beatsWaiting += 1
  }

  /// Takes what is to be sent now, in the order of the first changes; empty where all is said.
  mutating func take() -> [Item] {
    let told = isNew ? [] : Array(topics.prefix(Self.topicLimit))
    var items: [Item] = isNew ? [.snapshot] : told.map(Item.newest)
    items += notices.map(Item.notice)
    if items.isEmpty, isBeatDue { items = [.heartbeat] }
    topics.removeFirst(told.count)
    (isNew, notices, isBeatDue, beatsWaiting) = (false, [], false, 0)
    return items
  }
}

extension EventFeed.Topic {
  /// The name of the event that tells it.
  var name: String {
    switch self {
    case .rooms: "rooms"
    case .queue: "queue"
    case .catalogue: "catalogue"
    case .presence: "presence"
    case .scrobbles: "scrobbles"
    case .output: "output"
    }
  }
}
