import Bus
import FoundationEssentials
import Messages
import Model
import System

/// An address of the media endpoint: the item that it leads to, its expiry, and a signature of this household.
///
/// Items are named by their ids. An address holds no path of a disk, so nobody can ask for one.
struct MediaLink: Hashable, Sendable {
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

  /// The reasons for which a link is refused; the raw value is the text of the answer.
  enum Refusal: String, Error {
    case unknown = "There is no such item."
    case unsigned = "This address was not given by the library."
    case expired = "This address has expired."
  }

  init(_ item: Item, expires: Int64) {
    self.item = item
    self.expires = expires
  }

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

  func target(signing: Signing) -> String {
    var text: String
    switch item {
    case .audio(let id): text = "/audio/\(PercentCoding.encode(id.description, keeping: ":"))?"
    case .art(let id, let size, let takesWebP):
      text = "/art/\(PercentCoding.encode(id.description, keeping: ":"))?"
      if let size { text += "size=\(size)&" }
      if takesWebP { text += "webp=1&" }
    }
    return text + "expires=\(expires)&signature=\(signing.signature(of: signed))"
  }

  /// The text that is signed. The id is last, so that a line break in it cannot change the meaning of another part.
  private var signed: String {
    switch item {
    case .audio(let id): "audio\n\(expires)\n\(id)"
    case .art(let id, let size, let takesWebP): "art\n\(expires)\n\(size ?? 0)\n\(takesWebP ? 1 : 0)\n\(id)"
    }
  }

  private static func rest(of path: String, after prefix: String) -> String? {
    path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : nil
  }
}

/// The address that the media endpoint listens on, and the one that other hosts are given.
package struct MediaAddress: Hashable, Sendable {
  /// The address to listen on; `::` for all.
  var host: String
  var port: UInt16
  /// True where a person set the port; otherwise another one is used where it is taken.
  var isChosen: Bool

  static let port: UInt16 = 8788

  /// Chooses the address of the setting, else the one on which the node listens for other machines, else loopback.
  /// `setting` is that of `LUNARA_MEDIA`; `listening` is `*` where the node listens on all addresses.
  package init(setting: (host: String, port: UInt16)?, listening: String?) {
    host = setting?.host ?? listening ?? "127.0.0.1"
    if host == "*" { host = "::" }
    port = setting?.port ?? Self.port
    isChosen = setting != nil
  }

  var isLoopback: Bool { Loopback.isHost(host) }

  var isWildcard: Bool { host == "::" || host == "0.0.0.0" }

  /// Returns the beginning of the addresses that other hosts are given, without a final slash. `advertised` is the name
  /// by which other machines reach this one.
  func base(port: UInt16, advertised: String?) -> String {
    // An address that a person set is used as it is.
    let name = isWildcard ? advertised ?? "127.0.0.1" : isChosen || isLoopback ? host : advertised ?? host
    return "http://\(name.contains(":") ? "[\(name)]" : name):\(port)"
  }
}
