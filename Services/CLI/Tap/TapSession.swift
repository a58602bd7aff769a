import Bus
import Messages
import Model

/// Shows, counts and records the messages of a tap. Writing may block for as long as the output's reader likes, which
/// delays nothing else.
actor TapSession {
  struct Options: Sendable {
    var filter = TapFilter()
    var limit: Int?
    var isStatistics = false
    var wantsPast = false
  }

  enum Origin: Sendable {
    case live
    /// The message is from a reader of the journals, which gives each fact once, in order and without gaps.
    case journal
  }

  private let options: Options
  private let console: Console
  private let recording: Recording?
  private let clock: @Sendable () -> Milliseconds
  private var statistics: TapStatistics
  private var past: PastMerge?
  private var shown = 0
  private var drops: [String: Int] = [:]
  /// The number of live envelopes that were dropped while the past was read.
  private var pastDrops = 0
  /// The measured offsets of the clocks of other hosts.
  private var offsets: [NodeID: ClockOffset] = [:]
  /// The nodes on this host, which have its clock.
  private var localNodes: Set<NodeID> = []
  private var isPageOpen = false

  /// Creates a session; `clock` is a monotonic clock.
  init(
    _ options: Options, console: Console, recording: Recording?, at time: Timestamp,
    clock: @escaping @Sendable () -> Milliseconds
  ) {
    self.options = options
    self.console = console
    self.recording = recording
    self.clock = clock
    past = options.wantsPast ? PastMerge() : nil
    statistics = TapStatistics(startedAt: clock(), at: time)
  }

  /// True if facts are read from the journals, as lines, recordings and the past must be complete. Statistics alone
  /// count the facts that arrive live on the bus.
  nonisolated var readsJournals: Bool { !options.isStatistics || recording != nil || options.wantsPast }
  private var countsLiveFacts: Bool { options.isStatistics && !options.wantsPast }

  /// Shows, counts and records one envelope. Returns true when the tap has shown as many as requested.
  func handle(_ envelope: Envelope, topic: String, at now: Timestamp, by origin: Origin = .live) throws -> Bool {
    if isFull { return true }
    if options.isStatistics, envelope.delivery != .fact || (origin == .live) == countsLiveFacts {
      statistics.add(
        envelope, topic: topic, seenAt: now, shown: options.filter.shows(envelope, topic: topic),
        offset: localNodes.contains(envelope.node) ? ClockOffset.none : offsets[envelope.node])
      if let heartbeat = try Heartbeat(envelope), let journal = heartbeat.presence.journal {
        statistics.update(head: journal.seq, of: envelope.node)
      }
    }
    guard envelope.delivery != .fact || (origin == .journal) == readsJournals,
      options.filter.shows(envelope, topic: topic)
    else { return false }
    let item = PastMerge.Item(envelope: envelope, topic: topic, seenAt: now)
    guard past != nil else { return try show([item]) }
    if origin == .journal { return try show(past?.add(past: item) ?? []) }
    past?.add(live: item)
    return false
  }

  /// Ends the past: shows it, then the live envelopes that were held back. Returns true when the tap has shown as many
  /// as requested.
  func endPast() throws -> Bool {
    guard let held = past?.finish() else { return isFull }
    pastDrops = (past?.dropped ?? [:]).values.reduce(0, +)
    past = nil
    return try show(held)
  }

  func update(_ offset: ClockOffset, of node: NodeID) { offsets[node] = offset }

  /// Sets the nodes on this host. The latency of other nodes is unknown until their clocks are measured.
  func update(localNodes: Set<NodeID>) { self.localNodes = localNodes }

  func update(drops: [String: Int]) {
    self.drops = drops
    statistics.update(drops: drops)
  }

  private func show(_ items: [PastMerge.Item]) throws -> Bool {
    for item in items {
      if isFull { return true }
      shown += 1
      let json = item.envelope.json(topic: item.topic)
      try recording?.add(json)
      guard !options.isStatistics else { continue }
      if !console.isJSON, let screen = console.screen() {
        console.print(TapRow(envelope: item.envelope).text(columns: screen.columns, style: console.style))
      } else {
        console.print(json)
      }
    }
    return isFull
  }

  func drawStatistics() {
    guard options.isStatistics, !console.isJSON, let screen = console.screen() else { return }
    if !isPageOpen { console.print(LivePage.begin) }
    isPageOpen = true
    let view = StatisticsView(statistics: statistics, now: clock())
    console.print(LivePage.draw(view.lines(on: screen, style: console.style)))
    statistics.mark(at: clock())
  }

  /// Leaves the terminal's alternate screen without showing results, after an error.
  func abandon() {
    if isPageOpen { console.print(LivePage.end) }
    isPageOpen = false
  }

  func finish() throws {
    _ = try endPast()
    if options.isStatistics {
      let view = StatisticsView(statistics: statistics, now: clock())
      abandon()
      if !console.isJSON, let screen = console.screen() {
        let whole = Screen(columns: screen.columns, rows: .max)
        console.print(view.lines(on: whole, style: console.style).map { $0 + "\n" }.joined())
      } else {
        for line in view.json { console.print(line) }
      }
    }
    if let recording { console.remark("\(shown) envelopes are in \(recording.path)") }
    let missing = drops.values.reduce(0, +) + pastDrops
    guard missing > 0, !options.isStatistics || recording != nil else { return }
    console.report(
      LunaraError(
        "cli.tapTooSlow",
        "\(missing) states and signals passed faster than they could be shown, and are missing. Facts are complete."))
  }

  private var isFull: Bool { options.limit.map { shown >= $0 } ?? false }

  private struct Heartbeat: Decodable {
    let presence: NodePresence

    init?(_ envelope: Envelope) throws {
      guard envelope.kind == "bus.heartbeat" else { return nil }
      self = try MessageCoding.decode(Heartbeat.self, from: envelope.payload)
    }
  }
}

