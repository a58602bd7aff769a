public import Messages
public import Model

/// A fact as a reader gets it: each once, in the order of its journal.
public struct ReceivedFact: Sendable {
  /// The envelope it came in.
  public let envelope: Envelope

  /// The fact's own id.
  public var id: String { envelope.id }
  /// The node that journaled it; of a replayed one, the node that did when it was recorded.
  public var node: NodeID { envelope.author }
  /// The moment at which it happened, on that node's clock.
  public var time: Timestamp { envelope.time }
  /// Its kind.
  public var kind: String { envelope.kind }
  /// Its topic.
  public var topic: String { envelope.topic }
  /// Its sequence number.
  public var seq: Int64 { envelope.seq ?? 0 }

  /// The fact as a value; nil where it is of another kind.
  ///
  /// - Throws: `bus.badPayload` where it has this kind but not this form.
  public func decode<F: Fact>(_ type: F.Type) throws -> F? {
    guard envelope.kind == F.kind else { return nil }
    return try MessageCoding.decode(type, from: envelope.payload)
  }
}

/// The place in a journal at which a replay of its facts begins.
public enum ReplayStart: Hashable, Sendable {
  /// The oldest fact kept.
  case oldest
  /// The end: with it begins what happens from now on.
  case head
  /// The first fact at or after a moment of the publisher's clock.
  case since(Timestamp)
  /// The first fact behind a place, as the publisher resolves it.
  case after(JournalPosition)
}
