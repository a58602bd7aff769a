import Bus
import HTTP
import Messages
import Model
import System
import Text

/// The ways to the sources outside: ListenBrainz and Last.fm through the service that scrobbles, music servers through
/// the library, and MusicBrainz directly. Each bounds what it answers.
struct OutsideAccess: Sendable {
  /// Reads from a scrobble service. Throws the errors of the request.
  var scrobbler: @Sendable (Scrobble.ReadFromService) async throws -> Scrobble.ServiceAnswer
  /// Returns the kinds of scrobble account that are signed in; nil if unknown.
  var accounts: @Sendable () async -> Set<String>?
  /// Returns the albums that the server of an album names as similar.
  var similar: @Sendable (Library.ListSimilarAlbums) async throws -> Library.SimilarAlbums
  var musicBrainz: MusicBrainzClient
  /// The base address of the Cover Art Archive.
  var coverArt = usualCoverArt

  static let usualCoverArt = "https://coverartarchive.org"

  /// The time in which another service answers: it may wait for others that read, and then for a server.
  private static let patience = Duration.seconds(60)

  /// Returns the JSON of an answer of ListenBrainz; nil if nothing was computed (204).
  ///
  /// - Parameter mayBeUnknown: true to return nil for an unknown item (404), too.
  /// - Throws: `discovery.sourceAway`, `SourcePause`.
  func listenBrainz(
    _ path: String, _ parameters: [String: String] = [:], body: String? = nil, mayBeUnknown: Bool = false
  ) async throws -> JSONView? {
    try await json(
      .init(service: "listenbrainz", path: path, parameters: parameters, body: body), "ListenBrainz", mayBeUnknown)
  }

  /// Returns the JSON of an answer of Last.fm; nil if nothing was computed.
  ///
  /// - Parameter mayBeUnknown: true to return nil for an unknown item, too.
  /// - Throws: `discovery.sourceAway`, `SourcePause`.
  func lastFM(
    _ method: String, _ parameters: [String: String], mayBeUnknown: Bool = false
  ) async throws -> JSONView? {
    try await json(.init(service: "lastfm", path: method, parameters: parameters), "Last.fm", mayBeUnknown)
  }

  private func json(
    _ request: Scrobble.ReadFromService, _ title: String, _ mayBeUnknown: Bool
  ) async throws -> JSONView? {
    let answer = try await scrobbler(request)
    switch answer.status {
    case 204: return nil
    case 404 where mayBeUnknown: return nil
    case 200:
      guard let view = JSONView(Array(answer.body.utf8)), view.isObject || view.isArray else {
        throw Self.away(title, cause: "its answer is no JSON: \(Self.shown(answer.body))")
      }
      return view
    case 413: throw Self.away(title, cause: "its answer is too long")
    default:
      let error = Self.away(title, cause: "it answered \(answer.status): \(Self.shown(answer.body))")
      if let until = answer.waitsUntil { throw SourcePause(until: until, error: error) }
      throw error
    }
  }

  /// Returns the beginning of a text that cannot be trusted, for a message.
  static func shown(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(120))).withoutUnsafeScalars
  }

  static func away(_ title: String, cause: String) -> LunaraError {
    LunaraError(
      "discovery.sourceAway",
      "\(title) cannot be read now. Walls go on with what it gave before; it is asked again later.", cause: cause)
  }
}

extension OutsideAccess {
  /// Asks the services of a household.
  ///
  /// - Parameter setting: returns the value of a setting by its name.
  init(node: Node, setting: (String) -> String?) {
    self.init(
      scrobbler: { try await node.request($0, to: .scrobble, within: Self.patience) },
      accounts: {
        do {
          let list = try await node.request(Scrobble.ListAccounts(), to: .scrobble, within: .seconds(2))
          return Set(list.accounts.filter { $0.state != "signed-out" }.map(\.service))
        } catch {
          return nil
        }
      }, similar: { try await node.request($0, to: .library, within: Self.patience) },
      musicBrainz: MusicBrainzClient(
        address: setting("LUNARA_MUSICBRAINZ_URL"), contact: setting("LUNARA_MUSICBRAINZ_CONTACT")))
    guard var address = setting("LUNARA_COVERART_URL") else { return }
    while address.hasSuffix("/") { address.removeLast() }
    coverArt = address
  }
}

/// Reads from MusicBrainz: at most one request in a second, as it asks (musicbrainz.org/doc/MusicBrainz_API). The HTTP
/// client exists only while it is read.
actor MusicBrainzClient {
  static let usualAddress = "https://musicbrainz.org"
  private static let pace = Duration.milliseconds(1100)
  private static let mostBytes = 1 << 20

  private let address: String
  private let userAgent: String
  private let sleep: @Sendable (Duration) async throws -> Void
  private var http: HTTPClient?
  private var last: ContinuousClock.Instant?
  /// The time before which the service asked not to be asked again.
  private var quietUntil: Timestamp?

  /// - Parameter contact: how MusicBrainz can reach those who wrote or use this program.
  init(
    address: String?, contact: String?,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.address = address ?? Self.usualAddress
    userAgent = "Lunara/\(LunaraVersion.current) (\(contact ?? "a household's own player"))"
    self.sleep = sleep
  }

  /// Returns the JSON at a path; nil if there is none (400, 404, 410), or where it is longer than 1 MiB.
  ///
  /// - Throws: `discovery.sourceAway`, `SourcePause`, `CancellationError`.
  func read(_ path: String, now: Timestamp = .now()) async throws -> JSONView? {
    if let quietUntil, quietUntil > now, quietUntil.seconds - now.seconds <= 86_400 {
      throw SourcePause(until: quietUntil, error: OutsideAccess.away("MusicBrainz", cause: "it asked for a pause"))
    }
    // The turn is taken before the wait, so that two that read at the same time wait for each other.
    let time = ContinuousClock.now
    let turn = last.map { max(time, $0 + Self.pace) } ?? time
    last = turn
    let rest = time.duration(to: turn)
    if rest > .zero { try await sleep(rest) }
    let client = http ?? HTTPClient(userAgent: userAgent)
    http = client
    guard let url = HTTPBaseAddress(address)?.url(path) else {
      throw OutsideAccess.away("MusicBrainz", cause: "LUNARA_MUSICBRAINZ_URL is no address of a server")
    }
    let response: HTTPResponse
    do {
      response = try await client.send(
        HTTPRequest(
          .reads, url: url, headers: [("Accept", "application/json")], timeout: .seconds(20),
          responseLimit: Self.mostBytes,
          redirectLimit: 0))
    } catch let error as LunaraError {
      // One item that is too large must not keep the others from being read.
      if error.code == "http.tooLarge" { return nil }
      throw OutsideAccess.away("MusicBrainz", cause: error.message)
    }
    switch response.status {
    case 200:
      guard let view = JSONView(response.body), view.isObject else {
        let text = String(decoding: response.body.prefix(400), as: UTF8.self)
        throw OutsideAccess.away("MusicBrainz", cause: "its answer is no JSON: \(OutsideAccess.shown(text))")
      }
      return view
    case 400, 404, 410: return nil
    default:
      let error = OutsideAccess.away("MusicBrainz", cause: "it answered \(response.status)")
      guard [429, 503].contains(response.status) else { throw error }
      let pause = response.retryAfter(now: Int(now.seconds)).map { $0.components.seconds } ?? 60
      let until = Timestamp(seconds: now.seconds + max(1, pause))
      quietUntil = until
      throw SourcePause(until: until, error: error)
    }
  }

  /// Ends the client after a reading.
  func release() { http = nil }
}
