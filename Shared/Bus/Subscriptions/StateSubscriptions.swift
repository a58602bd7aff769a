public import Messages
public import Model

/// A subscriber to states or presences.
struct StateWatcher {
  /// The kind of state; nil for presences.
  var kind: String?
  var isKept = false
  var yield: (isolated Node) -> Void
  var finish: @Sendable () -> Void
}

/// A node's own states and those that it holds of others, with those who watch them.
struct StateSubscriptions {
  /// The states that this node published, and those of others that somebody here wants.
  var own = StateTable()
  var received = StateTable()
  private(set) var watchers: [Int: StateWatcher] = [:]
  private var numbers = 0
  /// The nodes whose states are being fetched, each with the topics to fetch next.
  private var fetching: [NodeID: Set<String>] = [:]

  // MARK: - Watchers

  mutating func add(_ watcher: StateWatcher) -> Int {
    numbers += 1
    watchers[numbers] = watcher
    return numbers
  }

  mutating func remove(_ number: Int) { watchers[number] = nil }

  mutating func finish() {
    for watcher in watchers.values { watcher.finish() }
    watchers = [:]
  }

  func isWatched(_ topic: String) -> Bool {
    let kind = Self.kind(ofTopic: topic)
    return watchers.values.contains { $0.kind == kind }
  }

  /// The kind of a topic's states: `playback.state` for `playback.kitchen.state.`.
  static func kind(ofTopic topic: String) -> String {
    let words = topic.split(separator: ".")
    guard words.count > 2 else { return topic }
    return "\(words[0]).\(words[2...].joined(separator: "."))"
  }

  // MARK: - Fetching

  /// Begins to fetch topics of a node; false where that is under way, so that they are fetched next.
  mutating func beginFetch(_ topics: Set<String>, of node: NodeID) -> Bool {
    guard fetching[node] == nil else {
      fetching[node]?.formUnion(topics)
      return false
    }
    fetching[node] = []
    return true
  }

  /// Removes and returns the topics of a node that were wanted while others were fetched.
  mutating func nextTopics(of node: NodeID) -> Set<String> {
    defer { fetching[node] = [] }
    return fetching[node] ?? []
  }

  mutating func endFetch(of node: NodeID) { fetching[node] = nil }

  mutating func forget(_ node: NodeID) {
    received.forget(node)
    fetching[node] = nil
  }
}

/// The newest value of one state of one node, as a reader holds it.
public struct Observed<Value: State>: Sendable {
  /// The node that sent it.
  public var node: NodeID
  /// The value.
  public var value: Value
  /// The age that it had when it was read here: by the publisher's clock until this node heard it, by this node's
  /// monotonic clock since.
  public var age: Milliseconds
  /// The moment at which it was read here, by this host's clock.
  public var readAt: ContinuousClock.Instant
  /// The moment at which it was published, on the publisher's clock: what lies before it in the value is older than
  /// `age` by the difference.
  public var saidAt: Timestamp
  /// True if the node is away, or runs anew and has not said this yet; its value is the last one known.
  public var away: Bool

  public init(
    node: NodeID, value: Value, age: Milliseconds, readAt: ContinuousClock.Instant = .now, saidAt: Timestamp, away: Bool
  ) {
    self.node = node
    self.value = value
    self.age = age
    self.readAt = readAt
    self.saidAt = saidAt
    self.away = away
  }

  /// The same observation, its age counted up to a later moment: what lay waiting meanwhile has become older.
  public func aged(to moment: ContinuousClock.Instant = .now) -> Observed {
    var observed = self
    observed.age = age + max(.zero, (moment - readAt).milliseconds)
    observed.readAt = max(readAt, moment)
    return observed
  }
}
