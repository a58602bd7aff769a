import Model

/// A service that takes scrobbles, and its protocol.
enum ScrobbleService: String, CaseIterable, Sendable {
  /// Last.fm, and whatever speaks its protocol: Libre.fm, GNU FM, Maloja.
  case lastfm
  /// ListenBrainz, and whatever speaks its interface.
  case listenbrainz

  /// The address of the service itself.
  var address: String {
    switch self {
    case .lastfm: "https://ws.audioscrobbler.com/2.0/"
    case .listenbrainz: "https://api.listenbrainz.org"
    }
  }
}

/// The base address of a server. Pure.
struct ServiceAddress: Hashable, Sendable {
  let service: ScrobbleService
  /// As requests are sent to it.
  let text: String
  /// The host, with its port where one is named.
  let host: String

  /// Takes an address as people type it; nil for the service's own.
  ///
  /// - Throws: `scrobble.badAddress`.
  init(_ typed: String?, of service: ScrobbleService) throws(LunaraError) {
    self.service = service
    var text = typed ?? service.address
    let scheme = ["https://", "http://"].first { text.lowercased().hasPrefix($0) }
    guard let scheme, !text.contains(where: { "@?#".contains($0) || $0.isWhitespace }) else {
      throw ScrobbleError.badAddress()
    }
    let rest = text.dropFirst(scheme.count)
    host = rest.prefix { $0 != "/" }.lowercased()
    guard !host.isEmpty else { throw ScrobbleError.badAddress() }
    while text.hasSuffix("/") { text.removeLast() }
    switch service {
    case .listenbrainz: break
    case .lastfm:
      // The root of the protocol, where only the server is named.
      if text.dropFirst(scheme.count).count == host.count { text += "/2.0" }
      text += "/"
    }
    self.text = text
  }

  /// Whether it is the service's own.
  var isOwn: Bool { text == service.address }

  /// The page at which one allows a program of Last.fm's protocol to scrobble.
  var signInPage: String {
    if isOwn { return "https://www.last.fm/api/auth/" }
    let base = text.hasSuffix("/2.0/") ? text.dropLast("2.0/".count) : text[...]
    return base + "api/auth/"
  }

  /// What an account is called here: the user, and the server where it is another than the service's own.
  func accountName(of user: String) -> String { isOwn ? user : "\(user)@\(host)" }
}
