import Messages
import Model

/// Asks a node for the facts after a start. The answer holds their envelopes unchanged.
struct Replay: Message {
  static let kind = "bus.replay"
  var start: ReplayStart

  /// Returns the answer as JSON: `{"facts": [envelope…], "head": n, "oldest": n, "missed": n, "through": position}`,
  /// without `missed` if it is 0.
  static func encode(_ page: JournalPage, from node: NodeID) throws -> [UInt8] {
    var text = Array("{\"facts\":[".utf8)
    for (index, fact) in page.facts.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      text += fact.envelope(from: node, journal: page.through.journal).encoded()
    }
    text += Array("],\"head\":\(page.head),\"oldest\":\(page.oldest)".utf8)
    if page.missed > 0 { text += Array(",\"missed\":\(page.missed)".utf8) }
    text += Array(",\"through\":".utf8)
    text += try MessageCoding.encode(page.through)
    text.append(UInt8(ascii: "}"))
    return text
  }

  /// - Throws: `bus.badPayload`, `bus.badEnvelope`.
  static func decode(_ bytes: [UInt8]) throws -> FactPage {
    struct Rest: Decodable {
      var head: Int64
      var oldest: Int64?
      var missed: Int64?
      var through: JournalPosition
    }
    let (list, rest) = try Envelope.list(named: "facts", in: bytes)
    let page = try MessageCoding.decode(Rest.self, from: rest)
    return FactPage(
      facts: list.map { ReceivedFact(envelope: $0) }, through: page.through, head: page.head, oldest: page.oldest,
      missed: page.missed ?? 0)
  }
}

extension Replay: Codable {
  private enum CodingKeys: String, CodingKey { case from, time, position }
  private enum From: String, Codable { case oldest, head, since, after }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(From.self, forKey: .from) {
    case .oldest: start = .oldest
    case .head: start = .head
    case .since: start = .since(try container.decode(Timestamp.self, forKey: .time))
    case .after: start = .after(try container.decode(JournalPosition.self, forKey: .position))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch start {
    case .oldest: try container.encode(From.oldest, forKey: .from)
    case .head: try container.encode(From.head, forKey: .from)
    case .since(let time):
      try container.encode(From.since, forKey: .from)
      try container.encode(time, forKey: .time)
    case .after(let position):
      try container.encode(From.after, forKey: .from)
      try container.encode(position, forKey: .position)
    }
  }
}

/// A page of facts as a reader receives it.
struct FactPage: Sendable {
  var facts: [ReceivedFact]
  var through: JournalPosition
  var head: Int64
  /// The smallest sequence number that the publisher keeps; nil if the publisher did not send it.
  var oldest: Int64?
  /// The number of facts that the reader has yet to read but that are no longer kept.
  var missed: Int64 = 0

  /// True if the facts are of one journal and their numbers increase.
  var isInOrder: Bool {
    var last: Int64?
    for fact in facts {
      guard fact.envelope.journal == through.journal, last.map({ $0 < fact.seq }) ?? true else { return false }
      last = fact.seq
    }
    return last.map { $0 <= through.seq } ?? true
  }
}
