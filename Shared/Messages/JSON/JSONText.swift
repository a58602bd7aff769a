/// A JSON text and where its values lie in it, found in one pass. Any bytes give one or nil.
///
/// It is as strict as RFC 8259, but keeps the first of two members of one name.
final class JSONText: Sendable {
  /// One value, or the name of a member.
  struct Node: Sendable {
    enum Kind: UInt8, Sendable {
      case null, no, yes, number, string, array, object
    }

    var kind: Kind
    /// Whether a string holds escapes.
    var isEscaped = false
    /// Whether a string holds more than ASCII.
    var isWide = false
    /// Where its text begins; a string's without its quotes.
    var start: Int32
    /// Where its text ends.
    var end: Int32
    /// The node that follows it and all that is within it.
    var next: Int32 = 0
  }

  let bytes: [UInt8]
  /// In the order of the text: an object is followed by the name and the value of each member, an array by its
  /// elements.
  let nodes: [Node]

  /// How deep values may lie within each other.
  private static let depthLimit = 100

  init?(_ bytes: [UInt8]) {
    guard bytes.count < 1 << 30 else { return nil }
    self.bytes = bytes
    var nodes: [Node] = []
    // About so many bytes a node have the answers of servers; messages are small.
    nodes.reserveCapacity(32 + bytes.count / 24)
    let isWhole = bytes.withUnsafeBufferPointer { bytes in
      var scan = Scan(bytes: bytes)
      guard scan.value(into: &nodes, depth: 0) else { return false }
      scan.space()
      return scan.at == bytes.count
    }
    guard isWhole else { return nil }
    self.nodes = nodes
  }

  /// The bytes of a node's text.
  func withText<Result>(of node: Node, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
    try bytes.withUnsafeBufferPointer {
      try body(UnsafeBufferPointer(rebasing: $0[Int(node.start)..<Int(node.end)]))
    }
  }

  /// One pass over the bytes.
  private struct Scan {
    let bytes: UnsafeBufferPointer<UInt8>
    var at = 0

    private var byte: UInt8 { at < bytes.count ? bytes[at] : 0 }

    mutating func space() {
      while at < bytes.count, bytes[at] == 32 || bytes[at] == 10 || bytes[at] == 13 || bytes[at] == 9 { at += 1 }
    }

    private mutating func take(_ expected: UInt8) -> Bool {
      guard byte == expected, at < bytes.count else { return false }
      at += 1
      return true
    }

    mutating func value(into nodes: inout [Node], depth: Int) -> Bool {
      guard depth < depthLimit else { return false }
      space()
      switch byte {
      case UInt8(ascii: "\""): return string(into: &nodes)
      case UInt8(ascii: "{"): return list(.object, UInt8(ascii: "}"), into: &nodes, depth: depth)
      case UInt8(ascii: "["): return list(.array, UInt8(ascii: "]"), into: &nodes, depth: depth)
      case UInt8(ascii: "t"): return word("true", .yes, into: &nodes)
      case UInt8(ascii: "f"): return word("false", .no, into: &nodes)
      case UInt8(ascii: "n"): return word("null", .null, into: &nodes)
      default: return number(into: &nodes)
      }
    }

    private mutating func list(_ kind: Node.Kind, _ end: UInt8, into nodes: inout [Node], depth: Int) -> Bool {
      let own = nodes.count
      nodes.append(Node(kind: kind, start: Int32(at), end: 0))
      at += 1
      space()
      if byte != end {
        repeat {
          if kind == .object {
            space()
            guard byte == UInt8(ascii: "\""), string(into: &nodes), isText(nodes[nodes.count - 1]) else { return false }
            space()
            guard take(UInt8(ascii: ":")) else { return false }
          }
          guard value(into: &nodes, depth: depth + 1) else { return false }
          space()
        } while take(UInt8(ascii: ","))
      }
      guard take(end) else { return false }
      nodes[own].end = Int32(at)
      nodes[own].next = Int32(nodes.count)
      return true
    }

    /// Whether the name of a member is one; values are looked at when they are wanted.
    private func isText(_ name: Node) -> Bool {
      guard name.isWide || name.isEscaped else { return true }
      return JSONText.string(UnsafeBufferPointer(rebasing: bytes[Int(name.start)..<Int(name.end)]), name) != nil
    }

    private mutating func string(into nodes: inout [Node]) -> Bool {
      at += 1
      var node = Node(kind: .string, start: Int32(at), end: 0, next: Int32(nodes.count + 1))
      while at < bytes.count {
        while JSONDraft.isPlain(bytes, at) { at += 8 }
        guard at < bytes.count else { return false }
        switch bytes[at] {
        case UInt8(ascii: "\""):
          node.end = Int32(at)
          at += 1
          nodes.append(node)
          return true
        case UInt8(ascii: "\\"):
          node.isEscaped = true
          at += 2
        case 0..<32: return false
        case 128...255:
          node.isWide = true
          at += 1
        default: at += 1
        }
      }
      return false
    }

    private mutating func word(_ word: StaticString, _ kind: Node.Kind, into nodes: inout [Node]) -> Bool {
      let length = word.utf8CodeUnitCount
      guard at + length <= bytes.count else { return false }
      for offset in 0..<length where bytes[at + offset] != word.utf8Start[offset] { return false }
      nodes.append(Node(kind: kind, start: Int32(at), end: Int32(at + length), next: Int32(nodes.count + 1)))
      at += length
      return true
    }

    private mutating func digits() -> Bool {
      let start = at
      while at < bytes.count, (48...57).contains(bytes[at]) { at += 1 }
      return at > start
    }

    private mutating func number(into nodes: inout [Node]) -> Bool {
      let start = at
      _ = take(UInt8(ascii: "-"))
      if !take(UInt8(ascii: "0")) { guard digits() else { return false } }
      if take(UInt8(ascii: ".")) { guard digits() else { return false } }
      if byte | 32 == UInt8(ascii: "e") {
        at += 1
        if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
        guard digits() else { return false }
      }
      nodes.append(Node(kind: .number, start: Int32(start), end: Int32(at), next: Int32(nodes.count + 1)))
      return true
    }
  }
}
