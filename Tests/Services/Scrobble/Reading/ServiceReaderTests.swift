import Bus
import HTTP
import Messages
import Model
import ServiceKit
import Storage
import Synchronization
import TestSupport
import Testing

@testable import lunara_scrobble

/// Reading from the scrobble services for other services, against servers on loopback.
@Suite(.timeLimit(.minutes(2))) struct ServiceReaderTests {
  /// The folder of the credentials.
  private let folder = TemporaryDirectory()

  /// A server that notes what it was asked, and answers what a test gives it.
  private final class Server: Sendable {
    struct Asked {
      var method = ""
      var path = ""
      var query: [String: String] = [:]
      var token: String?
      var body = ""
    }
    let asked = Mutex<[Asked]>([])
    let answer = Mutex(HTTPServerResponse(text: "{}"))
    private let server = Mutex<HTTPServer?>(nil)

    init() throws {
      let server = try HTTPServer(address: "127.0.0.1", port: 0) { [weak self] request in
        self?.respond(request) ?? HTTPServerResponse(status: 500)
      }
      self.server.withLock { $0 = server }
    }

    private func respond(_ request: HTTPServerRequest) -> HTTPServerResponse {
      if request.path == "/1/validate-token" { return HTTPServerResponse(text: #"{"valid":true,"user_name":"ann x"}"#) }
      asked.withLock {
        $0.append(
          Asked(
            method: request.method, path: request.path, query: request.query, token: request.header("Authorization"),
            body: String(decoding: request.body, as: UTF8.self)))
      }
      return answer.withLock { $0 }
    }

    var address: String { "http://127.0.0.1:\(server.withLock { $0?.port ?? 0 })" }
    var last: Asked? { asked.withLock { $0.last } }
    var count: Int { asked.withLock { $0.count } }

    func stop() async { await server.withLock { $0 }?.stop() }
  }

  /// Returns a reader with an account at ListenBrainz named `ann x`, and a key of Last.fm.
  private func reader(_ server: Server, now: @escaping @Sendable () -> Timestamp = { .now() }) async throws
    -> (reader: ServiceReader, household: TestScrobbler)
  {
    let household = try await TestScrobbler()
    let database = try household.bus.database("reading", migrations: Schema.migrations)
    let settings = [
      "LUNARA_LISTENBRAINZ_URL": server.address, "LUNARA_LASTFM_URL": server.address, "LUNARA_LASTFM_KEY": "k1",
    ]
    let context = AccountContext(
      database: database, journal: try await Journal(database),
      credentials: AccountCredentials(store: CredentialStore(home: folder.path)), http: HTTPClient(userAgent: "Test"),
      log: .quiet, setting: { settings[$0] })
    let (_, address) = try context.service("listenbrainz", at: nil)
    let name = address.accountName(of: "ann x")
    try context.credentials.write(Credentials(token: "secret-token"), of: "listenbrainz/\(name)")
    _ = try await database.write(.power) { try AccountStore.signIn(address, name: name, $0) }
    return (ServiceReader(context, now: now, sleep: { _ in }), household)
  }

  private func refusal(_ body: () async throws -> some Sendable) async -> String? {
    do { _ = try await body() } catch { return LunaraError(error).code }
    return nil
  }

  @Test func listenBrainzIsReadWithTheTokenOfTheAccountAndTheNameOfItsUser() async throws {
    let server = try Server()
    let (reader, household) = try await reader(server)
    server.answer.withLock { $0 = HTTPServerResponse(text: #"{"payload":{"releases":[]}}"#) }
    let answer = try await reader.read(
      .init(service: "listenbrainz", path: "1/user/{user}/fresh_releases", parameters: ["days": "14", "sort": "a&b"]))
    #expect(answer == .init(status: 200, body: #"{"payload":{"releases":[]}}"#))
    let asked = try #require(server.last)
    #expect(
      asked.method == "GET" && asked.path == "/1/user/ann x/fresh_releases" && asked.token == "Token secret-token")
    #expect(asked.query == ["days": "14", "sort": "a&b"])
    _ = try await reader.read(
      .init(service: "listenbrainz", path: "1/popularity/release-group", body: #"{"release_group_mbids":[]}"#))
    #expect(server.last?.method == "POST" && server.last?.body == #"{"release_group_mbids":[]}"#)
    await server.stop()
    await household.close()
  }

  @Test func lastFMIsReadWithTheKeyAlone() async throws {
    let server = try Server()
    let (reader, household) = try await reader(server)
    server.answer.withLock { $0 = HTTPServerResponse(text: #"{"similarartists":{"artist":[]}}"#) }
    let answer = try await reader.read(
      .init(service: "lastfm", path: "artist.getSimilar", parameters: ["artist": "Björk & Co"]))
    #expect(answer.status == 200)
    let asked = try #require(server.last)
    #expect(asked.method == "GET" && asked.path == "/2.0/" && asked.token == nil)
    #expect(
      asked.query == ["api_key": "k1", "artist": "Björk & Co", "format": "json", "method": "artist.getSimilar"])
    // A request about a person needs an account.
    let tops = Scrobble.ReadFromService(service: "lastfm", path: "user.getTopAlbums", parameters: ["user": "{user}"])
    #expect(await refusal { try await reader.read(tops) } == "scrobble.noAccount")
    // Errors come with the status 200 as well.
    for (code, status) in [(29, 429), (11, 503), (6, 404), (10, 403), (3, 400)] {
      let (again, other) = try await self.reader(server)
      server.answer.withLock { $0 = HTTPServerResponse(text: #"{"error":\#(code),"message":"m"}"#) }
      let answer = try await again.read(.init(service: "lastfm", path: "chart.getTopArtists"))
      #expect(answer.status == status && (status != 429 || answer.waitsUntil != nil))
      await other.close()
    }
    await server.stop()
    await household.close()
  }

  @Test func whatIsNotOnTheListIsRefusedWithoutARequest() async throws {
    let server = try Server()
    let (reader, household) = try await reader(server)
    let id = "f32fab67-77dd-3937-addc-9062e28e4c37"
    for request in [
      Scrobble.ReadFromService(service: "listenbrainz", path: "1/submit-listens", body: "{}"),
      .init(service: "listenbrainz", path: "1/validate-token"), .init(service: "listenbrainz", path: "1/../1/x"),
      .init(service: "listenbrainz", path: "1/lb-radio/artist/..%2f"), .init(service: "listenbrainz", path: ""),
      .init(service: "listenbrainz", path: "1/lb-radio/artist/\(id)", body: "{}"),
      .init(service: "listenbrainz", path: "1/popularity/release-group", body: "no json"),
      .init(
        service: "listenbrainz", path: "1/popularity/release-group",
        body: #"{"a":"\#(String(repeating: "x", count: 70_000))"}"#),
      .init(service: "lastfm", path: "track.love"), .init(service: "lastfm", path: "auth.getSession"),
      .init(service: "lastfm", path: "artist.getSimilar", parameters: ["method": "track.love"]),
      .init(service: "lastfm", path: "artist.getSimilar", parameters: ["sk": "x"]),
    ] { #expect(await refusal { try await reader.read(request) } == "scrobble.notReadable", "\(request.path)") }
    #expect(
      await refusal { try await reader.read(.init(service: "spotify", path: "x")) } == "scrobble.unknownService")
    #expect(server.count == 0)
    await server.stop()
    await household.close()
  }

  @Test func aServiceThatAsksForAPauseIsNotAskedBeforeItIsOver() async throws {
    let server = try Server()
    let now = Mutex(Timestamp(seconds: 1_800_000_000))
    let (reader, household) = try await reader(server, now: { now.withLock { $0 } })
    let request = Scrobble.ReadFromService(service: "listenbrainz", path: "1/stats/sitewide/artists")
    server.answer.withLock { $0 = HTTPServerResponse(status: 429, headers: [("Retry-After", "90")]) }
    #expect(
      try await reader.read(request) == .init(status: 429, body: "", waitsUntil: Timestamp(seconds: 1_800_000_090)))
    server.answer.withLock {
      $0 = HTTPServerResponse(headers: [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset-In", "7")])
    }
    #expect(try await reader.read(request).status == 429 && server.count == 1)
    now.withLock { $0 = Timestamp(seconds: 1_800_000_091) }
    // The last request that is allowed says so, and the next one waits.
    #expect(try await reader.read(request).waitsUntil == Timestamp(seconds: 1_800_000_098))
    #expect(try await reader.read(request).status == 429 && server.count == 2)
    await server.stop()
    await household.close()
  }

  @Test func hostileAnswersAreBoundedAndRedirectionsAreNotFollowed() async throws {
    let server = try Server()
    let (reader, household) = try await reader(server)
    let request = Scrobble.ReadFromService(service: "listenbrainz", path: "1/explore/fresh-releases/")
    server.answer.withLock { $0 = HTTPServerResponse(text: String(repeating: "a", count: 3 << 20)) }
    #expect(try await reader.read(request) == .init(status: 413, body: ""))
    server.answer.withLock { $0 = HTTPServerResponse(text: String(repeating: "\"", count: 150_000)) }
    #expect(try await reader.read(request).status == 413)
    server.answer.withLock { $0 = HTTPServerResponse(body: .bytes([0xFF, 0xFE, 0x41])) }
    #expect(try await reader.read(request).body.hasSuffix("A"))
    server.answer.withLock { $0 = HTTPServerResponse(status: 302, headers: [("Location", "https://evil.example/")]) }
    #expect(await refusal { try await reader.read(request) } == "scrobble.serviceAway")
    server.answer.withLock { $0 = HTTPServerResponse(status: 204) }
    #expect(try await reader.read(request) == .init(status: 204, body: ""))
    await server.stop()
    #expect(await refusal { try await reader.read(request) } == "scrobble.serviceAway")
    await household.close()
  }
}
