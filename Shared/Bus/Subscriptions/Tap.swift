import Model

/// A subscriber to every frame that a node receives.
struct Tap: Sendable {
  private let waiting: Mailbox<Frames, Frame>

  /// The waiting frames, bounded in number and size: the oldest are dropped first.
  struct Frames: Sendable {
    static let sizeLimit = 8 << 20

    let bound: Int
    private var frames: [Frame] = []
    private var oldest = 0
    private var size = 0

    init(bound: Int) { self.bound = bound }

    /// Adds a frame; returns the topics of the frames that were dropped for it.
    @discardableResult
    mutating func add(_ frame: Frame) -> [String] {
      var dropped: [String] = []
      frames.append(frame)
      size += frame.body.count
      while frames.count - oldest > bound || size > Self.sizeLimit, oldest < frames.count - 1 {
        if let frame = removeFirst() { dropped.append(frame.topic) }
      }
      return dropped
    }

    mutating func removeFirst() -> Frame? {
      guard oldest < frames.count else { return nil }
      defer {
        size -= frames[oldest].body.count
        oldest += 1
        // Elements are removed from the array in larger pieces, so that the cost does not depend on how many wait.
        if oldest == frames.count || oldest >= 1024 {
          frames.removeFirst(oldest)
          oldest = 0
        }
      }
      return frames[oldest]
    }
  }

  init(bound: Int) { waiting = Mailbox(Frames(bound: max(1, bound))) { $0.removeFirst() } }

  /// Adds a frame; returns the topics of the frames that were dropped because they were not read in time.
  func enqueue(_ frame: Frame) -> [String] {
    var dropped: [String] = []
    waiting.put { dropped = $0.add(frame) }
    return dropped
  }

  func finish() { waiting.finish() }
  func next() async -> Frame? { await waiting.next() }
}

struct Taps {
  private var taps: [Int: Tap] = [:]
  private var numbers = 0
  /// The number of frames that taps have dropped because they were not read in time, by topic.
  private(set) var dropped: [String: Int] = [:]

  var isEmpty: Bool { taps.isEmpty }

  mutating func add(_ tap: Tap) -> Int {
    numbers += 1
    taps[numbers] = tap
    return numbers
  }

  mutating func remove(_ number: Int) { taps.removeValue(forKey: number)?.finish() }

  /// Passes a frame to all taps; returns the number of frames that were dropped for it.
  mutating func show(_ frame: Frame) -> Int {
    var count = 0
    for tap in taps.values {
      let topics = tap.enqueue(frame)
      count += topics.count
      for topic in topics { dropped[topic, default: 0] += 1 }
    }
    return count
  }

  mutating func finish() {
    for tap in taps.values { tap.finish() }
    taps = [:]
  }
}

/// Ends a tap when its stream is released.
final class TapLifetime: Sendable {
  private let end: @Sendable () -> Void
  init(end: @escaping @Sendable () -> Void) { self.end = end }
  deinit { end() }
}
