import Bus
import Messages
import Model

/// The statistics of each topic: counts, rates, gaps, drops and latencies. Pure.
struct TapStatistics: Sendable {
  struct Topic: Sendable, Equatable {
    var delivery: Delivery
    var node: NodeID
    var count = 0
    var bytes = 0
    /// The number of sequence numbers that were missing before facts of this topic.
    var gaps: Int64 = 0
    /// The number of messages that this tap dropped, as it did not keep up.
    var drops = 0
    /// The latencies of the last messages, in milliseconds.
    var latencies = RecentValues(limit: 1000)
    /// The uncertainty of the latencies, in milliseconds; zero on one host.
    var uncertainty = 0.0
  }

  private(set) var topics: [String: Topic] = [:]
  /// The start of the tap, on a clock that does not jump.
  let startedAt: Milliseconds
  private let beganAt: Timestamp
  private var seqs: [NodeID: (epoch: Int64, seq: Int64)] = [:]
  private var heads: [NodeID: Int64] = [:]
  private var marks: [(at: Milliseconds, counts: [String: Int])] = []

  /// Over how many draws a rate is taken.
  private static let rateSpan = 10

  /// Makes empty statistics; `now` is of any clock that does not jump, `time` of this host's wall clock.
  init(startedAt now: Milliseconds, at time: Timestamp) {
    startedAt = now
    beganAt = time
    marks = [(now, [:])]
  }

  /// Notes an envelope that was seen at a moment of this host's wall clock. One that is not `shown` counts only
  /// for what it says about the journal.
  ///
  /// - Parameter offset: how far its node's clock is off; nil where nobody knows, then it has no latency.
  mutating func add(
    _ envelope: Envelope, topic: String, seenAt: Timestamp, shown: Bool = true, offset: ClockOffset? = ClockOffset.none
  ) {
    var gap: Int64 = 0
    if let seq = envelope.seq {
      // Numbers are dense within a journal; the first one after a restart may stand anywhere.
      if let last = seqs[envelope.node], last.epoch == envelope.epoch { gap = max(0, seq - last.seq - 1) }
      seqs[envelope.node] = (envelope.epoch, seq)
    }
    guard shown else { return }
    var figures = topics[topic] ?? Topic(delivery: envelope.delivery, node: envelope.node)
    // A topic that was known by its drops only had no class.
    figures.delivery = envelope.delivery
    figures.count += 1
    figures.gaps += gap
    figures.bytes += envelope.payload.count
    // Messages from before the tap began were fetched, not received.
    if let offset, envelope.time.microseconds - Int64(offset.milliseconds * 1000) >= beganAt.microseconds {
      figures.latencies.add(offset.latency(of: envelope.time, seenAt: seenAt))
      figures.uncertainty = offset.uncertainty
    }
    topics[topic] = figures
  }

  mutating func note(head: Int64, of node: NodeID) { heads[node] = head }

  mutating func note(drops: [String: Int]) {
    for (topic, count) in drops where topics[topic] != nil { topics[topic]?.drops = count }
  }

  /// Begins a new span for the rates; to be called at each draw.
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

  /// Returns the number of facts of the topic's node that were not seen yet; nil for what is no fact.
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
/// The answer was written somewhere between the moments of asking and hearing, so the offset is known to half of that
/// round trip.
struct ClockOffset: Sendable, Equatable {
  /// By how much the other clock is ahead, in milliseconds; below zero where it is behind.
  let milliseconds: Double
  let uncertainty: Double

  /// On one host there is one clock.
  static let none = ClockOffset(milliseconds: 0, uncertainty: 0)

  private init(milliseconds: Double, uncertainty: Double) {
    (self.milliseconds, self.uncertainty) = (milliseconds, uncertainty)
  }

  /// Computes the offset from one round trip: `saidAt` is of the other clock, the other times are of this one.
  init(askedAt: Timestamp, saidAt: Timestamp, heardAt: Timestamp) {
    let (asked, heard) = (Double(askedAt.microseconds), Double(heardAt.microseconds))
    milliseconds = (Double(saidAt.microseconds) - (asked + heard) / 2) / 1000
    uncertainty = max(0, heard - asked) / 2000
  }

  func latency(of saidAt: Timestamp, seenAt: Timestamp) -> Double {
    max(0, Double(seenAt.microseconds - saidAt.microseconds) / 1000 + milliseconds)
  }
}

/// The newest of many values: a ring.
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

  /// Returns the quantiles of the values, such as 0.5 for the median; nil where there are no values.
  func quantiles(_ parts: [Double]) -> [Double]? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    return parts.map { sorted[min(sorted.count - 1, Int($0 * Double(sorted.count)))] }
  }
}
