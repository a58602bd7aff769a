import Bus
import Messages
import Model

/// Shows, counts and records what a tap receives. Its output may hold it up for as long as the reader likes; nothing
/// else goes on in this process.
actor TapSession {
  struct Options: Sendable {
    var filter = TapFilter()
    var limit: Int?
    var isStatistics = false
    var wantsPast = false
  }

  enum Origin: Sendable {
    case live
    /// By a reader of the journals: each fact once, in order, none missing.
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
  /// Live envelopes that were dropped while the past was read.
  private var pastDrops = 0
  private var offsets: [NodeID: ClockOffset] = [:]
  private var isPageOpen = false

  /// A session that has seen nothing; `clock` is any that does not jump.
  init(
    _ options: Options, console: Console, recording: Recording?, at time: Timestamp,
    clock: @escaping @Sendable () -> Milliseconds
  ) {
    (self.options, self.console, self.recording, self.clock) = (options, console, recording, clock)
    past = options.wantsPast ? PastMerge() : nil
    statistics = TapStatistics(startedAt: clock(), at: time)
  }

  /// True if facts are read from the journals: lines, recordings and the past must be complete. Statistics alone count
  /// what passes on the bus.
  nonisolated var readsJournals: Bool { !options.isStatistics || recording != nil || options.wantsPast }
  private var countsLiveFacts: Bool { options.isStatistics && !options.wantsPast }

  /// Shows, counts and records one envelope. Returns true when the tap has shown all that was asked for.
  func handle(_ envelope: Envelope, topic: String, at now: Timestamp, by origin: Origin = .live) throws -> Bool {
    if isFull { return true }
    if options.isStatistics, envelope.delivery != .fact || (origin == .live) == countsLiveFacts {
      statistics.add(
        envelope, topic: topic, seenAt: now, shown: options.filter.shows(envelope, topic: topic),
        offset: offsets[envelope.node] ?? ClockOffset.none)
      if let heartbeat = try Heartbeat(envelope), let journal = heartbeat.presence.journal {
        statistics.note(head: journal.seq, of: envelope.node)
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

  /// Ends the past: shows it, then the live envelopes that were held. Returns true if that is all that was asked for.
  func endPast() throws -> Bool {
    guard let held = past?.finish() else { return isFull }
    pastDrops = (past?.dropped ?? [:]).values.reduce(0, +)
    past = nil
    return try show(held)
  }

  func note(_ offset: ClockOffset, of node: NodeID) { offsets[node] = offset }

  func note(drops: [String: Int]) {
    self.drops = drops
    statistics.note(drops: drops)
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

  /// Gives the terminal back after an error, which is told instead of results.
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
    if let recording { console.note("\(shown) envelopes are in \(recording.path)") }
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
  /// Beginnings of topics; any where empty.
  var topics: [String] = []
  /// The only kind; any where nil.
  var kind: String?
  /// The only node, or every node of a role; any where nil.
  var node: String?

  /// Returns true if an envelope is shown. Heartbeats are only where they are asked for: each node sends one a second.
  func shows(_ envelope: Envelope, topic: String) -> Bool {
    if envelope.kind == Self.heartbeat, kind != Self.heartbeat, !topics.contains(where: { $0.contains("heartbeat") }) {
      return false
    }
    if let kind, envelope.kind != kind { return false }
    if let node, envelope.node.description != node, envelope.node.role != node { return false }
    return topics.isEmpty || topics.contains { Self.begins(topic, with: $0) }
  }

  private static let heartbeat = "bus.heartbeat"

  /// A beginning ends where a word of the topic ends: `playback.kit` is no beginning of `playback.kitchen.`.
  private static func begins(_ topic: String, with beginning: String) -> Bool {
    let whole = beginning.isEmpty || beginning.hasSuffix(".") ? beginning : beginning + "."
    return topic.hasPrefix(whole)
  }
}

/// Holds the past of several nodes until all of it is there, so that it can be shown in the order of time, and what is
/// live until the past was shown. Pure and bounded.
struct PastMerge: Sendable {
  struct Item: Sendable {
    var envelope: Envelope
    var topic: String
    var seenAt: Timestamp
  }

  /// The most facts of the past that are held; what is more is shown in several runs.
  static let pastLimit = 50_000
  /// The most live envelopes that are held; beyond that the oldest are dropped.
  static let liveLimit = 10_000

  private var past: [Item] = []
  private var live: [Item] = []
  /// The number of live envelopes that were dropped, by topic.
  private(set) var dropped: [String: Int] = [:]

  /// Adds a fact of the past. Returns the items that are to be shown now.
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

  /// Ends the past and returns all that is held, the past first.
  mutating func finish() -> [Item] {
    defer { live = [] }
    return popPast() + live
  }

  /// By time, but each node's facts in their own order, whatever its clock did.
  private mutating func popPast() -> [Item] {
    defer { past = [] }
    return past.inOrderOfTime { ($0.envelope.time, $0.envelope.node) }.map(\.element)
  }
}
