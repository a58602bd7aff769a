public import Messages
import Model

/// Saying: states, signals, and facts once they have committed.
extension Node {
  /// Publishes the newest value of a state. A value equal to the one before changes nothing.
  public func publish<S: State>(_ state: S) {
    do {
      let payload = try MessageCoding.encode(state)
      let topic = S.topic(ofNode: id.name)
      guard let version = own.version(for: topic, payload: payload) else { return }
      let envelope = Envelope(
        id: "\(epoch).\(version)", node: id, epoch: epoch, version: version, time: .now(), kind: S.kind,
        payload: payload)
      _ = own.take(envelope, topic: topic, at: .now)
      try send(Frame(topic: topic, body: envelope.encoded()))
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
      try send(Frame(topic: envelope.topic, body: envelope.encoded()))
    } catch {
      report(LunaraError(error))
    }
  }

  func publish(_ fact: JournaledFact) {
    guard let journal, !isClosed else { return }
    journalHead = max(journalHead, fact.seq)
    let envelope = fact.envelope(from: id, journal: journal.identity)
    do {
      try send(Frame(topic: envelope.topic, body: envelope.encoded()))
    } catch {
      report(LunaraError(error))
    }
  }

  private func send(_ frame: Frame) throws {
    guard let voice, !voices.isEmpty else { return }
    voice.send(try frame.encoded())
  }
}
