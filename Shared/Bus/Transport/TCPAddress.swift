import System

/// A host and a port, in text `tcp://HOST:PORT`, with an IPv6 address in brackets.
struct TCPAddress: Hashable, Sendable, CustomStringConvertible {
  /// A name or an address, IPv6 without brackets; `*` to listen on all interfaces.
  var host: String
  var port: UInt16

  /// The default first port of a machine's nodes.
  static let base: UInt16 = 7700
}

extension TCPAddress {
  /// Reads `tcp://HOST[:PORT]` or `HOST[:PORT]`; nil if the text has another form.
  init?(_ text: String, port: UInt16 = Self.base) {
    var rest = Substring(text)
    if rest.hasPrefix("tcp://") { rest = rest.dropFirst(6) }
    let name: Substring
    var number: Substring?
    if rest.hasPrefix("[") {
      guard let end = rest.firstIndex(of: "]") else { return nil }
      name = rest[rest.index(after: rest.startIndex)..<end]
      let tail = rest[rest.index(after: end)...]
      guard tail.isEmpty || tail.hasPrefix(":"), name.contains(":") else { return nil }
      if !tail.isEmpty { number = tail.dropFirst() }
    } else if rest.count(where: { $0 == ":" }) > 1 {
      // An IPv6 address without brackets has no port.
      name = rest
    } else {
      let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
      name = parts[0]
      if parts.count == 2 { number = parts[1] }
    }
    guard Self.isHost(name) else { return nil }
    host = String(name)
    guard let number else {
      self.port = port
      return
    }
    guard let port = UInt16(number), port > 0 else { return nil }
    self.port = port
  }

  private static func isHost(_ text: Substring) -> Bool {
    if text == "*" { return true }
    // nanomsg accepts at most 128 bytes, and no zone.
    return !text.isEmpty && text.utf8.count <= 100
      && text.utf8.allSatisfy {
        (97...122).contains($0) || (65...90).contains($0) || (48...57).contains($0) || [45, 46, 58].contains($0)
      }
  }

  /// True if it means all interfaces of the machine.
  var isWildcard: Bool { ["*", "0.0.0.0", "::"].contains(host) }

  /// True if its text denotes this machine itself.
  var isLoopback: Bool { Loopback.isHost(host) }

  /// True if it is an address and not a name, so that no lookup is needed.
  var isNumeric: Bool { host.contains(":") || host.utf8.allSatisfy { (48...57).contains($0) || $0 == 46 } }

  /// Returns the same host with a higher port; nil beyond the last port.
  func port(plus offset: Int) -> TCPAddress? {
    UInt16(exactly: Int(port) + offset).map { TCPAddress(host: host, port: $0) }
  }

  var description: String { host.contains(":") ? "tcp://[\(host)]:\(port)" : "tcp://\(host):\(port)" }
}
