import Model

/// The events that one browser has yet to be sent. Pure, and bounded however long the browser does not read: it holds
/// the names of the topics that changed, and the newest few notices.
struct EventFeed {
  enum Topic: Hashable {
    case rooms
    case queue(RoomName)
    case catalogue
    case presence
    case scrobbles
    case output(RoomName)
  }

  enum Item: Equatable {
    /// The current state of everything.
    case snapshot
    /// The current state of one topic.
    case newest(Topic)
    /// Something went wrong somewhere.
    case notice(LunaraError)
    /// No event; it shows that the connection lives.
    case heartbeat
  }

  /// The most topics that are sent at once: with queues that is a quarter of a megabyte.
  static let topicLimit = 8
  static let noticeLimit = 8

  private var isNew = true
  private var topics: [Topic] = []
  private var notices: [LunaraError] = []
  private var isHeartbeatDue = false
  /// The number of heartbeats since the last event was sent.
  private(set) var unreadHeartbeats = 0

  mutating func markChanged(_ topic: Topic) {
    guard !isNew, !topics.contains(topic) else { return }
    topics.append(topic)
  }

  /// Adds an error to be told; beyond the limit the oldest are forgotten.
  mutating func add(_ error: LunaraError) {
    notices.append(error)
    if notices.count > Self.noticeLimit { notices.removeFirst() }
  }

  mutating func beat() {
    isHeartbeatDue = true
    unreadHeartbeats += 1
  }

  /// Removes and returns what is to be sent now, in the order of the first changes; empty where all was sent.
  mutating func popItems() -> [Item] {
    let told = isNew ? [] : Array(topics.prefix(Self.topicLimit))
    var items: [Item] = isNew ? [.snapshot] : told.map(Item.newest)
    items += notices.map(Item.notice)
    if items.isEmpty, isHeartbeatDue { items = [.heartbeat] }
    topics.removeFirst(told.count)
    (isNew, notices, isHeartbeatDue, unreadHeartbeats) = (false, [], false, 0)
    return items
  }
}

extension EventFeed.Topic {
  /// The name of the event that carries the topic.
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

/// The text of server-sent events (WHATWG HTML, section 9.2).
enum EventText {
  /// A comment: keeps the connection alive and is no event.
  static let heartbeat = Array(":\n\n".utf8)
  /// The time a browser waits before it connects again.
  static let retry = Array("retry: 500\n\n".utf8)

  /// One event.
  ///
  /// - Parameters:
  ///   - id: the reader's place after this event; nil if it is still the former one.
  ///   - json: on one line, as JSON is written here.
  static func event(_ name: String, id: EventID? = nil, json: [UInt8]) -> [UInt8] {
    Array("event: \(name)\n\(id.map { "id: \($0.text)\n" } ?? "")data: ".utf8) + json + Array("\n\n".utf8)
  }
}
