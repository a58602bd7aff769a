import Bus
import Messages
import Model

/// An address of the media endpoint: the item that it leads to, its expiry, and a signature of this household.
///
/// Items are named by their ids. An address holds no path of a disk, so nobody can ask for one.
struct MediaLink: Hashable, Sendable {
  /// The item that a link leads to.
  enum Item: Hashable, Sendable {
    case audio(TrackID)
    /// A picture; `size` is nil for the original.
    case art(ArtID, size: Int?, takesWebP: Bool)
  }

  let item: Item
  /// The seconds from 1970 to the expiry, by this host's clock, which also checks it.
  let expires: Int64

  /// The time for which a link is valid: a track that is paused in the evening goes on the next morning.
  static let lifetime = Milliseconds(24 * 3600 * 1000)
  /// The purpose of the signatures, which is part of what is signed.
  static let label = "lunara-media-1"

  /// The reasons for which an address is refused.
  enum Refusal: Error, Hashable { case unknown, unsigned, expired }

  init(_ item: Item, expires: Int64) {
    self.item = item
    self.expires = expires
  }

  /// Reads a request's path and query.
  init(path: String, query: [String: String], signing: Signing, now: Int64) throws(Refusal) {
    if let id = Self.rest(of: path, after: "/audio/").flatMap({ TrackID($0) }) {
      item = .audio(id)
    } else if let id = Self.rest(of: path, after: "/art/").flatMap({ ArtID($0) }) {
      let size = query["size"].flatMap { Int($0) }
      guard (query["size"] == nil) == (size == nil) else { throw .unknown }
      item = .art(id, size: size, takesWebP: query["webp"] == "1")
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
    switch item {
    case .audio(let id): text = "/audio/\(Self.escaped(id.description))?"
    case .art(let id, let size, let takesWebP):
      text = "/art/\(Self.escaped(id.description))?"
      if let size { text += "size=\(size)&" }
      if takesWebP { text += "webp=1&" }
    }
    return text + "expires=\(expires)&signature=\(signing.signature(of: signed))"
  }

  /// The text that is signed. Ids stand last: a line break in one cannot change the meaning of another part.
  private var signed: String {
    switch item {
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

/// The address that the media endpoint listens on, and the one that other hosts are given.
struct MediaAddress: Hashable, Sendable {
  /// The address to listen on; `::` for all.
  var host: String
  var port: UInt16
  /// True where a person set the port; otherwise another one is used where it is taken.
  var isChosen: Bool

  /// The port where none is set.
  static let port: UInt16 = 8788

  /// Chooses the address of the setting, else the one on which the node listens for other machines, else loopback.
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

  /// True where only this machine reaches it.
  var isLoopback: Bool { Loopback.isHost(host) }

  /// True where it stands for every address of this machine.
  var isWildcard: Bool { host == "::" || host == "0.0.0.0" }

  /// Returns the beginning of the addresses that other hosts are given, without a final slash.
  ///
  /// - Parameters:
  ///   - port: the port that the endpoint listens on.
  ///   - advertised: the name by which other machines reach this one, as the node advertises it.
  func base(port: UInt16, advertised: String?) -> String {
    // An address that a person set is used as it is.
    let name = isWildcard ? advertised ?? "127.0.0.1" : isChosen || isLoopback ? host : advertised ?? host
    return "http://\(name.contains(":") ? "[\(name)]" : name):\(port)"
  }
}

/// Addresses that lead to the machine that opens them.
enum Loopback {
  /// Returns true for a host, without brackets, that is one: `localhost`, 127.0.0.0/8, ::1, and Plex's names for those.
  static func isHost(_ host: String) -> Bool {
    let host = host.lowercased()
    if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
    // 127-0-0-1.HASH.plex.direct resolves to 127.0.0.1.
    let isPlex = host.hasSuffix(".plex.direct")
    let number = isPlex ? host.prefix { $0 != "." } : host[...]
    let parts = number.split(separator: isPlex ? "-" : ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Returns true for an absolute address with such a host.
  static func isTarget(of url: String) -> Bool {
    guard let start = url.firstRange(of: "://")?.upperBound else { return false }
    var host = url[start...].prefix { !"/?#".contains($0) }
    if let at = host.lastIndex(of: "@") { host = host[host.index(after: at)...] }
    if host.first == "[" { return isHost(String(host.dropFirst().prefix { $0 != "]" })) }
    return isHost(String(host.prefix { $0 != ":" }))
  }
}
