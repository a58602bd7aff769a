import HTTP
import Messages
import Model
import TestSupport
import Testing

@testable import Records
@testable import Sources

/// Tests against the stand-in for an OpenSubsonic server.
@Suite(.timeLimit(.minutes(5)))
struct SubsonicServerTests {
  @Test func everySignInMethodWorks() async throws {
    let fixture = try await FakeSubsonicServer()
    #expect(try await fixture.client().profile().proof == .token)
    let key = try #require(fixture.standIn.announced["apiKey"]?.string)
    #expect(try await fixture.client(.apiKey(key)).profile().proof == .apiKey)
    for refusal in [10, 41, 42] {
      try await fixture.order("policy", #"{"auth":["password","apiKey"],"tokenRefusal":\#(refusal)}"#)
      #expect(try await fixture.client().profile().proof == .password)
    }
  }

  @Test func aWrongSecretIsSignedOutAndNeverTriedInTheOpen() async throws {
    let fixture = try await FakeSubsonicServer()
    let wrong = try fixture.client(.password(user: "tester", password: "wrong"))
    #expect(try await code { _ = try await wrong.profile() } == "library.signedOut")
    #expect(try await fixture.asked() == ["ping"])
    #expect(try await code { _ = try await fixture.client(.apiKey("wrong")).profile() } == "library.signedOut")
    try await fixture.order("policy", #"{"auth":["token"]}"#)
    let key = try #require(fixture.standIn.announced["apiKey"]?.string)
    #expect(try await code { _ = try await fixture.client(.apiKey(key)).profile() } == "library.signedOut")
  }

  @Test func withoutEncryptionThePasswordIsSentOnlyWithConsent() async throws {
    let fixture = try await FakeSubsonicServer()
    try await fixture.order("policy", #"{"auth":["password"]}"#)
    // The address does not look like loopback, but leads there.
    let open = try SubsonicAddress("http://0.0.0.0:\(fixture.standIn.port)")
    func way(_ hasConsent: Bool) async throws {
      _ = try await SubsonicClient(open, fixture.password, hasConsent: hasConsent, http: fixture.http).profile()
    }
    #expect(try await code { try await way(false) } == "library.passwordExposed")
    #expect(try await code { try await way(true) } == nil)
  }

  @Test func aSignInMethodThatIsRefusedIsReplacedByAnother() async throws {
    let fixture = try await FakeSubsonicServer()
    let client = try fixture.client()
    _ = try await client.call(.reads, "ping")
    try await fixture.order("policy", #"{"auth":["password"]}"#)
    _ = try await client.call(.reads, "getMusicFolders")
    #expect(try await client.profile().proof == .password)
    try await fixture.order("password", #"{"password":"another"}"#)
    #expect(try await code { _ = try await client.call(.reads, "ping") } == "library.signedOut")
  }

  @Test func secretsGoInTheBodyWhereTheServerTakesThem() async throws {
    let fixture = try await FakeSubsonicServer()
    #expect(try await fixture.client().profile().acceptsFormPost)
    try await fixture.order("policy", #"{"legacy":true}"#)
    let way = try await fixture.client().profile()
    #expect(!way.acceptsFormPost && way.type == nil && way.serverVersion == "1.10.2")
  }

  @Test func playlistsAreMadeEditedAndDeleted() async throws {
    let fixture = try await FakeSubsonicServer()
    let server = try fixture.server()
    try await fixture.read(server)
    let songs = try await fixture.tracks().map(\.native)
    let made = try await server.createPlaylist(
      WantedPlaylist(title: "Made here", summary: "Slow", natives: Array(songs.prefix(3))))
    for wanted in [[songs[0], songs[2], songs[4]], [songs[4], songs[0], songs[4]], []] {
      let present = try await server.playlist(made)
      try await server.edit(made, from: present, to: WantedPlaylist(title: "T\(wanted.count)", natives: wanted))
      let now = try await server.playlist(made)
      #expect(now.natives == wanted && now.title == "T\(wanted.count)" && now.summary == "Slow")
    }
    try await server.deletePlaylist(made)
    #expect(try await code { _ = try await server.playlist(made) } == "library.gone")
  }

  @Test func longListsGoInPartsToAServerThatTakesAddressesOnly() async throws {
    let fixture = try await FakeSubsonicServer("subsonic", ["--synthetic", "1300"])
    try await fixture.order("policy", #"{"legacy":true}"#)
    let server = try fixture.server()
    try await fixture.read(server)
    let songs = try await fixture.tracks().map(\.native)
    let made = try await server.createPlaylist(WantedPlaylist(title: "Long", natives: songs))
    #expect(try await server.playlist(made).natives == songs)
    #expect(try await fixture.asked().filter { $0 == "updatePlaylist" }.count > 3)
    let reordered = Array(songs.reversed())
    // Every third song leaves, the order changes, and 800 songs come back at the end.
    for wanted in [songs.indices.filter { $0 % 3 > 0 }.map { songs[$0] }, reordered, reordered + songs.prefix(800)] {
      try await server.edit(made, from: try await server.playlist(made), to: WantedPlaylist(natives: wanted))
      #expect(try await server.playlist(made).natives == wanted)
    }
  }

  @Test func everythingIsReadByEmptySearches() async throws {
    let fixture = try await FakeSubsonicServer("subsonic", ["--synthetic", "1300"])
    let mark = try await fixture.read(fixture.server())
    let (tracks, albums, artists) = (
      try await fixture.tracks(), try await fixture.albums(), try await fixture.artists()
    )
    #expect(tracks.count == 1300)
    #expect(Set(tracks.map(\.album)).isSubset(of: Set(albums.map(\.native))))
    #expect(Set(albums.compactMap(\.artistNative)).isSubset(of: Set(artists.map(\.native))))
    #expect(tracks.allSatisfy { $0.part == $0.native && $0.format != nil })
    #expect(mark.completeAt == Timestamp(seconds: 1_800_000_000) && !mark.counters.isEmpty)
    #expect(try await fixture.asked().filter { $0 == "search3" }.count == 4)
  }

  @Test func keysAloneAreReadAsWell() async throws {
    let fixture = try await FakeSubsonicServer()
    let server = try fixture.server()
    try await fixture.read(server)
    let all = try await fixture.tracks().count + fixture.albums().count + fixture.artists().count
    let playlists = try await fixture.staged(.playlist, as: ServerList.self).count
    try await fixture.read(server, .keys)
    #expect(try await fixture.keys() == all + playlists)
    #expect(try await fixture.tracks().isEmpty)
  }

  @Test func pagesOfOtherSizesThanAskedForLoseNothing() async throws {
    let fixture = try await FakeSubsonicServer("subsonic", ["--synthetic", "1300"])
    for count in [37, 900] {
      try await fixture.order("fault", #"{"fault":"wrongCount","path":"search3","count":\#(count),"times":3}"#)
      try await fixture.read(fixture.server())
      #expect(try await fixture.tracks().count == 1300)
    }
  }

  @Test func anOldServerIsReadWithItsGaps() async throws {
    let fixture = try await FakeSubsonicServer()
    try await fixture.read(fixture.server())
    let open = try await fixture.tracks()
    try await fixture.order("policy", #"{"legacy":true,"auth":["password"],"tokenRefusal":10}"#)
    let server = try fixture.server()
    try await fixture.read(server)
    let old = try await fixture.tracks()
    #expect(old.map(\.native) == open.map(\.native) && old.map(\.title) == open.map(\.title))
    #expect(old.map(\.addedAt) == open.map(\.addedAt))
    #expect(old.allSatisfy { $0.levels == nil && $0.recordingID == nil })
    #expect(try await server.sections().isEmpty)
  }

  @Test func numbersAsTextsAreNumbers() async throws {
    let fixture = try await FakeSubsonicServer()
    try await fixture.read(fixture.server())
    let plain = try await fixture.tracks()
    try await fixture.order("fault", #"{"fault":"stringNumbers","times":50}"#)
    try await fixture.read(fixture.server())
    #expect(try await fixture.tracks() == plain)
  }

  @Test func anUnchangedServerIsNotReadAgain() async throws {
    let fixture = try await FakeSubsonicServer()
    let server = try fixture.server()
    let sections = try await server.sections().map(\.key)
    #expect(try await server.checkForChanges(since: nil, sections: sections).need == .everything)
    let mark = try await fixture.read(server)
    try await fixture.order("log/clear")
    #expect(
      try await server.checkForChanges(since: mark, sections: sections)
        == ServerChangeCheck(need: .nothing, method: "counter", missesRatings: true))
    #expect(try await fixture.asked().count <= 4)
    try await fixture.order("add", #"{"artist":"New","album":"New","title":"New"}"#)
    #expect(try await server.checkForChanges(since: mark, sections: sections).need == .everything)
    var old = mark
    old.completeAt = mark.completeAt.map { $0 - Milliseconds(86_400_001) }
    #expect(try await server.checkForChanges(since: old, sections: sections).need == .everything)
  }

  @Test(arguments: ["html", "500", "cut"])
  func anInvalidAnswerMeansAwayAndNotEmpty(_ fault: String) async throws {
    let fixture = try await FakeSubsonicServer()
    let server = try fixture.server()
    _ = try await server.identify()
    try await fixture.order("fault", #"{"fault":"\#(fault)","path":"search3","times":9}"#)
    #expect(try await code { try await fixture.read(server) } == "library.sourceAway")
  }

  @Test func picturesAreDistinguishedFromErrors() async throws {
    let fixture = try await FakeSubsonicServer()
    let server = try fixture.server()
    try await fixture.read(server)
    let art = try #require(try await fixture.albums().compactMap(\.art).first)
    #expect(try await server.picture(art, size: 100).starts(with: [0xFF, 0xD8]))
    #expect(try await code { _ = try await server.picture("al-ffffff", size: nil) } == "library.gone")
  }

  @Test func audioComesWithoutAnyHeaderAndCountsNoPlay() async throws {
    let fixture = try await FakeSubsonicServer()
    let server = try fixture.server(forwardsPlays: true)
    try await fixture.read(server)
    let track = try #require(try await fixture.tracks().first)
    let plays = try await server.playCount(of: track.native)
    let stream = try await server.stream(part: track.part, native: track.native)
    let response = try await fixture.http.send(
      HTTPRequest(
        .reads, url: stream.url, headers: [("Range", "bytes=0-99")] + stream.headers.map { ($0.key, $0.value) }))
    #expect(response.status == 206 && response.body.count == 100)
    #expect(try await server.playCount(of: track.native) == plays)
  }

  @Test func aSignInThatIsRefusedLaterIsSaidInPlaceOfAudio() async throws {
    let fixture = try await FakeSubsonicServer()
    let server = try fixture.server()
    try await fixture.read(server)
    let track = try #require(try await fixture.tracks().first)
    try await fixture.order("fault", #"{"fault":"failed","code":40,"path":"ping"}"#)
    #expect(
      try await code { _ = try await server.stream(part: track.part, native: track.native) } == "library.signedOut")
    _ = try await server.stream(part: track.part, native: track.native)
  }

  @Test func ratingsAreWrittenAndTakenAway() async throws {
    let fixture = try await FakeSubsonicServer()
    let server = try fixture.server()
    try await fixture.read(server)
    let track = try #require(try await fixture.tracks().first { $0.rating == nil })
    try await server.rate(.track(track.native), Rating(rawValue: 7))
    #expect(try await server.item(track.native).flatMap(Self.rating)?.rawValue == 8)
    try await server.rate(.track(track.native), nil)
    #expect(try await server.item(track.native).flatMap(Self.rating) == nil)
    #expect(try await fixture.received().compactMap { $0["what"]?.string }.contains("unstar"))
    #expect(try await code { try await server.rate(.track("tr-ffffff"), nil) } == "library.gone")
    #expect(try await code { try await server.rate(.album("al-ffffff"), nil) } == "library.notRateable")
  }

  private static func rating(_ item: ServerItem) -> Rating? {
    if case .track(let track) = item { track.rating } else { nil }
  }

  @Test func playsAreToldOnlyWhereThatIsWanted() async throws {
    let fixture = try await FakeSubsonicServer()
    let (quiet, telling) = (try fixture.server(), try fixture.server(forwardsPlays: true))
    try await fixture.read(quiet)
    let native = try #require(try await fixture.tracks().first?.native)
    let report = NowPlayingReport(
      native: native, state: .playing, position: .zero, duration: .zero, room: try #require(RoomName("kitchen")))
    try await quiet.countPlay(of: native, at: Timestamp(seconds: 1_700_000_000))
    try await quiet.report(report)
    #expect(try await quiet.playCount(of: native) == nil)
    #expect(try await fixture.received().isEmpty)
    let before = try #require(try await telling.playCount(of: native))
    try await telling.countPlay(of: native, at: Timestamp(seconds: 1_700_000_000))
    #expect(try await telling.playCount(of: native) == before + 1)
    try await telling.report(report)
    #expect(try await fixture.received().count == 2)
  }

  @Test func singleItemsAreFoundByTheirIds() async throws {
    let fixture = try await FakeSubsonicServer()
    let server = try fixture.server()
    try await fixture.read(server)
    let album = try #require(try await fixture.albums().first)
    guard case .album(let found, let tracks) = try await server.item(album.native) else {
      Issue.record("no album")
      return
    }
    #expect(found.title == album.title && tracks.allSatisfy { $0.album == album.native })
    #expect(try await server.item("nothing") == nil)
    guard case .artist = try await server.item(try #require(album.artistNative)) else {
      Issue.record("no artist")
      return
    }
  }

  @Test func sectionsAreReadOneByOne() async throws {
    let fixture = try await FakeSubsonicServer(
      "subsonic", ["--synthetic", "200", "--section", "Music", "--section", "Hörbücher"])
    let server = try fixture.server()
    let sections = try await server.sections()
    #expect(sections.map(\.isOnByDefault) == [true, false])
    try await fixture.read(server, sections: [sections[0].key])
    let some = try await fixture.tracks()
    #expect(!some.isEmpty && some.count < 200 && some.allSatisfy { $0.section == sections[0].key })
    try await fixture.read(server, sections: sections.map(\.key))
    #expect(try await fixture.tracks().count == 200)
  }

  @Test func theOnlyFolderCanBeSwitchedOff() async throws {
    let fixture = try await FakeSubsonicServer("subsonic", ["--synthetic", "50", "--section", "Music"])
    let server = try fixture.server()
    let sections = try await server.sections()
    try await fixture.read(server, sections: sections.map(\.key))
    let all = try await fixture.tracks()
    #expect(all.count == 50 && all.allSatisfy { $0.section == sections[0].key })
    try await fixture.read(server, sections: [])
    #expect(try await fixture.tracks().isEmpty)
  }

  @Test func aServerThatDoesNotAnswerIsAway() async throws {
    let fixture = try await FakeSubsonicServer()
    let client = SubsonicClient(
      try SubsonicAddress("http://127.0.0.1:1"), fixture.password, hasConsent: false, http: fixture.http)
    #expect(try await code { _ = try await client.profile() } == "library.sourceAway")
  }

  @Test func anAnswerWithoutItsListIsNotAnEmptyList() async throws {
    let other = try DroppingServer { _ in #"{"subsonic-response":{"status":"ok","version":"1.16.1"}}"# }
    let client = SubsonicClient(
      try SubsonicAddress(other.address), .apiKey("k"), hasConsent: true, http: HTTPClient(userAgent: "test/1"))
    #expect(try await code { _ = try await SubsonicServer(client: client).listPlaylists() } == "library.sourceAway")
  }
}
