public import Messages
public import Model

/// A fact as a reader receives it: once, and in the order of its journal.
public struct ReceivedFact: Sendable {
  /// The envelope of the fact.
  public let envelope: Envelope

  /// The id of the fact.
  public var id: String { envelope.id }
  /// The node that journaled the fact; of a replayed one, the node from which it was recorded.
  public var node: NodeID { envelope.author }
  /// The time when the fact was written, by that node's clock.
  public var time: Timestamp { envelope.time }
  /// The kind.
  public var kind: String { envelope.kind }
  /// The topic.
  public var topic: String { envelope.topic }
  /// The sequence number.
  public var seq: Int64 { envelope.seq ?? 0 }

  /// Decodes the fact; returns nil if it is of another kind.
  ///
  /// - Throws: `bus.badPayload` if the payload does not have the form of this kind.
  public func decode<F: Fact>(_ type: F.Type) throws -> F? {
    guard envelope.kind == F.kind else { return nil }
    return try MessageCoding.decode(type, from: envelope.payload)
  }
}

/// The place in a journal at which a replay of its facts begins.
public enum ReplayStart: Hashable, Sendable {
  /// The oldest fact that is kept.
  case oldest
  /// The end of the journal: only facts written from now on.
  case head
  /// The first fact at or after a time of the publisher's clock.
  case since(Timestamp)
  /// The first fact after a place that a reader has reached, which may be in an ancestor of the journal.
  case after(JournalPosition)
}
