import Messages
import Model

/// What comes in from others.
extension Node {
  func readInbox() {
    guard let inbox else { return }
    for _ in 0..<256 {
      let got: ()? = inbox.receive { bytes in
        do {
          let frame = try Frame(decoding: bytes)
          heard(frame, try Envelope(decoding: frame.body))
        } catch {
          noteBadFrame(error)
        }
      }
      guard got != nil else { return }
    }
  }

  private func heard(_ frame: Frame, _ envelope: Envelope) {
    for tap in taps.values { tap(frame) }
    switch envelope.delivery {
    case .fact:
      let fact = ReceivedFact(envelope: envelope)
      for subscription in subscriptions { subscription.followers[envelope.node]?.take(.fact(fact)) }
    case .state: take(envelope, topic: frame.topic)
    case .signal:
      guard envelope.kind == Heartbeat.kind else { return }
      do {
        let heartbeat = try MessageCoding.decode(Heartbeat.self, from: envelope.payload)
        guard heartbeat.leaving != true else { return perform(roster.left(heartbeat.presence.id)) }
        learn(heartbeat.presence)
      } catch {
        noteBadFrame(error)
      }
    case .request: break
    }
  }

  private func take(_ envelope: Envelope, topic: String, age: Milliseconds = .zero) {
    guard wants(envelope.kind), heard.take(envelope, topic: topic, at: .now, age: age) else { return }
    for watcher in watchers.values where watcher.kind == envelope.kind { watcher.yield(self) }
  }

  private func wants(_ kind: String) -> Bool {
    !taps.isEmpty || watchers.values.contains { $0.kind == kind }
  }

  /// Fetches the states of a node that are newer than those held, as far as anybody here wants them.
  func fetchStates(of presence: NodePresence) {
    let topics = heard.stale(against: presence).filter { wants(Self.kind(ofTopic: $0)) }
    guard !topics.isEmpty, fetching.insert(presence.id).inserted else { return }
    Task {
      defer { fetching.remove(presence.id) }
      do {
        let answer = try await request(ReadStates(topics: topics), to: presence.id, within: .seconds(2))
        for (topic, text) in answer.states {
          let envelope = try Envelope(decoding: text.utf8)
          let isNew = heard.held[topic].map { $0.envelope.version != envelope.version } ?? true
          take(envelope, topic: topic, age: answer.now - envelope.time)
          if isNew, !taps.isEmpty { for tap in taps.values { tap(Frame(topic: topic, body: Array(text.utf8))) } }
        }
      } catch {
        // The next heartbeat states the versions again.
      }
    }
  }

  /// `playback.kitchen.state.` → `playback.state`.
  private static func kind(ofTopic topic: String) -> String {
    let words = topic.split(separator: ".")
    guard words.count > 2 else { return topic }
    return "\(words[0]).\(words[2...].joined(separator: "."))"
  }
}
