public import Messages
public import Model

/// The JSON object in every frame, which holds the payload and describes it.
public struct Envelope: Hashable, Sendable {
  /// The id of this message; an answer has the id of its request.
  public var id: String
  /// The node that sent the message.
  public var node: NodeID
  /// The author of the message: the sender, except in a replay, which sends recorded messages of others.
  public var author: NodeID { node.isReplay ? recordedOf ?? node : node }
  /// The start number of the sender, which grows with every start.
  public var epoch: Int64
  /// The sequence number within the node's journal; facts only.
  public var seq: Int64?
  /// The version within the epoch; states only.
  public var version: Int64?
  /// The time of sending, by the sender's clock; for a fact, the time of writing.
  public var time: Timestamp
  /// The kind of the message.
  public var kind: String
  /// The identity of a journal: for a fact, the journal that holds it; for a state, that of the sender; for a command,
  /// that of the node it is meant for.
  public var journal: String?
  /// The start number of the node that a command is meant for, if the asker knows it; requests only.
  public var target: Int64?
  /// The time for which the asker waits for an answer; requests only.
  public var patience: Milliseconds?
  /// The node from which a replay recorded the message.
  var recordedOf: NodeID?
  /// The payload, as JSON.
  public var payload: [UInt8]

  /// The delivery class, derived from the fields that are present.
  public var delivery: Delivery { seq != nil ? .fact : version != nil ? .state : patience != nil ? .request : .signal }

  /// Returns the JSON text.
  public func encoded() -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(payload.count + 256)
    func put(_ part: StaticString) {
      text.append(contentsOf: UnsafeBufferPointer(start: part.utf8Start, count: part.utf8CodeUnitCount))
    }
    func put(_ key: StaticString, _ value: String) {
      put(key)
      Self.appendQuoted(value, to: &text)
    }
    func put(_ key: StaticString, _ number: Int64?) {
      guard let number else { return }
      put(key)
      text.append(contentsOf: number.description.utf8)
    }
    put("{\"id\":", id)
    put(",\"node\":", node.description)
    if let recordedOf { put(",\"as\":", recordedOf.description) }
    put(",\"epoch\":", epoch)
    put(",\"seq\":", seq)
    put(",\"version\":", version)
    put(",\"time\":", time.description)
    put(",\"kind\":", kind)
    if let journal { put(",\"journal\":", journal) }
    put(",\"target\":", target)
    put(",\"patience\":", patience?.rawValue)
    put(",\"payload\":")
    text.append(contentsOf: payload)
    text.append(UInt8(ascii: "}"))
    return text
  }

  static func bad(_ why: String) -> LunaraError {
    LunaraError("bus.badEnvelope", "A frame on the bus holds no valid envelope.", cause: why)
  }

  private static func appendQuoted(_ value: String, to text: inout [UInt8]) {
    var value = value
    text.append(UInt8(ascii: "\""))
    value.withUTF8 { bytes in
      if bytes.contains(where: { $0 < 32 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
        appendEscaped(bytes, to: &text)
      } else {
        text.append(contentsOf: bytes)
      }
    }
    text.append(UInt8(ascii: "\""))
  }

  private static func appendEscaped(_ bytes: UnsafeBufferPointer<UInt8>, to text: inout [UInt8]) {
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
      case 0..<32:
        text += Array("\\u00\(byte < 16 ? "0" : "1")".utf8) + [Array("0123456789abcdef".utf8)[Int(byte & 15)]]
      default: text.append(byte)
      }
    }
  }
}

extension Envelope {
  /// The topic under which the author publishes this kind.
  public var topic: String {
    let words = kind.split(separator: ".", maxSplits: 1)
    let role = words.first == "bus" ? Substring(author.role) : words.first ?? ""
    return "\(role).\(author.name).\(words.last ?? "")."
  }

  /// The position of the fact in its journal; nil for other messages.
  var position: JournalPosition? {
    guard let seq, let journal else { return nil }
    return JournalPosition(journal: journal, epoch: epoch, seq: seq)
  }
}

