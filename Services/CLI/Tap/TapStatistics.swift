import Bus
import Messages
import Model

/// What passed on each topic: how much, how fast, what is missing, how late it came.
struct TapStatistics: Sendable {
  /// One topic's figures.
  struct Topic: Sendable, Equatable {
    /// `fact`, `state`, `signal` or `request`.
    var delivery: String
    /// How many passed.
    var count = 0
    /// How many sequence numbers of this node's facts were passed over.
    var gaps: Int64 = 0
    /// How many bytes their payloads had.
    var bytes = 0
    /// How late the last ones came, in milliseconds: from being said to being seen here, on one host's clock.
    var latencies: [Double] = []
    /// Who says it.
    var node: NodeID

    /// The latency that a part of the last ones did not exceed.
    func latency(_ part: Double) -> Double? {
      guard !latencies.isEmpty else { return nil }
      return latencies.sorted()[min(latencies.count - 1, Int(part * Double(latencies.count)))]
    }
  }

  /// The figures by topic.
  private(set) var topics: [String: Topic] = [:]
  private var seqs: [NodeID: (epoch: Int64, seq: Int64)] = [:]
  private var heads: [NodeID: Int64] = [:]
  private let startedAt: Milliseconds
  private let beganAt: Timestamp
  private static let latenciesKept = 1000

  /// Nothing seen so far; `now` on any clock that does not jump, `time` on this host's wall clock.
  init(startedAt now: Milliseconds, at time: Timestamp) {
    startedAt = now
    beganAt = time
  }

  /// Takes note of an envelope that was seen at a moment of this host's wall clock. One that is not `shown` counts only
  /// for what it says about the journal.
  mutating func add(_ envelope: Envelope, topic: String, seenAt: Timestamp, shown: Bool = true) {
    var gap: Int64 = 0
    if let seq = envelope.seq {
      // Numbers are dense within a journal; the first one after a restart may stand anywhere.
      if let last = seqs[envelope.node], last.epoch == envelope.epoch { gap = max(0, seq - last.seq - 1) }
      seqs[envelope.node] = (envelope.epoch, seq)
    }
    guard shown else { return }
    var figures = topics[topic] ?? Topic(delivery: envelope.delivery.rawValue, node: envelope.node)
    figures.count += 1
    figures.gaps += gap
    figures.bytes += envelope.payload.count
    // What was said before the tap began was fetched, not heard.
    if envelope.time >= beganAt {
      figures.latencies.append(max(0, Double(seenAt.microseconds - envelope.time.microseconds) / 1000))
    }
    if figures.latencies.count > Self.latenciesKept { figures.latencies.removeFirst() }
    topics[topic] = figures
  }

  /// Takes note of where a node's journal ends, as its heartbeats say.
  mutating func note(head: Int64, of node: NodeID) { heads[node] = head }

  /// How many facts of a topic's node were not seen yet; nil for what is no fact.
  private func lag(_ figures: Topic) -> Int64? {
    guard figures.delivery == "fact", let seq = seqs[figures.node]?.seq else { return nil }
    return max(0, (heads[figures.node] ?? seq) - seq)
  }

  /// A row a topic, the busiest first.
  func table(at now: Milliseconds) -> Table {
    var table = Table()
    table.add(
      .faint("topic"), .faint("class"), .number("count"), .number("a second"), .number("gaps"), .number("lag"),
      .number("p50 ms"), .number("p99 ms"))
    for (topic, figures) in sorted {
      table.add(
        .strong(topic), Table.Cell(figures.delivery), .number(figures.count), .number(Self.short(rate(figures, now))),
        Table.Cell("\(figures.gaps)", figures.gaps > 0 ? .bad : .plain, isRight: true),
        .number(lag(figures).map { "\($0)" } ?? ""),
        .number(figures.latency(0.5).map(Self.short) ?? ""), .number(figures.latency(0.99).map(Self.short) ?? ""))
    }
    return table
  }

  /// One object a topic, the busiest first.
  func lines(at now: Milliseconds) -> [JSON] {
    sorted.map { topic, figures in
      .object([
        "topic": .text(topic), "class": .text(figures.delivery), "count": .count(figures.count),
        "perSecond": .number(rate(figures, now)), "bytes": .count(figures.bytes), "gaps": .count(figures.gaps),
        "lag": .count(lag(figures)),
        "latencyMilliseconds": .object([
          "p50": figures.latency(0.5).map { .number($0) } ?? .null,
          "p99": figures.latency(0.99).map { .number($0) } ?? .null,
        ]),
      ])
    }
  }

  private var sorted: [(String, Topic)] {
    topics.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map { ($0.key, $0.value) }
  }

  private func rate(_ figures: Topic, _ now: Milliseconds) -> Double {
    let rate = Double(figures.count) / max(0.001, (now - startedAt).seconds)
    return (rate * 100).rounded() / 100
  }

  private static func short(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}
