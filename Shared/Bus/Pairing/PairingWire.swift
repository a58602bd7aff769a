/// The messages of pairing on a stream: each is two bytes of length, a kind and a body.
enum PairingWire {
  static let magic = Array("lunara-pair".utf8)
  static let version: UInt8 = 1
  /// The largest message, in bytes.
  static let limit = 16 * 1024
  static let sessionSize = 16

  /// The purpose of an exchange and the names of its two sides, which both use in the key exchange.
  static let channel = Array("lunara-pair-1".utf8)
  static let joiner = Array("joiner".utf8)
  static let host = Array("household".utf8)

  /// The kinds, in the order in which they are sent.
  enum Kind: UInt8 {
    /// From the joiner: magic, version, session and share.
    case offer = 1
    /// From the host: its share.
    case answer
    /// From the joiner: the proof that it knows the code, and its sealed introduction.
    case proof
    /// From the host: the proof that it knows the code, and the sealed household.
    case household
    /// From the joiner: the proof that it has stored the household.
    case kept
    /// From the host: the reason why the exchange ends.
    case refusal = 15
  }

  enum Refusal: UInt8 {
    case otherVersion = 1
    case wrongCode
    /// The code has expired, was tried too often, or all machines have joined.
    case over
    /// The joiner has the key of another household, and did not say that it would give it up.
    case otherKey
  }

  static func message(_ kind: Kind, _ body: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: UInt16(truncatingIfNeeded: body.count + 1))
    bytes.append(kind.rawValue)
    return bytes + body
  }

  /// Returns the message of a refusal, with the version of this side for one that has another.
  static func message(_ refusal: Refusal) -> [UInt8] { message(.refusal, [refusal.rawValue, version]) }
}

/// Assembles messages from the bytes of a stream.
struct PairingStream {
  private var bytes: [UInt8] = []
  private(set) var isBroken = false

  /// Appends received bytes, and returns the complete messages. After bytes that cannot be a message the stream is
  /// broken for good.
  mutating func decode(_ more: some Sequence<UInt8>) -> [(kind: PairingWire.Kind, body: [UInt8])] {
    guard !isBroken else { return [] }
    bytes += more
    var found: [(PairingWire.Kind, [UInt8])] = []
    while bytes.count >= 2 {
      let count = Int(bytes[0]) << 8 | Int(bytes[1])
      guard (1...PairingWire.limit).contains(count) else { return broken(found) }
      guard bytes.count >= 2 + count else { break }
      guard let kind = PairingWire.Kind(rawValue: bytes[2]) else { return broken(found) }
      found.append((kind, Array(bytes[3..<2 + count])))
      bytes.removeFirst(2 + count)
    }
    return found
  }

  private mutating func broken(_ found: [(PairingWire.Kind, [UInt8])]) -> [(PairingWire.Kind, [UInt8])] {
    isBroken = true
    bytes = []
    return found
  }
}

/// The parts of a sealed message: for each a tag, two bytes of length, and the part. Unknown tags are ignored, so that
/// later versions can add parts.
struct PairingParts {
  enum Tag: UInt8 {
    case name = 1
    case version
    case keyID
    case gives
    case keyFile
    case seed
    case time
  }

  private(set) var bytes: [UInt8] = []
  private var found: [(tag: UInt8, body: ArraySlice<UInt8>)] = []

  init() {}

  /// Reads parts; nil if the bytes have another form.
  init?(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while let tag = rest.first {
      guard rest.count >= 3 else { return nil }
      let start = rest.startIndex
      let count = Int(rest[start + 1]) << 8 | Int(rest[start + 2])
      guard rest.count >= 3 + count else { return nil }
      found.append((tag, rest[start + 3..<start + 3 + count]))
      rest = rest[(start + 3 + count)...]
    }
  }

  /// Adds a part; its first 65,535 bytes if it is longer.
  mutating func add(_ tag: Tag, _ body: some Collection<UInt8>) {
    let body = body.prefix(Int(UInt16.max))
    bytes.append(tag.rawValue)
    bytes.append(bigEndian: UInt16(body.count))
    bytes += body
  }

  mutating func add(_ tag: Tag, number: some FixedWidthInteger) {
    var body: [UInt8] = []
    body.append(bigEndian: number)
    add(tag, body)
  }

  func all(_ tag: Tag) -> [ArraySlice<UInt8>] { found.filter { $0.tag == tag.rawValue }.map(\.body) }
  /// Returns the first part with a tag as text that can be shown: at most 64 bytes, on one line.
  func text(_ tag: Tag) -> String {
    let text = String(decoding: (all(tag).first ?? []).prefix(64), as: UTF8.self)
    return String(text.filter { !$0.isNewline && $0.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 } })
  }
  func number(_ tag: Tag) -> Int64? {
    guard let body = all(tag).first, body.count == 8 else { return nil }
    return body.withUnsafeBytes { $0.bigEndian(Int64.self, at: 0) }
  }
}

/// The two datagrams by which a joining machine finds the one that shows a code in the same network. They hold nothing
/// except a number by which answers are told apart.
public enum PairingSearch {
  /// The port at which `lunara pair` listens, by TCP for exchanges and by UDP for searches. It is next to the ports of
  /// the nodes.
  public static let port: UInt16 = 7699

  private static let question = Array("lunara-seek".utf8) + [PairingWire.version]
  private static let reply = Array("lunara-here".utf8) + [PairingWire.version]
  private static let numberSize = StartNonce.count
  /// The port and the number of the machine that shows a code.
  private static let tailSize = 2 + 8

  /// The address at which machines are paired.
  public struct Place: Hashable, Sendable {  // memberwise
    /// The port.
    public var port: UInt16
    /// A random number of the machine that shows a code, the same on each of its networks.
    public var host: UInt64
  }

  /// Returns a question with a random number. It is as long as the answer, so that spoofed questions cannot amplify an
  /// attack.
  public static func ask() -> [UInt8] {
    question + StartNonce.random().bytes + [UInt8](repeating: 0, count: tailSize)
  }

  /// Returns the answer to a question, with the address at which machines are paired; nil if the bytes are not a
  /// question.
  public static func answer(_ question: [UInt8], _ place: Place) -> [UInt8]? {
    guard question.count == Self.question.count + numberSize + tailSize, question.starts(with: Self.question) else {
      return nil
    }
    var bytes = reply + question[Self.question.count...].prefix(numberSize)
    bytes.append(bigEndian: place.port)
    bytes.append(bigEndian: place.host)
    return bytes
  }

  /// Returns the address in an answer to this question; nil if the bytes are not such an answer.
  public static func place(in answer: [UInt8], to question: [UInt8]) -> Place? {
    guard answer.count == reply.count + numberSize + tailSize, answer.starts(with: reply),
      answer[reply.count...].prefix(numberSize).elementsEqual(question[Self.question.count...].prefix(numberSize))
    else { return nil }
    let start = reply.count + numberSize
    return answer.withUnsafeBytes { bytes in
      let port = bytes.bigEndian(UInt16.self, at: start)
      return port == 0 ? nil : Place(port: port, host: bytes.bigEndian(UInt64.self, at: start + 2))
    }
  }
}
