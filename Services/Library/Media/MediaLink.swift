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
