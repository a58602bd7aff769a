import Model

/// The events that are still to be sent to one browser. It does no I/O, and its size is limited even if the browser
/// does not read: it has the topics that changed, and the newest few notices.
struct EventFeed {
  enum Topic: Hashable {
    case rooms
    case queue(RoomName)
    case catalogue
    case presence
    case scrobbles
    case output(RoomName)
    case plugins
    /// The tracks of pages for which something was found.
    case found
  }

  enum Item: Equatable {
    /// The current state of all topics.
    case snapshot
    /// The current state of one topic.
    case newest(Topic)
    /// An error that no state shows.
    case notice(LunaraError)
    /// An event without content, which shows that the connection is alive.
    case heartbeat
  }

  /// The largest number of topics that are sent at once: with queues that is a quarter of a megabyte.
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

  /// Adds an error to be sent; beyond the limit the oldest are dropped.
  mutating func add(_ error: LunaraError) {
    notices.append(error)
    if notices.count > Self.noticeLimit { notices.removeFirst() }
  }

  mutating func beat() {
    isHeartbeatDue = true
    unreadHeartbeats += 1
  }

  /// Removes and returns the items to be sent now, in the order of the first changes; empty if all were sent.
  mutating func popItems() -> [Item] {
    let told = isNew ? [] : Array(topics.prefix(Self.topicLimit))
    var items: [Item] = isNew ? [.snapshot] : told.map(Item.newest)
    items += notices.map(Item.notice)
    if items.isEmpty, isHeartbeatDue { items = [.heartbeat] }
    topics.removeFirst(told.count)
    isNew = false
    notices = []
    isHeartbeatDue = false
    unreadHeartbeats = 0
    return items
  }
}

extension EventFeed.Topic {
  /// The name of the event with which the topic is sent.
  var name: String {
    switch self {
    case .rooms: "rooms"
    case .queue: "queue"
    case .catalogue: "catalogue"
    case .presence: "presence"
    case .scrobbles: "scrobbles"
    case .output: "output"
    case .plugins: "plugins"
    case .found: "found"
    }
  }
}

/// The text of server-sent events (WHATWG HTML, section 9.2).
enum EventText {
  /// The event that shows a page that its connection is alive. A comment would not do, as browsers do not pass comments
  /// on to scripts.
  static let heartbeat = Array("event: heartbeat\ndata: {}\n\n".utf8)
  /// The instruction that a browser waits 500 ms before it connects again.
  static let retry = Array("retry: 500\n\n".utf8)

  /// Returns the text of an event.
  ///
  /// - Parameters:
  ///   - id: the browser's place after this event; nil if it has not changed.
  ///   - json: the data, as JSON without line feeds.
  static func event(_ name: String, id: EventID? = nil, json: [UInt8]) -> [UInt8] {
    Array("event: \(name)\n\(id.map { "id: \($0.text)\n" } ?? "")data: ".utf8) + json + Array("\n\n".utf8)
  }
}
