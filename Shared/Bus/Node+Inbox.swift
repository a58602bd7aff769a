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
          let envelope = try Envelope(decoding: frame.body)
          meter.heard.add(envelope.delivery, bytes.count)
          heard(frame, envelope)
        } catch {
          noteBadFrame(error)
        }
      }
      guard got != nil else { return }
    }
  }

  func readRemoteInbox() {
    guard let remoteInbox else { return }
    for _ in 0..<256 {
      let got: ()? = remoteInbox.receive { bytes in
        do {
          let (frame, envelope, _) = try openedEnvelope(bytes, on: .inbox)
          meter.heard.add(envelope.delivery, bytes.count)
          heard(frame, envelope, isLocal: false)
        } catch {
          noteBadFrame(error)
        }
      }
      guard got != nil else { return }
    }
  }

  private func heard(_ frame: Frame, _ envelope: Envelope, isLocal: Bool = true) {
    guard !envelope.node.isReplay || takesReplays else { return }
    show(frame)
    switch envelope.delivery {
    case .fact:
      count(envelope)
      let fact = ReceivedFact(envelope: envelope)
      for subscription in subscriptions { subscription.followers[envelope.node]?.take(fact) }
    case .state: _ = take(envelope, topic: frame.topic)
    case .signal:
      if envelope.kind == Heartbeat.kind { heard(heartbeat: envelope, isLocal: isLocal) }
      take(signal: envelope)
    case .request: break
    }
  }

  /// Keeps a state that somebody here wants; tells whether it was new.
  private func take(_ envelope: Envelope, topic: String, age: Milliseconds = .zero) -> Bool {
    // A late state of a former run could outrank those of this one. One of a run that is not known yet is fetched once
    // it is.
    guard wants(topic), roster.believes(envelope), heard.take(envelope, topic: topic, at: .now, age: age) else {
      return false
    }
    for watcher in watchers.values where watcher.kind == envelope.kind {
      if watcher.isKept { keep(state: envelope, topic: topic) }
      watcher.yield(self)
    }
    return true
  }

  private func wants(_ topic: String) -> Bool {
    guard taps.isEmpty else { return true }
    let kind = Self.kind(ofTopic: topic)
    return watchers.values.contains { $0.kind == kind }
  }

  /// Fetches the states of a node that are newer than those held, as far as anybody here wants them.
  ///
  /// - Parameter topic: one to fetch in any case where it is not held: it may be younger than the last heartbeat.
  func fetchStates(of node: NodeID, and topic: String? = nil) {
    guard let presence = roster.peers[node]?.presence, !presence.away, !isClosed else { return }
    var topics = Set(heard.stale(against: presence).filter(wants))
    if let topic, heard.held[topic] == nil { topics.insert(topic) }
    guard !topics.isEmpty else { return }
    // One at a time: what is wanted meanwhile is asked for next.
    guard fetching[node] == nil else {
      fetching[node]?.formUnion(topics)
      return
    }
    fetching[node] = []
    Task { await fetch(topics, from: node) }
  }

  private func fetch(_ topics: Set<String>, from node: NodeID) async {
    var wanted = topics
    while !wanted.isEmpty {
      do {
        let payload = try MessageCoding.encode(ReadStates(topics: wanted.sorted()))
        let answer = try ReadStates.Answer(
          decoding: try await ask(kind: ReadStates.kind, payload: payload, to: node, within: .seconds(2)).payload)
        for state in answer.states where state.node == node {
          // What a replay says now was said at another time; as old as then it would be of no use.
          take(fetched: state, age: node.isReplay ? .zero : answer.now - state.time)
        }
        // What does not fit into one answer is asked for again; what is not there is not.
        let rest = wanted.subtracting(answer.states.map(\.topic))
        wanted = rest.count == wanted.count ? [] : rest
      } catch {
        // The next heartbeat states the versions again.
        break
      }
      wanted.formUnion(fetching[node] ?? [])
      fetching[node] = []
    }
    fetching[node] = nil
  }

  private func take(fetched state: Envelope, age: Milliseconds) {
    guard take(state, topic: state.topic, age: age) else { return }
    if !taps.isEmpty { show(Frame(topic: state.topic, body: state.encoded())) }
  }

  /// `playback.kitchen.state.` → `playback.state`.
  static func kind(ofTopic topic: String) -> String {
    let words = topic.split(separator: ".")
    guard words.count > 2 else { return topic }
    return "\(words[0]).\(words[2...].joined(separator: "."))"
  }
}
