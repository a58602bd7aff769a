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

    /// The flows with what each carries.
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
  /// Knocks that were not answered, as there were too many; nil from a version that answers all.
  public var knocksIgnored: Int? = 0
  /// Facts of this node that were sent.
  public var factsPublished = 0
  /// Facts of others that this node's readers took in.
  public var factsApplied = 0
  /// Facts of others that were fetched from a desk.
  public var factsFetched = 0
  /// Facts that did not come live: numbers that were passed over.
  public var factGaps = 0
  /// Pages of facts that were fetched.
  public var pages = 0
  /// Questions asked.
  public var asked = 0
  /// Questions answered, be it with an error.
  public var answered = 0
  /// Questions given up without an answer.
  public var timedOut = 0
  /// Questions sent again.
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
  /// The stable name.
  public static let kind = "bus.metrics"
  /// The counters since the node started.
  public var counts: BusMeter
  /// Questions that wait for an answer.
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

extension BusMetrics {
  /// The figures, each with its name and what it means.
  var metrics: [Metric] {
    var list: [Metric] = []
    func count(_ name: String, _ help: String, _ value: Int, _ labels: [String: String] = [:]) {
      list.append(Metric("lunara_bus_\(name)_total", help, .counter, labels: labels, value: Double(value)))
    }
    func gauge(_ name: String, _ help: String, _ value: Double, _ labels: [String: String] = [:]) {
      list.append(Metric("lunara_bus_\(name)", help, .gauge, labels: labels, value: value))
    }
    for (way, flows, what) in [("heard", counts.heard, "that came in"), ("said", counts.said, "sent")] {
      for (name, flow) in flows.all {
        count("\(way)_frames", "Frames \(what), by class.", flow.frames, ["class": name])
      }
      for (name, flow) in flows.all {
        count("\(way)_bytes", "Bytes of frames \(what), by class.", flow.bytes, ["class": name])
      }
    }
    count("bad_frames", "Frames that were none, or held no envelope.", counts.badFrames)
    count("refused_frames", "Sealed frames that were refused.", counts.refusedFrames)
    count("knocks_ignored", "Knocks of other machines that were too many to answer.", counts.knocksIgnored ?? 0)
    count("facts_published", "Facts sent.", counts.factsPublished)
    count("facts_applied", "Facts of others that were taken in.", counts.factsApplied)
    count("facts_fetched", "Facts of others that were fetched from a desk.", counts.factsFetched)
    count("fact_gaps", "Facts that did not come live.", counts.factGaps)
    count("fact_pages", "Pages of facts that were fetched.", counts.pages)
    count("requests_asked", "Questions asked.", counts.asked)
    count("requests_answered", "Questions answered, be it with an error.", counts.answered)
    count("requests_timed_out", "Questions given up without an answer.", counts.timedOut)
    count("requests_repeated", "Questions sent again.", counts.repeated)
    count("requests_handled", "Requests of others that were handled.", counts.handled)
    count("tap_drops", "Frames that taps dropped because their readers were too slow.", counts.tapDrops)
    count("connections", "Connections made to the inboxes of others, again included.", counts.connections)
    gauge("open_requests", "Questions that wait for an answer.", Double(openRequests))
    gauge("handling_requests", "Requests of others that are being handled.", Double(handling))
    gauge("lag_facts", "Facts of others that are yet to be read.", Double(lag))
    if let journalHead { gauge("journal_head", "The last number in the journal.", Double(journalHead)) }
    gauge("states_held", "States held, its own and those of others.", Double(statesHeld))
    gauge("peers", "Other nodes, by whether they are there.", Double(peers), ["standing": "here"])
    gauge("peers", "Other nodes, by whether they are there.", Double(peersAway), ["standing": "away"])
    return list
  }
}
