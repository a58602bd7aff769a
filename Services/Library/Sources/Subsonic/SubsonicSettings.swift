import HTTP
import Messages
import Model
import ServiceKit

/// What a person decides about a Subsonic server, kept with the source as JSON.
struct SubsonicSettings: Codable, Hashable, Sendable {
  /// Whether plays are told to the server; nil is no.
  var forwardsPlays: Bool?
  /// Whether the password may go as it is over a way that is not encrypted; nil is no.
  var exposesPassword: Bool?

  /// Reads them; what is missing is as if nobody had decided.
  init(_ json: String?) throws {
    guard let json else { return }
    self = try MessageCoding.decode(SubsonicSettings.self, from: Array(json.utf8))
  }

  /// What a person decided before, with what they decide now; nil where nothing was ever decided.
  static func merged(_ json: String?, with request: Library.AddSource) throws -> String? {
    guard request.exposesPassword != nil || request.forwardsPlays != nil else { return json }
    var settings = try SubsonicSettings(json)
    settings.exposesPassword = request.exposesPassword ?? settings.exposesPassword
    settings.forwardsPlays = request.forwardsPlays ?? settings.forwardsPlays
    return String(decoding: try MessageCoding.encode(settings), as: UTF8.self)
  }
}

extension SubsonicServer {
  /// A connection to the server at an address. With a user the secret is a password, without one it is an API key.
  /// Nothing is sent yet.
  ///
  /// - Throws: `library.badAddress`; `library.signedOut` where there is no secret.
  static func connect(
    _ address: String, user: String?, secret: String?, settings: String?, http: HTTPClient
  ) throws -> SubsonicServer {
    let address = try SubsonicAddress(address)
    guard let secret else { throw SubsonicError.signedOut(address.server, "no password or key is known") }
    let settings = try SubsonicSettings(settings)
    let client = SubsonicClient(
      address, user.map { .password(user: $0, password: secret) } ?? .apiKey(secret),
      hasConsent: settings.exposesPassword ?? false, http: http)
    return SubsonicServer(client, forwardsPlays: settings.forwardsPlays ?? false)
  }
}

extension SubsonicServer {
  /// The kind of source that such servers are. All its connections share one client. `LUNARA_SUBSONIC_URL`, `_USER` and
  /// `_PASSWORD` set one up; without a user the password is an API key.
  static func kind(_ http: HTTPClient, _ settings: Settings? = nil) -> SourceDescriptor {
    let setup = settings.flatMap { settings in
      settings["LUNARA_SUBSONIC_URL"].map { url in
        SourceDescriptor.Setup(
          address: url, account: settings["LUNARA_SUBSONIC_USER"], secret: settings["LUNARA_SUBSONIC_PASSWORD"])
      }
    }
    return SourceDescriptor(
      name: "subsonic", setup: setup, check: { _ = try SubsonicAddress($0) }, decide: SubsonicSettings.merged
    ) { record, secret in
      try connect(record.address ?? "", user: record.account, secret: secret, settings: record.settings, http: http)
    }
  }
}
