public import Messages

/// The counters of a node since it started.
public struct BusMeter: Codable, Hashable, Sendable {
  /// Frames and their bytes.
  public struct Flow: Codable, Hashable, Sendable {
    /// The number of frames.
    public var frames = 0
    /// The number of bytes they had, topics and headers included.
    public var bytes = 0

    mutating func add(_ size: Int) {
      frames += 1
      bytes += size
    }
  }

  /// Frames by what they carry.
  public struct Flows: Codable, Hashable, Sendable {
    /// Facts as they happen; those fetched later travel in answers.
    public var facts = Flow()
    /// States as they change.
    public var states = Flow()
    /// Signals, heartbeats among them.
    public var signals = Flow()
    /// Requests, those that were sent again included.
    public var requests = Flow()
    /// Answers, those that were sent again included.
    public var answers = Flow()

    mutating func add(_ delivery: Delivery, _ size: Int) {
      switch delivery {
      case .fact: facts.add(size)
      case .state: states.add(size)
      case .signal: signals.add(size)
      case .request: requests.add(size)
      }
    }

    /// The number of frames all of them have.
    public var frames: Int { all.reduce(0) { $0 + $1.flow.frames } }

    var all: [(name: String, flow: Flow)] {
      [("fact", facts), ("state", states), ("signal", signals), ("request", requests), ("answer", answers)]
    }
  }

  /// Frames that came in.
  public var heard = Flows()
  /// Frames that were handed to a socket; a published one counts once, however many hear it.
  public var said = Flows()
  /// Frames that were none, or held no envelope.
  public var badFrames = 0
  /// Sealed frames that were refused.
  public var refusedFrames = 0
  /// Probes that were not answered, as there were too many; nil from a version that answers all.
  public var knocksIgnored: Int? = 0
  /// Facts of this node that were sent.
  public var factsPublished = 0
  /// Facts of others that this node's readers applied.
  public var factsApplied = 0
  /// Facts of others that were fetched by request.
  public var factsFetched = 0
  /// Facts that did not come live: numbers that were passed over.
  public var factGaps = 0
  /// Pages of facts that were fetched.
  public var pages = 0
  /// Requests sent, each counted once.
  public var asked = 0
  /// Requests that were answered, be it with an error.
  public var answered = 0
  /// Requests given up without an answer.
  public var timedOut = 0
  /// Requests sent again.
  public var repeated = 0
  /// Requests of others that were handled.
  public var handled = 0
  /// Frames that taps of this node dropped, as whoever reads them was too slow.
  public var tapDrops = 0
  /// Connections made to the inboxes of others, those made again included.
  public var connections = 0

  init() {}
}

/// The figures of a node's side of the bus: published every 10 s while somebody wants signals.
public struct BusMetrics: Signal, Hashable {
  public static let kind = "bus.metrics"
  /// The counters since the node started.
  public var counts: BusMeter
  /// Requests that wait for an answer.
  public var openRequests: Int
  /// Requests of others that are being handled.
  public var handling: Int
  /// Facts of others that are yet to be read.
  public var lag: Int64
  /// The last number in the node's journal; absent without one.
  public var journalHead: Int64?
  /// States held, its own and those of others.
  public var statesHeld: Int
  /// Nodes that are there, itself left out.
  public var peers: Int
  /// Nodes that are away.
  public var peersAway: Int
}

/// The names under which the figures are shown. A new counter is declared above, named here, and counted where it happens.
extension BusMetrics {
  /// The name after `lunara_bus_`, the help text and the value of each counter.
  private static let counters: [(name: String, help: String, value: @Sendable (BusMeter) -> Int)] = [
    ("bad_frames", "Frames that were none, or held no envelope.", { $0.badFrames }),
    ("refused_frames", "Sealed frames that were refused.", { $0.refusedFrames }),
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

  /// The name after `lunara_bus_`, the help text, the labels and the value of each gauge; nil where there is none.
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
    for (way, flows, what) in [("heard", counts.heard, "that came in"), ("said", counts.said, "sent")] {
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
