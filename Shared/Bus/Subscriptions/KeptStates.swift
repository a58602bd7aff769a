import FoundationEssentials
import Messages
import Model

/// The newest states that others published, kept on the disk for those who take their names over when they are gone.
struct KeptStates {
  /// The time between two writes, at least.
  private static let pause = Duration.seconds(10)
  private static let limit = 256

  private var states: [String: Envelope] = [:]
  private var hasChanged = false
  private(set) var writtenAt: ContinuousClock.Instant?

  init() {}

  /// Reads the file that a former run wrote; lines that are no envelope are passed over.
  init(from path: String) {
    let lines: [Data]
    do {
      lines = try Data(contentsOf: URL(filePath: path)).split(separator: 10)
    } catch {
      // Nothing was kept.
      return
    }
    for line in lines {
      do {
        let envelope = try Envelope(decoding: line)
        states[envelope.topic] = envelope
      } catch {
        // Another version wrote it, or it was cut: the next state of that topic takes its place.
        continue
      }
    }
  }

  /// Keeps a state; the oldest one makes room.
  mutating func keep(_ envelope: Envelope, topic: String) {
    // A line of the file is a state, so one that a foreign node wrote over several lines is not kept.
    guard !envelope.payload.contains(10) else { return }
    if states.count >= Self.limit, states[topic] == nil,
      let oldest = states.min(by: { $0.value.time < $1.value.time })
    {
      states[oldest.key] = nil
    }
    states[topic] = envelope
    hasChanged = true
  }

  /// The states to write, ordered by topic; nil where nothing changed or it is not time yet.
  mutating func dueForWriting(at now: ContinuousClock.Instant, isLast: Bool) -> [Envelope]? {
    guard hasChanged, isLast || writtenAt.map({ $0 + Self.pause <= now }) ?? true else { return nil }
    (hasChanged, writtenAt) = (false, now)
    return states.values.sorted { $0.topic < $1.topic }
  }

  func answer(to topics: [String]) -> ReadStates.Answer {
    ReadStates.Answer(now: .now(), states: topics.compactMap { states[$0] })
  }
}
