import Model
import Text

/// Where a Subsonic server is.
struct SubsonicAddress: Hashable, Sendable {
  /// The base address without a slash at its end, and without `/rest`.
  let base: String

  /// Takes what a person types: `https://music.example.org/navidrome/`, `nas:4533`.
  ///
  /// - Throws: `library.badAddress`.
  init(_ text: String) throws(LunaraError) {
    var base = text.trimmed
    if !base.contains("://") { base = "http://\(base)" }
    while base.hasSuffix("/") { base.removeLast() }
    if base.hasSuffix("/rest") { base.removeLast(5) }
    let rest = base.drop { $0 != ":" }.dropFirst(3)
    guard base.hasPrefix("http://") || base.hasPrefix("https://"), let first = rest.first, first != "/",
      !base.contains(where: { $0 == "?" || $0 == "#" || $0 == "@" || $0.isWhitespace })
    else {
      // What may be a secret is not said again.
      if text.contains(where: { $0 == "@" || $0 == "?" }) { throw SourceError.carriesSecret("subsonic") }
      throw LunaraError(
        "library.badAddress", "\(text) is no address of a server. Give one such as https://music.example.org.")
    }
    self.base = base
  }

  /// The host, with its port where one is given: what people call the server.
  var server: String { String(base.drop { $0 != ":" }.dropFirst(3).prefix { $0 != "/" }) }

  /// Whether nobody on the way can listen: the way is encrypted, or it does not leave this machine.
  var isSafe: Bool {
    if base.hasPrefix("https://") { return true }
    let host =
      server.hasPrefix("[") ? String(server.dropFirst().prefix { $0 != "]" }) : String(server.prefix { $0 != ":" })
    if host == "localhost" || host == "::1" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return parts.count == 4 && parts.allSatisfy { $0 != nil } && parts[0] == 127
  }
}
