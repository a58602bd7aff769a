import Messages
import Model
import System

/// The newest states of other nodes, kept on the disk for nodes that take over the names of nodes that are gone.
struct KeptStates {
  /// The shortest time between two writes.
  private static let pause = Duration.seconds(10)
  private static let limit = 256

  private var states: [String: Envelope] = [:]
  private var hasChanged = false
  private(set) var writtenAt: ContinuousClock.Instant?

  init() {}

  /// Reads the file of a former run; lines that are not an envelope are skipped.
  init(from path: String) {
    let lines: [ArraySlice<UInt8>]
    do {
      lines = try Files.read(path, limit: 1 << 30).split(separator: 10)
    } catch {
      // There is no file yet.
      return
    }
    for line in lines {
      do {
        let envelope = try Envelope(decoding: line)
        states[envelope.topic] = envelope
      } catch {
        // Another version wrote the line, or it was cut off: the next state of that topic replaces it.
        continue
      }
    }
  }

  /// Keeps a state; if there are too many, the oldest is dropped.
  mutating func keep(_ envelope: Envelope, topic: String) {
    // Each line of the file is one state, so a state with line breaks, which another implementation may send, is not
    // kept.
    guard !envelope.payload.contains(10) else { return }
    if states.count >= Self.limit, states[topic] == nil,
      let oldest = states.min(by: { $0.value.time < $1.value.time })
    {
      states[oldest.key] = nil
    }
    states[topic] = envelope
    hasChanged = true
  }

  /// Drops the states of a node.
  mutating func forget(_ node: NodeID) {
    let count = states.count
    states = states.filter { $0.value.node != node }
    if states.count < count { hasChanged = true }
  }

  /// Returns the states to write, ordered by topic; nil if nothing changed or `pause` has not passed.
  mutating func dueForWriting(at now: ContinuousClock.Instant, isLast: Bool) -> [Envelope]? {
    guard hasChanged, isLast || writtenAt.map({ $0 + Self.pause <= now }) ?? true else { return nil }
    hasChanged = false
    writtenAt = now
    return states.values.sorted { $0.topic < $1.topic }
  }

  func answer(to topics: [String]) -> ReadStates.Answer {
    ReadStates.Answer(now: .now(), states: topics.compactMap { states[$0] })
  }
}
