public import Messages
import Model

/// Saying: states, signals, and facts once they have committed.
extension Node {
  /// Publishes the newest value of a state. A value equal to the one before changes nothing.
  ///
  /// One of more than 254 KiB is reported and not published: a state does not grow with the data.
  public func publish<S: State>(_ state: S) {
    do {
      let payload = try MessageCoding.encode(state)
      guard payload.count <= Frame.payloadLimit else { throw Frame.tooLarge("The state \(S.kind)", payload.count) }
      let topic = S.topic(ofNode: id.name)
      guard let version = own.version(for: topic, payload: payload) else { return }
      let envelope = Envelope(
        id: "\(epoch).\(version)", node: id, epoch: epoch, version: version, time: .now(), kind: S.kind,
        journal: journal?.identity, payload: payload)
      _ = own.take(envelope, topic: topic, at: .now)
      try send(Frame(topic: topic, body: envelope.encoded()), as: .state)
      hurryBeat()
    } catch {
      report(LunaraError(error))
    }
  }

  /// Sends a signal to whoever wants signals; nobody has to hear it.
  public func emit<S: Signal>(_ signal: S) {
    guard roster.someoneWantsSignals else { return }
    do {
      send(signal: try MessageCoding.encode(signal), kind: S.kind)
    } catch {
      report(LunaraError(error))
    }
  }

  func send(signal payload: [UInt8], kind: String) {
    let envelope = Envelope(
      id: UniqueID<Envelope>.random().rawValue, node: id, epoch: epoch, time: .now(), kind: kind, payload: payload)
    do {
      try send(Frame(topic: envelope.topic, body: envelope.encoded()), as: .signal)
    } catch {
      report(LunaraError(error))
    }
  }

  /// Sends the facts that were acknowledged since.
  func publishFacts() {
    guard let journal, !isClosed else { return }
    let facts = journal.outlet.take()
    for fact in facts {
      journalHead = max(journalHead, fact.seq)
      let envelope = fact.envelope(from: id, journal: journal.identity)
      do {
        try send(Frame(topic: envelope.topic, body: envelope.encoded()), as: .fact)
        meter.factsPublished += 1
      } catch {
        report(LunaraError(error))
      }
    }
    if !facts.isEmpty { hurryBeat() }
  }

  func send(_ frame: Frame, as delivery: Delivery) throws {
    guard let voice, !voices.isEmpty, tuning.carries(frame) else { return }
    let bytes = try frame.encoded()
    voice.send(bytes)
    meter.said.add(delivery, bytes.count)
  }
}
