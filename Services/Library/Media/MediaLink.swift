import Bus
import Messages
import Model

/// An address of the media endpoint: what it leads to, until when, and that this household has handed it out.
///
/// It names things by their ids. No path of a disk is in it, so none can be asked for.
struct MediaLink: Hashable, Sendable {
  /// What it leads to.
  enum Thing: Hashable, Sendable {
    case audio(TrackID)
    /// A picture; small where `size` says so.
    case art(ArtID, size: Int?, takesWebP: Bool)
  }

  let thing: Thing
  /// Seconds since 1970 by this host's clock, which also judges it.
  let expires: Int64

  /// How long one is good: a track that is paused in the evening goes on the next morning.
  static let lifetime = Milliseconds(24 * 3600 * 1000)
  /// What signatures of these are for.
  static let label = "lunara-media-1"

  /// Why an address is refused.
  enum Refusal: Error, Hashable { case unknown, unsigned, expired }

  init(_ thing: Thing, expires: Int64) {
    self.thing = thing
    self.expires = expires
  }

  /// Reads a request's path and query.
  init(path: String, query: [String: String], signing: Signing, now: Int64) throws(Refusal) {
    if let id = Self.rest(of: path, after: "/audio/").flatMap({ TrackID($0) }) {
      thing = .audio(id)
    } else if let id = Self.rest(of: path, after: "/art/").flatMap({ ArtID($0) }) {
      let size = query["size"].flatMap { Int($0) }
      guard (query["size"] == nil) == (size == nil) else { throw .unknown }
      thing = .art(id, size: size, takesWebP: query["webp"] == "1")
    } else {
      throw .unknown
    }
    guard let signature = query["signature"], let expires = query["expires"].flatMap({ Int64($0) }) else {
      throw .unsigned
    }
    self.expires = expires
    guard signing.accepts(signature, of: signed) else { throw .unsigned }
    guard now < expires else { throw .expired }
  }

  /// The path and query of the address.
  func target(signing: Signing) -> String {
    var text: String
    switch thing {
    case .audio(let id): text = "/audio/\(Self.escaped(id.description))?"
    case .art(let id, let size, let takesWebP):
      text = "/art/\(Self.escaped(id.description))?"
      if let size { text += "size=\(size)&" }
      if takesWebP { text += "webp=1&" }
    }
    return text + "expires=\(expires)&signature=\(signing.signature(of: signed))"
  }

  /// All that the signature vouches for. Ids hold no line breaks that could move a word into another place: they stand
  /// last.
  private var signed: String {
    switch thing {
    case .audio(let id): "audio\n\(expires)\n\(id)"
    case .art(let id, let size, let takesWebP): "art\n\(expires)\n\(size ?? 0)\n\(takesWebP ? 1 : 0)\n\(id)"
    }
  }

  private static func rest(of path: String, after prefix: String) -> String? {
    path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : nil
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for byte in text.utf8 {
      switch byte {
      case 48...57, 65...90, 97...122, 45, 46, 95, 126, 58: escaped.unicodeScalars.append(Unicode.Scalar(byte))
      default: escaped += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16).uppercased()
      }
    }
    return escaped
  }
}

/// Where the media endpoint listens, and under which address it is told to others.
struct MediaAddress: Hashable, Sendable {
  /// The address to listen on; `::` for all.
  var host: String
  var port: UInt16
  /// Whether a person has chosen the port: else another one will do where it is taken.
  var isChosen: Bool

  /// The port where none is set.
  static let port: UInt16 = 8788

  /// Chooses: what is set, or else where the node listens for other machines, or else this machine alone.
  ///
  /// - Parameters:
  ///   - setting: host and port of `LUNARA_MEDIA`; nil where it is not set.
  ///   - listening: the address that the node listens on, `*` for all; nil where it does not.
  init(setting: (host: String, port: UInt16)?, listening: String?) {
    host = setting?.host ?? listening ?? "127.0.0.1"
    if host == "*" { host = "::" }
    port = setting?.port ?? Self.port
    isChosen = setting != nil
  }

  /// Whether only this machine reaches it.
  var isLoopback: Bool { Loopback.isHost(host) }

  /// Whether it stands for every address of this machine.
  var isWildcard: Bool { host == "::" || host == "0.0.0.0" }

  /// The beginning of the addresses that others are told, without a final slash.
  ///
  /// - Parameters:
  ///   - port: the one that was got.
  ///   - advertised: how other machines reach this one, as the node tells them.
  func base(port: UInt16, advertised: String?) -> String {
    // An address of its own was set because it is the one to use.
    let name = isWildcard ? advertised ?? "127.0.0.1" : isChosen || isLoopback ? host : advertised ?? host
    return "http://\(name.contains(":") ? "[\(name)]" : name):\(port)"
  }
}

/// Addresses that lead to the very machine that opens them.
enum Loopback {
  /// Whether a host, without brackets, is one: `localhost`, 127.0.0.0/8, ::1, and Plex's names for those.
  static func isHost(_ host: String) -> Bool {
    let host = host.lowercased()
    if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
    // 127-0-0-1.HASH.plex.direct resolves to 127.0.0.1.
    let isPlex = host.hasSuffix(".plex.direct")
    let number = isPlex ? host.prefix { $0 != "." } : host[...]
    let parts = number.split(separator: isPlex ? "-" : ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Whether an absolute address has such a host.
  static func isTarget(of url: String) -> Bool {
    guard let start = url.firstRange(of: "://")?.upperBound else { return false }
    var host = url[start...].prefix { !"/?#".contains($0) }
    if let at = host.lastIndex(of: "@") { host = host[host.index(after: at)...] }
    if host.first == "[" { return isHost(String(host.dropFirst().prefix { $0 != "]" })) }
    return isHost(String(host.prefix { $0 != ":" }))
  }
}
