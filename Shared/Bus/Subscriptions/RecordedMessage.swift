public import Messages
public import Model
public import Storage
import Synchronization

/// A recorded message that a replay sends again.
public struct RecordedMessage: Hashable, Sendable {
  /// The id that the message had.
  public var id: String
  /// The time when it was sent.
  public var time: Timestamp
  /// The node that sent it.
  public var node: NodeID
  /// The class under which it was delivered.
  public var delivery: Delivery
  /// The kind.
  public var kind: String
  /// The payload, as JSON.
  public var payload: [UInt8]
}

extension RecordedMessage {
  /// Reads a line of a recording: `time`, `node`, `class`, `kind`, `payload` and optionally `id`; nil if it has another
  /// form.
  public init?(line: [UInt8]) {
    var texts: [String: String] = [:]
    var payload: [UInt8]?
    let isObject = line.withUnsafeBytes { raw in
      JSONSlice.members(of: raw) { key, range in
        let value = raw[range]
        let key = String(decoding: key, as: UTF8.self)
        if key == "payload" { payload = Array(value) }
        // The texts that are read here contain no escapes.
        if value.first == UInt8(ascii: "\""), value.last == UInt8(ascii: "\"") {
          texts[key] = String(decoding: value.dropFirst().dropLast(), as: UTF8.self)
        }
      }
    }
    guard isObject, let payload, let time = texts["time"].flatMap({ Timestamp($0) }),
      let node = texts["node"].flatMap({ NodeID($0) }), let kind = texts["kind"], kind.contains("."),
      Frame.isTopic(kind + "."), let delivery = texts["class"].flatMap({ Delivery(rawValue: $0) })
    else { return nil }
    self.init(
      id: texts["id"] ?? UniqueID<RecordedMessage>.random().rawValue, time: time, node: node, delivery: delivery,
      kind: kind, payload: payload)
  }
}

extension Journal {
  /// Writes a recorded fact with its id, kind, time and author. For the journal of a replay only, which ends with its
  /// process.
  ///
  /// - Throws: the errors of `Transaction.execute`; `bus.frameTooLarge` for a fact that cannot be sent.
  public func append(_ recorded: RecordedMessage, in transaction: Transaction) throws {
    let fact = JournaledFact(
      seq: 0, epoch: epoch, id: recorded.id, kind: recorded.kind, time: recorded.time, payload: recorded.payload,
      recordedOf: recorded.node)
    try insert(fact, in: transaction)
  }

  /// Returns a page in which each fact of a replay has its author.
  func withAuthors(_ page: JournalPage) -> JournalPage {
    authors.withLock { authors in
      guard !authors.isEmpty else { return page }
      var page = page
      for index in page.facts.indices { page.facts[index].recordedOf = authors[page.facts[index].seq] }
      return page
    }
  }
}
