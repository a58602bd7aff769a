import HTTP
import Messages
import Model
import Testing

@testable import Records
@testable import Sources

@Suite struct PlexMediaTests {
  private func body(of stream: ServerStream, _ fixture: FakePlexServer) async throws -> HTTPResponse {
    try await fixture.http.send(
      HTTPRequest(.reads, url: stream.url, headers: stream.headers.map { ($0.key, $0.value) }))
  }

  private func part(_ fixture: FakePlexServer, _ key: String) async throws -> String? {
    guard case .track(let track) = try await fixture.server.item(key) else { return nil }
    return track.part
  }

  @Test(arguments: [
    "/:/scrobble?key=1", "http://192.168.0.1/thumb", "//elsewhere/library/thumb", "/library/../:/rate/thumb",
    "/library/sections/1/refresh", "",
  ])
  func onlyPathsOfPicturesAreRequestedAsPictures(reference: String) {
    #expect(!PlexServer.isPicturePath(reference))
  }

  @Test func audioComesFromThePartAndTheTokenStaysOutOfTheAddress() async throws {
    let fixture = try await FakePlexServer()
    let key = try await fixture.key("Lantern")
    let stream = try await fixture.server.stream(part: part(fixture, key), native: key)
    let token = try #require(fixture.server.client.token.text)
    #expect(!stream.url.contains(token))
    #expect(stream.headers["X-Plex-Token"] == token)
    let answer = try await body(of: stream, fixture)
    #expect(answer.status == 200)
    #expect(answer.body.starts(with: Array("RIFF".utf8)))
  }

  @Test func aStalePartIsAskedForAnew() async throws {
    let fixture = try await FakePlexServer()
    let key = try await fixture.key("Lantern")
    let old = try #require(try await part(fixture, key))
    try await fixture.order("change", #"{"key":\#(key),"fields":{"stamp":1999}}"#)
    let stream = try await fixture.server.stream(part: old, native: key)
    #expect(!stream.url.hasSuffix(old))
    #expect(try await body(of: stream, fixture).status == 200)
    try await fixture.order("remove", #"{"key":\#(key)}"#)
    #expect(await refusal { _ = try await fixture.server.stream(part: old, native: key) } == "library.gone")
  }

  @Test func aTrackThatWasJustAddedIsWaitedForAndThenTakenAsADownload() async throws {
    let fixture = try await FakePlexServer()
    let key = try await fixture.key("Lantern")
    let name = try await part(fixture, key)
    try await fixture.order("fault", #"{"path":"/library/parts/","fault":"500","times":2}"#)
    let later = try await fixture.server.stream(part: name, native: key)
    #expect(!later.url.contains("download"))
    try await fixture.order("unready", #"{"keys":[\#(key)]}"#)
    let stream = try await fixture.server.stream(part: name, native: key)
    #expect(stream.url.hasSuffix("?download=1"))
    #expect(try await body(of: stream, fixture).status == 200)
  }

  @Test func whereNothingElseWorksTheServerIsAskedToMakeAStream() async throws {
    let fixture = try await FakePlexServer()
    let key = try await fixture.key("Lantern")
    let name = try await part(fixture, key)
    try await fixture.order("unready", #"{"keys":[\#(key)],"allowsDownload":false}"#)
    try await fixture.order("log/clear")
    _ = await refusal { _ = try await fixture.server.stream(part: name, native: key) }
    let asked = try await fixture.asked()
    #expect(asked.contains { $0.contains("/music/:/transcode/universal/start?path=") })
  }

  @Test func aTrackWithoutAFileIsGone() async throws {
    let fixture = try await FakePlexServer()
    let key = try await fixture.key("Reel B")
    #expect(await refusal { _ = try await fixture.server.stream(part: nil, native: key) } == "library.gone")
  }

  @Test func picturesAreMadeSmallerByTheServer() async throws {
    let fixture = try await FakePlexServer()
    guard case .album(let album, _) = try await fixture.server.item(fixture.key("Two Rivers", "album")) else {
      return #expect(Bool(false), "The item is no album.")
    }
    let art = try #require(album.art)
    let small = try await fixture.server.picture(art, size: 300)
    let whole = try await fixture.server.picture(art, size: nil)
    #expect(small.starts(with: [0xff, 0xd8]))
    #expect(whole.starts(with: [0xff, 0xd8]))
    #expect(small != whole)
    // The original is given for a picture that the server cannot scale.
    try await fixture.order("fault", #"{"path":"/photo/","fault":"html"}"#)
    #expect(try await fixture.server.picture(art, size: 300) == whole)
    #expect(
      await refusal { _ = try await fixture.server.picture("/library/metadata/9999/thumb/1", size: 300) }
        == "library.gone")
  }
}