extension Envelope {
  /// Reads an envelope.
  ///
  /// - Throws: `bus.badEnvelope` if the bytes are not a valid envelope.
  public init(decoding bytes: some Collection<UInt8>) throws {
    func read(_ raw: UnsafeRawBufferPointer) throws -> Fields {
      var fields = Fields()
      guard JSONSlice.members(of: raw, { fields.decode($0, UnsafeRawBufferPointer(rebasing: raw[$1])) }) else {
        throw Self.bad("no JSON object")
      }
      return fields
    }
    let fields =
      try bytes.withContiguousStorageIfAvailable { try read(UnsafeRawBufferPointer($0)) }
      ?? ContiguousArray(bytes).withUnsafeBytes(read)
    guard let id = fields.id, let node = fields.node.flatMap({ NodeID($0) }), let epoch = fields.epoch,
      let time = fields.time.flatMap({ Timestamp($0) }), let kind = fields.kind, let payload = fields.payload
    else { throw Self.bad("a field is missing or has another type") }
    self.init(
      id: id, node: node, epoch: epoch, seq: fields.seq, version: fields.version, time: time, kind: kind,
      journal: fields.journal, target: fields.target, patience: fields.patience.map { Milliseconds($0) },
      recordedOf: fields.recordedOf.flatMap { NodeID($0) }, payload: payload)
  }

  /// Reads a JSON object with a list of envelopes; returns the envelopes, and the object without the list.
  ///
  /// - Throws: `bus.badEnvelope`.
  static func list(named name: String, in bytes: [UInt8]) throws -> (envelopes: [Envelope], rest: [UInt8]) {
    try bytes.withUnsafeBytes { raw in
      var list: Range<Int>?
      var rest = Array("{".utf8)
      let isObject = JSONSlice.members(of: raw) { key, value in
        if key.elementsEqual(name.utf8) {
          list = value
        } else {
          if rest.count > 1 { rest.append(UInt8(ascii: ",")) }
          rest += Array("\"".utf8) + key + Array("\":".utf8) + raw[value]
        }
      }
      guard isObject, let list else { throw bad("a list of envelopes is missing") }
      let array = UnsafeRawBufferPointer(rebasing: raw[list])
      guard let elements = JSONSlice.elements(of: array) else { throw bad("a list of envelopes is missing") }
      let envelopes = try elements.map { try Envelope(decoding: UnsafeRawBufferPointer(rebasing: array[$0])) }
      return (envelopes, rest + Array("}".utf8))
    }
  }
}

private struct Fields {
  var id: String?
  var node: String?
  var recordedOf: String?
  var epoch: Int64?
  var seq: Int64?
  var version: Int64?
  var time: String?
  var kind: String?
  var journal: String?
  var target: Int64?
  var patience: Int64?
  var payload: [UInt8]?

  mutating func decode(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    // Bytes are compared, as a switch over strings would compare the key with one name after the other.
    func isKey(_ name: StaticString) -> Bool {
      name.utf8CodeUnitCount == key.count
        && key.elementsEqual(UnsafeBufferPointer(start: name.utf8Start, count: key.count))
    }
    switch key.first {
    case UInt8(ascii: "i") where isKey("id"): id = Self.text(value)
    case UInt8(ascii: "n") where isKey("node"): node = Self.text(value)
    case UInt8(ascii: "a") where isKey("as"): recordedOf = Self.text(value)
    case UInt8(ascii: "e") where isKey("epoch"): epoch = Self.number(value)
    case UInt8(ascii: "s") where isKey("seq"): seq = Self.number(value)
    case UInt8(ascii: "v") where isKey("version"): version = Self.number(value)
    case UInt8(ascii: "t") where isKey("time"): time = Self.text(value)
    case UInt8(ascii: "k") where isKey("kind"): kind = Self.text(value)
    case UInt8(ascii: "j") where isKey("journal"): journal = Self.text(value)
    case UInt8(ascii: "t") where isKey("target"): target = Self.number(value)
    case UInt8(ascii: "p") where isKey("patience"): patience = Self.number(value)
    case UInt8(ascii: "p") where isKey("payload"): payload = Array(value)
    default: break
    }
  }

  private static func number(_ value: UnsafeRawBufferPointer) -> Int64? {
    Int64(String(decoding: value, as: UTF8.self))
  }

  private static func text(_ value: UnsafeRawBufferPointer) -> String? {
    guard value.count >= 2, value[0] == UInt8(ascii: "\"") else { return nil }
    guard value.contains(UInt8(ascii: "\\")) else {
      return String(validating: value[1..<value.count - 1], as: UTF8.self)
    }
    // Escapes are rare: the ids and names of this project contain none, but other writers may use them.
    do { return try MessageCoding.decode(String.self, from: value) } catch { return nil }
  }
}
