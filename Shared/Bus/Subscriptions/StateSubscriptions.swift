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

/// A node's own states, the states of others that it holds, and their watchers.
struct StateSubscriptions {
  /// The states that this node published.
  var own = StateTable()
  /// The states of other nodes that are watched here.
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

  /// Returns the kind of a topic's states: `playback.state` for `playback.kitchen.state.`.
  static func kind(ofTopic topic: String) -> String {
    let words = topic.split(separator: ".")
    guard words.count > 2 else { return topic }
    return "\(words[0]).\(words[2...].joined(separator: "."))"
  }

  // MARK: - Fetching

  /// Begins to fetch topics of a node. If a fetch is under way, returns false and adds them to the next one.
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
public struct Observed<Value: State>: Sendable {  // memberwise
  /// The node that published it.
  public var node: NodeID
  /// The value.
  public var value: Value
  /// The age at `readAt`: up to its arrival at this node by the publisher's clock, since then by this node's monotonic
  /// clock.
  public var age: Milliseconds
  /// The time, by this host's clock, for which `age` is valid.
  public var readAt: ContinuousClock.Instant = .now
  /// The time of publication, by the publisher's clock. A time in the value that is before this is older than `age` by
  /// the difference.
  public var saidAt: Timestamp
  /// True if the node is away, or has restarted and not yet published the state; the value is the last known one.
  public var away: Bool

  /// Returns the same observation with its age at a later time.
  public func aged(to moment: ContinuousClock.Instant = .now) -> Observed {
    var observed = self
    observed.age = age + max(.zero, (moment - readAt).milliseconds)
    observed.readAt = max(readAt, moment)
    return observed
  }
}
