public import Messages
public import Model
public import Storage
import Synchronization

/// A message that passed on a bus once and is sent again by a replay.
public struct RecordedMessage: Hashable, Sendable {
  /// The id that it had then.
  public var id: String
  /// The moment at which it was sent then.
  public var time: Timestamp
  /// The node that sent it then.
  public var node: NodeID
  /// The class under which it was delivered.
  public var delivery: Delivery
  /// Its kind.
  public var kind: String
  /// Its payload, as JSON.
  public var payload: [UInt8]
}

extension RecordedMessage {
  /// Reads a line of a recording: `time`, `node`, `class`, `kind` and `payload`, and the `id` where there is one; nil
  /// where it is none.
  public init?(line: [UInt8]) {
    var texts: [String: String] = [:]
    var payload: [UInt8]?
    let isObject = line.withUnsafeBytes { raw in
      JSONSlice.members(of: raw) { key, range in
        let value = raw[range]
        let key = String(decoding: key, as: UTF8.self)
        if key == "payload" { payload = Array(value) }
        // The text that is read here has no escapes.
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
  /// Writes a recorded fact with its id, kind, time and author; for the journal of a replay only, which lasts no longer
  /// than its process.
  ///
  /// - Throws: the errors of `Transaction.execute`; `bus.frameTooLarge` for what cannot be sent.
  public func append(_ recorded: RecordedMessage, in transaction: Transaction) throws {
    let fact = JournaledFact(
      seq: 0, epoch: epoch, id: recorded.id, kind: recorded.kind, time: recorded.time, payload: recorded.payload,
      recordedOf: recorded.node)
    try insert(fact, in: transaction)
  }

  /// A page with those of whom a replay recorded its facts.
  func withAuthors(_ page: JournalPage) -> JournalPage {
    authors.withLock { authors in
      guard !authors.isEmpty else { return page }
      var page = page
      for index in page.facts.indices { page.facts[index].recordedOf = authors[page.facts[index].seq] }
      return page
    }
  }
}