struct TapFilter: Sendable {
  /// The prefixes of topics to show; empty for all topics.
  var topics: [String] = []
  /// The kind to show; nil for all kinds.
  var kind: String?
  /// The node to show, or the role of nodes; nil for all nodes.
  var node: String?

  /// Returns true if an envelope is shown. Heartbeats, of which each node sends one a second, are shown only if the
  /// kind or a topic asks for them.
  func shows(_ envelope: Envelope, topic: String) -> Bool {
    if envelope.kind == Self.heartbeat, kind != Self.heartbeat, !topics.contains(where: { $0.contains("heartbeat") }) {
      return false
    }
    if let kind, envelope.kind != kind { return false }
    if let node, envelope.node.description != node, envelope.node.role != node { return false }
    return topics.isEmpty || topics.contains { Self.begins(topic, with: $0) }
  }

  private static let heartbeat = "bus.heartbeat"

  /// Returns true if a topic begins with whole words: `playback.kit` is no prefix of `playback.kitchen.`.
  private static func begins(_ topic: String, with beginning: String) -> Bool {
    let whole = beginning.isEmpty || beginning.hasSuffix(".") ? beginning : beginning + "."
    return topic.hasPrefix(whole)
  }
}

/// Holds the facts of the past of several nodes until all are read, so that they can be shown in the order of time;
/// meanwhile holds live envelopes back. It does no I/O, and its size is limited.
struct PastMerge: Sendable {
  struct Item: Sendable {
    var envelope: Envelope
    var topic: String
    var seenAt: Timestamp
  }

  /// The largest number of facts of the past that are held; more facts are shown in several sorted groups.
  static let pastLimit = 50_000
  /// The largest number of live envelopes that are held; beyond it the older half is dropped.
  static let liveLimit = 10_000

  private var past: [Item] = []
  private var live: [Item] = []
  /// The number of live envelopes that were dropped, by topic.
  private(set) var dropped: [String: Int] = [:]

  /// Adds a fact of the past. Returns the items to show now.
  mutating func add(past item: Item) -> [Item] {
    past.append(item)
    return past.count >= Self.pastLimit ? popPast() : []
  }

  mutating func add(live item: Item) {
    live.append(item)
    guard live.count > Self.liveLimit else { return }
    for item in live.prefix(Self.liveLimit / 2) { dropped[item.topic, default: 0] += 1 }
    live.removeFirst(Self.liveLimit / 2)
  }

  /// Ends the past and returns all held items, those of the past first.
  mutating func finish() -> [Item] {
    defer { live = [] }
    return popPast() + live
  }

  /// Returns the facts of the past sorted by time; each node's facts keep their order, even if its clock went back.
  private mutating func popPast() -> [Item] {
    defer { past = [] }
    return past.inOrderOfTime { ($0.envelope.time, $0.envelope.node) }.map(\.element)
  }
}
