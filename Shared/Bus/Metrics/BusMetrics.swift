public import Messages

/// The counters of a node since its start; `BusMetrics` describes each.
public struct BusMeter: Codable, Hashable, Sendable {
  struct Flow: Codable, Hashable, Sendable {
    var frames = 0
    /// The number of bytes, with topics and headers.
    var bytes = 0

    mutating func add(_ size: Int) {
      frames += 1
      bytes += size
    }
  }

  /// Frames by class, including those that were sent again.
  public struct Flows: Codable, Hashable, Sendable {
    /// Live facts; facts that are fetched later are in answers.
    var facts = Flow()
    var states = Flow()
    var signals = Flow()
    var requests = Flow()
    var answers = Flow()

    mutating func add(_ delivery: Delivery, _ size: Int) {
      switch delivery {
      case .fact: facts.add(size)
      case .state: states.add(size)
      case .signal: signals.add(size)
      case .request: requests.add(size)
      }
    }

    /// The number of frames of all classes.
    public var frames: Int { all.reduce(0) { $0 + $1.flow.frames } }

    var all: [(name: String, flow: Flow)] {
      [("fact", facts), ("state", states), ("signal", signals), ("request", requests), ("answer", answers)]
    }
  }

  /// The frames that were received.
  public var received = Flows()
  /// The frames that were passed to a socket; a published one counts once for all its subscribers.
  public var sent = Flows()
  /// The number of facts that did not come live, as derived from gaps in their numbers.
  public var factGaps = 0
  var badFrames = 0
  var refusedFrames = 0
  /// Those of the refused frames that are sealed with a key that is not in the household's key file. Nil in the metrics
  /// of an early version.
  var foreignFrames: Int? = 0
  /// Nil in the metrics of an early version, which answers all probes.
  var knocksIgnored: Int? = 0
  var factsPublished = 0
  var factsApplied = 0
  var factsFetched = 0
  var pages = 0
  var asked = 0
  var answered = 0
  var timedOut = 0
  var repeated = 0
  var handled = 0
  var tapDrops = 0
  var connections = 0

  private enum CodingKeys: String, CodingKey {
    case received = "heard", sent = "said"
    case factGaps, badFrames, refusedFrames, foreignFrames, knocksIgnored, factsPublished, factsApplied, factsFetched
    case pages, asked, answered, timedOut, repeated, handled, tapDrops, connections
  }
}

/// The metrics of a node's side of the bus: published every 10 s while any node wants signals.
public struct BusMetrics: Signal, Hashable {
  public static let kind = "bus.metrics"
  /// The counters since the node started.
  public var counts: BusMeter
  var openRequests: Int
  var handling: Int
  /// The number of facts of others that are yet to be read.
  public var lag: Int64
  /// Nil without a journal.
  var journalHead: Int64?
  var statesHeld: Int
  var peers: Int
  var peersAway: Int
}

/// The names under which the metrics are shown. For a new counter, declare it above, name it here, and count it where
/// the event happens.
extension BusMetrics {
  /// The name after `lunara_bus_`, the help text and the value of each counter.
  private static let counters: [(name: String, help: String, value: @Sendable (BusMeter) -> Int)] = [
    ("bad_frames", "Frames that were none, or held no envelope.", { $0.badFrames }),
    ("refused_frames", "Sealed frames that were refused.", { $0.refusedFrames }),
    ("foreign_frames", "Sealed frames with a key that this household does not have.", { $0.foreignFrames ?? 0 }),
    ("knocks_ignored", "Probes of other machines that were too many to answer.", { $0.knocksIgnored ?? 0 }),
    ("facts_published", "Facts sent.", { $0.factsPublished }),
    ("facts_applied", "Facts of others that were applied.", { $0.factsApplied }),
    ("facts_fetched", "Facts of others that were fetched by request.", { $0.factsFetched }),
    ("fact_gaps", "Facts that did not come live.", { $0.factGaps }),
    ("fact_pages", "Pages of facts that were fetched.", { $0.pages }),
    ("requests_asked", "Requests sent, each counted once.", { $0.asked }),
    ("requests_answered", "Requests that were answered, be it with an error.", { $0.answered }),
    ("requests_timed_out", "Requests given up without an answer.", { $0.timedOut }),
    ("requests_repeated", "Requests sent again.", { $0.repeated }),
    ("requests_handled", "Requests of others that were handled.", { $0.handled }),
    ("tap_drops", "Frames that taps dropped because their readers were too slow.", { $0.tapDrops }),
    ("connections", "Connections made to the inboxes of others, again included.", { $0.connections }),
  ]

  /// The name after `lunara_bus_`, the help text, the labels and the value of each gauge; a nil value is not shown.
  private static let gauges:
    [(name: String, help: String, labels: [String: String], value: @Sendable (BusMetrics) -> Int64?)] = [
      ("open_requests", "Requests that wait for an answer.", [:], { Int64($0.openRequests) }),
      ("handling_requests", "Requests of others that are being handled.", [:], { Int64($0.handling) }),
      ("lag_facts", "Facts of others that are yet to be read.", [:], { $0.lag }),
      ("journal_head", "The last number in the journal.", [:], { $0.journalHead }),
      ("states_held", "States held, its own and those of others.", [:], { Int64($0.statesHeld) }),
      ("peers", "Other nodes, by whether they are there.", ["standing": "here"], { Int64($0.peers) }),
      ("peers", "Other nodes, by whether they are there.", ["standing": "away"], { Int64($0.peersAway) }),
    ]

  var metrics: [Metric] {
    var list: [Metric] = []
    for (way, flows, what) in [("heard", counts.received, "that came in"), ("said", counts.sent, "sent")] {
      for (unit, help, value) in [
        ("frames", "Frames \(what), by class.", \BusMeter.Flow.frames),
        ("bytes", "Bytes of frames \(what), by class.", \BusMeter.Flow.bytes),
      ] {
        list += flows.all.map { name, flow in
          Metric(
            "lunara_bus_\(way)_\(unit)_total", help, .counter, labels: ["class": name],
            value: Double(flow[keyPath: value]))
        }
      }
    }
    list += Self.counters.map {
      Metric("lunara_bus_\($0.name)_total", $0.help, .counter, value: Double($0.value(counts)))
    }
    list += Self.gauges.compactMap { gauge in
      gauge.value(self).map {
        Metric("lunara_bus_\(gauge.name)", gauge.help, .gauge, labels: gauge.labels, value: Double($0))
      }
    }
    return list
  }
}
