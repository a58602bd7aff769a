import Bus
import Messages
import Model

/// The statistics of each topic: counts, rates, gaps, drops and latencies. It does no I/O and reads no clock.
struct TapStatistics: Sendable {
  struct Topic: Sendable, Equatable {
    var delivery: Delivery
    var node: NodeID
    var count = 0
    var bytes = 0
    /// The number of sequence numbers that were skipped before facts of this topic.
    var gaps: Int64 = 0
    /// The number of messages that this tap dropped, as it was too slow.
    var drops = 0
    /// The latencies of the last messages, in milliseconds.
    var latencies = RecentValues(limit: 1000)
    /// The uncertainty of the latencies, in milliseconds; zero for a node on this host.
    var uncertainty = 0.0
  }

  private(set) var topics: [String: Topic] = [:]
  /// The start of the tap on a monotonic clock.
  let startedAt: Milliseconds
  private let beganAt: Timestamp
  private var seqs: [NodeID: (epoch: Int64, seq: Int64)] = [:]
  private var heads: [NodeID: Int64] = [:]
  private var marks: [(at: Milliseconds, counts: [String: Int])] = []

  /// The number of draws over which a rate is computed.
  private static let rateSpan = 10

  /// Creates empty statistics; `now` is of a monotonic clock, `time` of this host's wall clock.
  init(startedAt now: Milliseconds, at time: Timestamp) {
    startedAt = now
    beganAt = time
    marks = [(now, [:])]
  }

  /// Adds an envelope that was received at `seenAt` on this host's wall clock. One that is not `shown` only updates the
  /// sequence number of its node.
  ///
  /// - Parameter offset: the offset of the node's clock; nil if it is not known: then no latency is added.
  mutating func add(
    _ envelope: Envelope, topic: String, seenAt: Timestamp, shown: Bool = true, offset: ClockOffset? = ClockOffset.none
  ) {
    var gap: Int64 = 0
    if let seq = envelope.seq {
      // Sequence numbers have no gaps in a journal; after a restart they may begin with any number.
      if let last = seqs[envelope.node], last.epoch == envelope.epoch { gap = max(0, seq - last.seq - 1) }
      seqs[envelope.node] = (envelope.epoch, seq)
    }
    guard shown else { return }
    var figures = topics[topic] ?? Topic(delivery: envelope.delivery, node: envelope.node)
    // A topic has the class of its newest message.
    figures.delivery = envelope.delivery
    figures.count += 1
    figures.gaps += gap
    figures.bytes += envelope.payload.count
    // Messages from before the start of the tap were read from journals, so they have no latency.
    if let offset, envelope.time.microseconds - Int64(offset.milliseconds * 1000) >= beganAt.microseconds {
      figures.latencies.add(offset.latency(of: envelope.time, seenAt: seenAt))
      figures.uncertainty = offset.uncertainty
    }
    topics[topic] = figures
  }

  mutating func update(head: Int64, of node: NodeID) { heads[node] = head }

  mutating func update(drops: [String: Int]) {
    for (topic, count) in drops where topics[topic] != nil { topics[topic]?.drops = count }
  }

  /// Stores the counts from which the next rates are computed; call it at each draw.
  mutating func mark(at now: Milliseconds) {
    marks.append((now, topics.mapValues(\.count)))
    if marks.count > Self.rateSpan { marks.removeFirst() }
  }

  func rate(of topic: String, at now: Milliseconds) -> Double {
    guard let mark = marks.first, let figures = topics[topic] else { return 0 }
    return Double(figures.count - (mark.counts[topic] ?? 0)) / max(0.001, (now - mark.at).seconds)
  }

  func meanRate(of topic: String, at now: Milliseconds) -> Double {
    Double(topics[topic]?.count ?? 0) / max(0.001, (now - startedAt).seconds)
  }

  /// Returns the number of facts of the topic's node that were not received yet; nil for other classes than facts.
  func lag(_ figures: Topic) -> Int64? {
    guard figures.delivery == .fact, let seq = seqs[figures.node]?.seq else { return nil }
    return max(0, (heads[figures.node] ?? seq) - seq)
  }

  var sorted: [(topic: String, figures: Topic)] {
    topics.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map { ($0.key, $0.value) }
  }
}

/// The difference of another host's clock from this one's, measured by a request and its answer.
///
/// The answer was written at an unknown moment between the request and its arrival, so the uncertainty is half of that
/// time.
struct ClockOffset: Sendable, Equatable {
  /// The number of milliseconds by which the other clock is ahead; negative if it is behind.
  let milliseconds: Double
  let uncertainty: Double

  /// The offset of a node on this host, which has the same clock.
  static let none = ClockOffset(milliseconds: 0, uncertainty: 0)

  private init(milliseconds: Double, uncertainty: Double) {
    self.milliseconds = milliseconds
    self.uncertainty = uncertainty
  }

  /// Computes the offset from one request: `saidAt` is a time of the other clock, `askedAt` and `heardAt` are times of
  /// this one.
  init(askedAt: Timestamp, saidAt: Timestamp, heardAt: Timestamp) {
    let (asked, heard) = (Double(askedAt.microseconds), Double(heardAt.microseconds))
    milliseconds = (Double(saidAt.microseconds) - (asked + heard) / 2) / 1000
    uncertainty = max(0, heard - asked) / 2000
  }

  func latency(of saidAt: Timestamp, seenAt: Timestamp) -> Double {
    max(0, Double(seenAt.microseconds - saidAt.microseconds) / 1000 + milliseconds)
  }
}

/// The newest values of a series, in a ring buffer.
struct RecentValues: Sendable, Equatable {
  private var values: [Double] = []
  private var next = 0
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  mutating func add(_ value: Double) {
    if values.count < limit {
      values.append(value)
    } else {
      values[next] = value
      next = (next + 1) % limit
    }
  }

  /// Returns the quantiles of the values, such as 0.5 for the median; nil if there are no values.
  func quantiles(_ parts: [Double]) -> [Double]? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    return parts.map { sorted[min(sorted.count - 1, Int($0 * Double(sorted.count)))] }
  }
}
