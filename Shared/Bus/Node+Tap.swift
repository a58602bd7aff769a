import Model

/// One who sees every frame that a node hears.
struct Tap: Sendable {
  private let waiting: Mailbox<Frames, Frame>

  /// The frames that wait, bounded by number and size: the oldest go first.
  struct Frames: Sendable {
    static let sizeLimit = 8 << 20

    let bound: Int
    private var frames: [Frame] = []
    private var oldest = 0
    private var size = 0

    init(bound: Int) { self.bound = bound }

    /// Adds a frame; gives the topics of those that had to go.
    @discardableResult
    mutating func add(_ frame: Frame) -> [String] {
      var dropped: [String] = []
      frames.append(frame)
      size += frame.body.count
      while frames.count - oldest > bound || size > Self.sizeLimit, oldest < frames.count - 1 {
        if let frame = take() { dropped.append(frame.topic) }
      }
      return dropped
    }

    mutating func take() -> Frame? {
      guard oldest < frames.count else { return nil }
      defer {
        size -= frames[oldest].body.count
        oldest += 1
        // What was taken is dropped in larger pieces, so that taking one costs the same however many wait.
        if oldest == frames.count || oldest >= 1024 {
          frames.removeFirst(oldest)
          oldest = 0
        }
      }
      return frames[oldest]
    }
  }

  init(bound: Int) { waiting = Mailbox(Frames(bound: max(1, bound))) { $0.take() } }

  /// Hands over a frame; gives the topics of those that had to go because nobody took them in time.
  func take(_ frame: Frame) -> [String] {
    var dropped: [String] = []
    waiting.put { dropped = $0.add(frame) }
    return dropped
  }

  func finish() { waiting.finish() }
  func next() async -> Frame? { await waiting.next() }
}

/// Ends a tap when its stream is let go.
private final class TapHold: Sendable {
  private let end: @Sendable () -> Void
  init(end: @escaping @Sendable () -> Void) { self.end = end }
  deinit { end() }
}

extension Node {
  /// Shows every frame that this node hears from now on.
  ///
  /// - Parameter bound: how many frames may wait, of at most 8 MiB together; beyond that the oldest are dropped.
  public func tap(bound: Int = 10_000) -> AsyncStream<Frame> {
    let tap = Tap(bound: bound)
    guard !isClosed else { return AsyncStream { $0.finish() } }
    nextWatcher += 1
    let number = nextWatcher
    taps[number] = tap
    let hold = TapHold { [weak self] in Task { await self?.untap(number) } }
    renewHellos()
    for node in roster.peers.keys { fetchStates(of: node) }
    return AsyncStream {
      let frame = await tap.next()
      // The stream holds what ends the tap.
      withExtendedLifetime(hold) {}
      return frame
    }
  }

  /// How many frames the taps of this node dropped since it started, by topic, because nobody took them in time.
  public func tapDrops() -> [String: Int] { droppedByTaps }

  /// Hands a frame to all taps.
  func show(_ frame: Frame) {
    for tap in taps.values {
      let dropped = tap.take(frame)
      meter.tapDrops += dropped.count
      for topic in dropped { droppedByTaps[topic, default: 0] += 1 }
    }
  }

  /// How far this node's readers are with what the journals of others hold now.
  ///
  /// - Returns: how many facts lie behind them, and whether they have all: that is so once every node on this machine
  ///   has said how it stands and no reader is behind.
  public func readingProgress() -> (read: Int64, isThrough: Bool) {
    let standings = tally.standings
    let present = roster.presences.filter { !$0.away }
    var isThrough = nodes().allSatisfy { node in node.isPassing || roster.peers[node]?.presence != nil }
    for presence in present {
      guard let head = presence.journal else { continue }
      let readers = subscriptions.count { $0.followers[presence.id] != nil }
      let through = standings.count {
        $0.node == presence.id && $0.position.journal == head.journal && $0.position.seq >= head.seq
      }
      if through < readers { isThrough = false }
    }
    return (standings.reduce(0) { $0 + $1.position.seq }, isThrough)
  }

  private func untap(_ number: Int) {
    taps.removeValue(forKey: number)?.finish()
    renewHellos()
  }
}
