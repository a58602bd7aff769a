import HTTP
import Messages
import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Media
@testable import Sources

/// Albums that servers name as similar, in the shapes that Plex and OpenSubsonic document.
@Suite(.timeLimit(.minutes(2))) struct SimilarAlbumsTests {
  /// Returns a server that answers by the end of the path, and notes what it was asked.
  private func server(_ answers: [String: HTTPServerResponse], asked: Requests) throws -> HTTPServer {
    try HTTPServer(address: "127.0.0.1", port: 0) { request in
      asked.queries.withLock { $0.append((request.path, request.query)) }
      let name = request.path.split(separator: "/").last.map(String.init) ?? ""
      return answers[name.split(separator: ".").first.map(String.init) ?? ""] ?? HTTPServerResponse(status: 404)
    }
  }

  private final class Requests: Sendable {
    let queries = Mutex<[(path: String, query: [String: String])]>([])
    func query(_ name: String) -> [String: String]? {
      queries.withLock { $0.last { $0.path.hasSuffix(name) || $0.path.hasSuffix("\(name).view") }?.query }
    }
  }

  private func envelope(_ content: String) -> HTTPServerResponse {
    HTTPServerResponse(
      text:
        #"{"subsonic-response":{"status":"ok","version":"1.16.1","type":"test","openSubsonic":true,\#(content)}}"#,
      contentType: "application/json")
  }

  private func subsonic(_ server: HTTPServer) throws -> SubsonicServer {
    SubsonicServer(
      client: SubsonicClient(
        try SubsonicAddress("http://127.0.0.1:\(server.port)"), .password(user: "u", password: "p"), hasConsent: true,
        http: HTTPClient(userAgent: "test")))
  }

  @Test func plexNamesWhatIsNearestAndNothingWithoutTheAnalysis() async throws {
    let asked = Requests()
    let rows =
      #"[{"ratingKey":"11","type":"album","distance":0.1},{"ratingKey":"9","type":"track","parentRatingKey":"12"},{"type":"album"}]"#
    let near = try server(
      ["nearest": HTTPServerResponse(text: #"{"MediaContainer":{"size":3,"Metadata":\#(rows)}}"#)], asked: asked)
    func plex(_ server: HTTPServer) -> PlexServer {
      PlexServer(
        client: FakePlexServer.client(HTTPClient(userAgent: "test"), "http://127.0.0.1:\(server.port)", token: "t"))
    }
    #expect(try await plex(near).albums(similarTo: "7", limit: 25) == ["11", "12"])
    #expect(asked.query("nearest") == ["limit": "25", "maxDistance": "0.25"])
    let refusal = HTTPServerResponse(status: 400, headers: [("X-Plex-Protocol", "1.0")])
    let without = try server(["nearest": refusal], asked: asked)
    #expect(try await plex(without).albums(similarTo: "7", limit: 25).isEmpty)
    // The answer of a proxy while the server is away is not the server's.
    let away = try server(["nearest": HTTPServerResponse(status: 404, text: "<html>")], asked: asked)
    await #expect(throws: LunaraError.self) { try await plex(away).albums(similarTo: "7", limit: 25) }
    let signedOut = try server(["nearest": HTTPServerResponse(status: 401, text: "<html>")], asked: asked)
    await #expect(throws: LunaraError.self) { try await plex(signedOut).albums(similarTo: "7", limit: 25) }
    for server in [near, without, away, signedOut] { await server.stop() }
  }

  @Test func openSubsonicNamesAlbumsByTheirSoundOrByTheArtist() async throws {
    let asked = Requests()
    let album = envelope(#""album":{"id":"7","name":"A","artistId":"r1","song":[{"id":"s1"}]}"#)
    let songs = envelope(#""similarSongs2":{"song":[{"id":"x","albumId":"8"},{"id":"y","albumId":"8"},{"id":"z"}]}"#)
    let byArtist = try server(
      [
        "ping": envelope(#""x":1"#), "getOpenSubsonicExtensions": envelope(#""openSubsonicExtensions":[]"#),
        "getAlbum": album, "getSimilarSongs2": songs,
      ], asked: asked)
    #expect(try await subsonic(byArtist).albums(similarTo: "7", limit: 25) == ["8"])
    #expect(asked.query("getSimilarSongs2")?["id"] == "r1")
    let bySound = try server(
      [
        "ping": envelope(#""x":1"#),
        "getOpenSubsonicExtensions": envelope(
          #""openSubsonicExtensions":[{"name":"sonicSimilarity","versions":[1]}]"#), "getAlbum": album,
        "getSonicSimilarTracks": envelope(
          #""sonicMatch":[{"entry":{"id":"a","albumId":"9"},"similarity":0.9},{"entry":{"albumId":"10"},"similarity":-1}]"#
        ),
      ], asked: asked)
    #expect(try await subsonic(bySound).albums(similarTo: "7", limit: 25) == ["9"])
    #expect(asked.query("getSonicSimilarTracks")?["id"] == "s1")
    await byArtist.stop()
    await bySound.stop()
  }

  @Test func aFolderNamesNoneAndAnUnknownAlbumIsRefused() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", ["ALBUM=X", "ARTIST=A"])
    try await catalogue.refresh()
    let handler = SimilarAlbumsHandler(database: catalogue.database) { _ in nil }
    let id = try #require(try await catalogue.albums().first?.id)
    #expect(try await handler.similar(to: .init(id: id)).albums.isEmpty)
    do {
      _ = try await handler.similar(to: .init(id: AlbumID(source: "files", native: "a999")))
      Issue.record("An unknown album was accepted.")
    } catch { #expect(LunaraError(error).code == "library.unknownID") }
  }

  @Test func aCoverOfAServerThatAPersonNamedMayBeInThisHouse() async throws {
    let server = try HTTPServer(address: "127.0.0.1", port: 0) { _ in HTTPServerResponse(text: "picture") }
    let base = "http://127.0.0.1:\(server.port)"
    let covers = PublicCovers(http: HTTPClient(userAgent: "test"), trusted: base)
    let path = "release-group/f32fab67-77dd-3937-addc-9062e28e4c37/front-500"
    #expect(try await covers.picture(at: "\(base)/\(path)") == Array("picture".utf8))
    // Only the addresses of covers are trusted, and only at that server.
    for address in ["http://localhost:\(server.port)/\(path)", "\(base)/../api/x", "\(base)/\(path)?x=/front-500"] {
      await #expect(throws: LunaraError.self) { try await covers.picture(at: address) }
    }
    await server.stop()
  }
}
