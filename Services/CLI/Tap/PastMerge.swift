import Bus
import Model

/// Holds the past of several nodes until all of it is there, so that it can be shown in the order of time, and what is
/// live until the past was shown. Pure and bounded.
struct PastMerge: Sendable {
  /// Something to be shown.
  struct Item: Sendable {
    var envelope: Envelope
    var topic: String
    /// When it was seen here.
    var seenAt: Timestamp
  }

  /// The most facts of the past that are held; what is more is shown in several runs.
  static let pastLimit = 50_000
  /// The most live envelopes that are held; beyond that the oldest are dropped.
  static let liveLimit = 10_000

  private var past: [Item] = []
  private var live: [Item] = []
  private var liveDropped: [String: Int] = [:]

  /// Takes a fact; gives what is to be shown now.
  mutating func add(past item: Item) -> [Item] {
    past.append(item)
    return past.count >= Self.pastLimit ? takePast() : []
  }

  /// Takes what is live meanwhile.
  mutating func add(live item: Item) {
    live.append(item)
    guard live.count > Self.liveLimit else { return }
    for dropped in live.prefix(Self.liveLimit / 2) { liveDropped[dropped.topic, default: 0] += 1 }
    live.removeFirst(Self.liveLimit / 2)
  }

  /// The past is over: gives all that is held, the past first.
  mutating func finish() -> [Item] {
    defer { live = [] }
    return takePast() + live
  }

  /// How much of what was live had to go, by topic.
  var dropped: [String: Int] { liveDropped }

  /// By time, but each node's facts in their own order, whatever its clock did.
  private mutating func takePast() -> [Item] {
    defer { past = [] }
    var latest: [NodeID: Timestamp] = [:]
    return past.enumerated().map { place, item -> (time: Timestamp, place: Int, item: Item) in
      let time = max(item.envelope.time, latest[item.envelope.node] ?? item.envelope.time)
      latest[item.envelope.node] = time
      return (time, place, item)
    }.sorted { ($0.time, $0.place) < ($1.time, $1.place) }.map(\.item)
  }
}
