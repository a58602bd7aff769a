import Model

/// The base address of a server. Paths that the server itself names, such as those of audio and pictures, are joined to
/// it without leaving the server: a name like `@other.example/x` must not become another host.
public struct HTTPBaseAddress: Hashable, Sendable {
  /// The base address, without a slash at its end.
  public let base: String
  private let origin: Origin

  /// Reads an absolute address of http or https, which has no user, query or fragment. Returns nil for any other.
  public init?(_ text: String) {
    var base = text
    while base.hasSuffix("/") { base.removeLast() }
    guard let origin = Origin(base), base.utf8.allSatisfy({ Self.isPlain($0) && $0 != UInt8(ascii: "?") }) else {
      return nil
    }
    let authority = base.drop { $0 != ":" }.dropFirst(3).prefix { $0 != "/" }
    guard !authority.isEmpty, !authority.contains("@") else { return nil }
    self.base = base
    self.origin = origin
  }

  /// True if requests to the server are encrypted.
  public var isEncrypted: Bool { origin.scheme == "https" }

  /// Returns the address of a path on this server; nil if the path does not begin with exactly one slash, or has
  /// characters with which an address could mean another place: a backslash, `#`, a blank, a control character.
  ///
  /// - Parameter path: the path, its special characters escaped; it may have a query.
  public func url(_ path: String) -> String? {
    let bytes = path.utf8
    guard bytes.first == UInt8(ascii: "/"), bytes.dropFirst().first != UInt8(ascii: "/"), bytes.allSatisfy(Self.isPlain)
    else { return nil }
    let url = base + path
    return Origin(url) == origin ? url : nil
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte > 32 && byte != 127 && byte != UInt8(ascii: "\\") && byte != UInt8(ascii: "#")
  }
}
