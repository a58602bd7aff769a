import FoundationEssentials
public import Messages
import Model

/// Asks for the newest values of states that a node has heard of others and keeps on its disk. The answer is that of
/// `ReadStates`; `now` says when it was given.
struct ReadKept: Message {
  static let kind = "bus.read-kept"
  static let delivery = Delivery.request
  /// The topics wanted.
  var topics: [String]
}

/// Keeping what others said last, for those who take their names over when they are gone.
extension Node {
  /// How often what changed is written at most.
  private static let keepPause = Duration.seconds(10)
  private static let keepLimit = 256

  private var keptStatesPath: String? { Self.keptPath(of: id, in: network).map { $0 + ".states" } }

  /// Reads what a former run kept; lines that are no envelope are passed over.
  func readKeptStates() {
    guard let path = keptStatesPath else { return }
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
        keptStates[envelope.topic] = envelope
      } catch {
        // Another version wrote it, or it was cut: the next state of that topic takes its place.
        continue
      }
    }
  }

  /// Notes a state of another that is worth keeping.
  func keep(state envelope: Envelope, topic: String) {
    // A line of the file is a state, so one that was written over several lines by a foreign node is not kept.
    guard keptStatesPath != nil, !envelope.payload.contains(10) else { return }
    if keptStates.count >= Self.keepLimit, keptStates[topic] == nil,
      let oldest = keptStates.min(by: { $0.value.time < $1.value.time })
    {
      keptStates[oldest.key] = nil
    }
    keptStates[topic] = envelope
    keptStatesChanged = true
  }

  /// Writes what was noted, where it is time.
  func writeKeptStates(at now: ContinuousClock.Instant, isLast: Bool = false) {
    guard keptStatesChanged, let path = keptStatesPath, let keptFiles else { return }
    guard isLast || keptStatesWrittenAt.map({ $0 + Self.keepPause <= now }) ?? true else { return }
    keptStatesChanged = false
    keptStatesWrittenAt = now
    let states = keptStates.values.sorted { $0.topic < $1.topic }
    keptFiles.put({ states.flatMap { $0.encoded() + [10] } }, at: path)
  }

  func keptAnswer(to topics: [String]) -> ReadStates.Answer {
    ReadStates.Answer(now: .now(), states: topics.compactMap { keptStates[$0] })
  }

  /// The newest value of a state that was published under this node's own name, as its peers keep it on their disks: for
  /// one that has taken its name over from a holder that is gone.
  ///
  /// - Returns: nil where nobody has any, or does not answer within a second.
  public func lastKnown<S: State>(_ type: S.Type) async -> S? {
    let topic = S.topic(ofNode: id.name)
    let peers = nodes().filter { !$0.isPassing && $0 != id }
    let found = await withTaskGroup(of: Envelope?.self) { group in
      for peer in peers {
        group.addTask {
          do {
            let payload = try MessageCoding.encode(ReadKept(topics: [topic]))
            let answer = try await self.ask(kind: ReadKept.kind, payload: payload, to: peer, within: .seconds(1))
            return try ReadStates.Answer(decoding: answer.payload).states.first
          } catch {
            // One that does not answer knows nothing.
            return nil
          }
        }
      }
      var newest: Envelope?
      for await case let envelope? in group where envelope.kind == S.kind {
        // All were said by the one holder, so its own clock tells which came last.
        if newest.map({ $0.time < envelope.time }) ?? true { newest = envelope }
      }
      return newest
    }
    do {
      return try found.map { try MessageCoding.decode(type, from: $0.payload) }
    } catch {
      report(LunaraError(error))
      return nil
    }
  }
}
