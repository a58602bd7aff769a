import Messages
import Model
import TestSupport
import Testing

@testable import Records
@testable import Sources

@Suite struct PlexReadingTests {
  @Test func aFirstReadingBringsEverythingWithItsDetails() async throws {
    let fixture = try await FakePlexServer()
    let progress = RefreshProgress()
    _ = try await fixture.read(.everything, progress)
    let (albums, tracks) = (try await fixture.albums(), try await fixture.tracks())
    let salt = try #require(albums.first { $0.title == "Salt and Lantern" })
    #expect(salt.artist == "The North Window")
    #expect(salt.year == 1998)
    #expect(salt.moods == ["Warm", "Driving"])
    #expect(salt.styles == ["Indie"])
    #expect(salt.rating?.rawValue == 9)
    #expect(salt.art?.hasPrefix("/library/metadata/\(salt.native)/thumb/") == true)
    #expect(salt.releaseID?.count == 36)
    #expect(salt.addedAt != nil)
    let ferry = try #require(tracks.first { $0.title == "Morning Ferry" && $0.album == salt.native })
    #expect(ferry.artist == nil)
    #expect(ferry.rating?.rawValue == 10)
    #expect(ferry.counts?.plays == 2)
    #expect(ferry.counts?.listeners == 100 + (Int(ferry.native) ?? 0) % 900)
    #expect(ferry.lastPlayedAt != nil)
    #expect(ferry.format == "wav")
    #expect(ferry.part?.hasPrefix("/library/parts/") == true)
    #expect(ferry.file?.hasPrefix("/volume1/music/") == true)
    #expect(ferry.guid?.hasPrefix("plex://track/") == true)
    #expect(ferry.recordingID?.count == 36)
    // The track's own loudness is -9.25 LUFS and the album's -9.5 LUFS; the field called `gain` is the album's.
    #expect(ferry.levels?.trackGain == -8.75)
    #expect(ferry.levels?.albumGain == -8.5)
    let artist = try #require(
      try await fixture.staged(ServerArtist.self, .artist).first { $0.name == "The North Window" })
    #expect(artist.sort == "North Window, The")
    #expect(artist.summary == "Four people and a borrowed organ.")
    #expect(progress.isTotalKnown)
    #expect(progress.done == progress.total)
  }

  @Test func sparseRowsAndOddTextsAreTakenAsTheyAre() async throws {
    let fixture = try await FakePlexServer()
    _ = try await fixture.read(.everything)
    let (albums, tracks) = (try await fixture.albums(), try await fixture.tracks())
    let cellar = try #require(albums.first { $0.title == "Cellar Tapes" })
    #expect(cellar.year == nil)
    #expect(cellar.art == nil)
    #expect(cellar.releaseID == nil)
    #expect(cellar.genres.isEmpty)
    #expect(tracks.filter { $0.album == cellar.native }.allSatisfy { $0.levels == nil })
    // A track without a file stays in the catalogue and cannot be played.
    let reel = try #require(tracks.first { $0.title == "Reel B" })
    #expect(reel.part == nil)
    #expect(reel.file == nil)
    #expect(tracks.contains { $0.title == "Ünïcode & <Markup>" })
    #expect(tracks.contains { $0.title == "日本の歌" })
    let river = try #require(tracks.first { $0.title == "River 5" })
    #expect(river.disc == 2)
    #expect(river.number == 1)
    // An album that the server splits into two stays two, as do two artists of one name.
    #expect(albums.count { $0.title == "Paper Garden" } == 2)
    #expect(try await fixture.staged(ServerArtist.self, .artist).count { $0.name == "Echo" } == 2)
  }

  @Test func aTracksOwnArtistIsNeverTheAlbums() async throws {
    let fixture = try await FakePlexServer()
    _ = try await fixture.read(.everything)
    let nights = try #require(try await fixture.albums().first { $0.title == "Harbour Nights" })
    #expect(nights.artist == "Various Artists")
    let tracks = try await fixture.tracks().filter { $0.album == nights.native }
    let artists = tracks.sorted { ($0.number ?? 0) < ($1.number ?? 0) }.map(\.artist)
    #expect(artists == ["Mira Sund", "Odd Parade", "The North Window", "Mira Sund feat. Odd Parade"])
  }

  @Test func playlistsAreMadeEditedAndDeleted() async throws {
    let fixture = try await FakePlexServer()
    _ = try await fixture.read(.everything)
    let tracks = try await fixture.tracks().map(\.native)
    let server = fixture.server
    let made = try await server.createPlaylist(
      WantedPlaylist(title: "Made here", summary: "Slow", natives: Array(tracks.prefix(3))))
    for wanted in [[tracks[0], tracks[2], tracks[4]], [tracks[4], tracks[0], tracks[4], tracks[1]], [tracks[1]], []] {
      let present = try await server.playlist(made)
      try await server.edit(made, from: present, to: WantedPlaylist(title: "T\(wanted.count)", natives: wanted))
      let now = try await server.playlist(made)
      #expect(now.natives == wanted && now.title == "T\(wanted.count)" && now.summary == "Slow")
    }
    try await server.deletePlaylist(made)
    let error = await #expect(throws: LunaraError.self) { try await server.playlist(made) }
    #expect(error?.code == "library.gone")
  }

  @Test func collectionsAndPlaylistsKeepTheirOrderAndWhatTheyHoldTwice() async throws {
    let fixture = try await FakePlexServer()
    _ = try await fixture.read(.everything)
    let collections = try await fixture.staged(ServerList.self, .collection)
    #expect(Set(collections.map(\.title)) == ["Current Vibes", "The Key Albums", "People", "Nothing Yet"])
    #expect(collections.first { $0.title == "Current Vibes" }?.items.count == 3)
    #expect(collections.first { $0.title == "Nothing Yet" }?.items == [])
    let playlists = try await fixture.staged(ServerList.self, .playlist)
    let evening = try #require(playlists.first { $0.title == "Evening" })
    #expect(evening.items.count == 3)
    #expect(evening.items.first == evening.items.last)
    #expect(!evening.isSmart)
    #expect(playlists.first { $0.title == "Favourites" }?.isSmart == true)
    #expect(playlists.first { $0.title == "Empty" }?.items == [])
  }

  @Test func onlySectionsThatAreAskedForAreRead() async throws {
    let fixture = try await FakePlexServer()
    let sections = try await fixture.server.sections()
    #expect(sections.map(\.title) == ["Music", "Attic", "Audiobooks"])
    #expect(sections.map(\.isOnByDefault) == [true, true, false])
    _ = try await fixture.read(.everything, sections: ["2", "99"])
    #expect(try await fixture.albums().map(\.section) == ["2"])
  }

  @Test(arguments: ["stringNumbers", "wrongCount", "short", "empty"])
  func oddAnswersLoseNothing(_ fault: String) async throws {
    let fixture = try await FakePlexServer()
    _ = try await fixture.read(.everything)
    let tracks = try await fixture.tracks()
    try await fixture.order("fault", #"{"path":"/library/sections/1/all","fault":"\#(fault)","times":4,"count":5}"#)
    _ = try await fixture.read(.everything)
    #expect(try await fixture.tracks() == tracks)
  }

  @Test func anEmptyAnswerWhereMuchWasCountedIsNoAnswer() async throws {
    let fixture = try await FakePlexServer()
    // The fault hits after the three requests for counts and the two for ratings.
    try await fixture.order("fault", #"{"path":"/library/sections/1/all","fault":"empty","times":1,"skip":5}"#)
    #expect(await refusal { _ = try await fixture.read(.everything) } == "library.sourceAway")
  }

  @Test(arguments: ["html", "500", "503", "cut"])
  func invalidAnswersAreRequestedAgain(_ fault: String) async throws {
    let fixture = try await FakePlexServer()
    _ = try await fixture.read(.everything)
    let tracks = try await fixture.tracks()
    for path in ["/library/sections/1/all", "/library/metadata/"] {
      try await fixture.order("fault", #"{"path":"\#(path)","fault":"\#(fault)","times":2}"#)
    }
    _ = try await fixture.read(.everything)
    #expect(try await fixture.tracks() == tracks)
    try await fixture.order("fault", #"{"path":"/library/sections/1/all","fault":"\#(fault)","times":50}"#)
    #expect(await refusal { _ = try await fixture.read(.everything) } == "library.sourceAway")
  }

  @Test func anItemThatIsGoneIsNotAskedForAgain() async throws {
    let fixture = try await FakePlexServer()
    var mark = try await fixture.read(.everything)
    let refused = try await fixture.key("Morning Ferry")
    try await fixture.order(
      "fault", #"{"path":"/library/metadata/([\\d,]*,)?\#(refused)(,|$)","fault":"500","times":99}"#)
    mark.partial = ["999998", "999999", refused]
    #expect(try await fixture.read(.delta, since: mark).partial == [refused])
    mark.partial = ["999999"]
    #expect(try await fixture.read(.delta, since: mark).partial == nil)
  }

  @Test func aProxyBeforeTheServerSaysOfNoItemThatItIsGone() async throws {
    let fixture = try await FakePlexServer()
    var mark = try await fixture.read(.everything)
    let key = try await fixture.key("Morning Ferry")
    mark.partial = [key]
    try await fixture.order("fault", #"{"path":"/library/metadata/","fault":"404","times":99,"proxy":true}"#)
    #expect(try await fixture.read(.delta, since: mark).partial == [key])
    #expect(await refusal { _ = try await fixture.server.playCount(of: key) } == "library.sourceAway")
    try await fixture.order("faults/clear")
    #expect(try await fixture.read(.delta, since: mark).partial == nil)
  }

  @Test func anotherServerBehindARedirectionIsNamedAndNobodyIsSignedOut() async throws {
    let (fixture, other) = (try await FakePlexServer(), try await FakePlexServer())
    try await fixture.order(
      "fault",
      #"{"path":"/library/sections","fault":"redirect","times":99,"to":"http://127.0.0.1:\#(other.standIn.port)/library/sections"}"#
    )
    let error = await #expect(throws: LunaraError.self) { _ = try await fixture.server.sections() }
    #expect(error?.code == "library.sourceAway")
    #expect(error?.message.contains("127.0.0.1:\(other.standIn.port)") == true)
  }

  @Test func oneItemThatTheServerCannotTellOfCostsOnlyItsOwnDetails() async throws {
    let fixture = try await FakePlexServer()
    let bad = try await fixture.key("Undertow")
    // Every request that names the item fails, whether it names others too or not.
    try await fixture.order("fault", #"{"path":"/library/metadata/([\\d,]*,)?\#(bad)(,|$)","fault":"500","times":500}"#)
    _ = try await fixture.read(.everything)
    let tracks = try await fixture.tracks()
    let undertow = try #require(tracks.first { $0.native == bad })
    #expect(undertow.title == "Undertow")
    #expect(undertow.levels == nil)
    #expect(tracks.first { $0.title == "Lantern" }?.levels != nil)
  }

  @Test func aReadingStopsWhenCancelled() async throws {
    let fixture = try await FakePlexServer()
    let progress = RefreshProgress()
    progress.stop()
    await #expect(throws: CancellationError.self) { _ = try await fixture.read(.everything, progress) }
  }

  @Test func aRefusedTokenIsASignOutAndTellsNoSecret() async throws {
    let fixture = try await FakePlexServer(token: "wrong-secret")
    let error = await #expect(throws: LunaraError.self) { _ = try await fixture.read(.everything) }
    #expect(error?.code == "library.signedOut")
    #expect(error?.description.contains("wrong-secret") == false)
    // The request for the server's identity needs no token.
    #expect(try await fixture.server.identify().machine == fixture.standIn.announced["machineIdentifier"]?.string)
  }

  @Test func aServerThatIsGoneIsAway() async throws {
    let fixture = try await FakePlexServer()
    let gone = PlexServer(client: FakePlexServer.client(fixture.http, "http://127.0.0.1:1", token: "secret"))
    let error = await #expect(throws: LunaraError.self) {
      _ = try await gone.checkForChanges(since: nil, sections: []); _ = try await gone.sections()
    }
    #expect(error?.code == "library.sourceAway")
    #expect(error?.description.contains("secret") == false)
  }

  @Test func oneItemIsReadByItsId() async throws {
    let fixture = try await FakePlexServer()
    guard case .album(let album, let tracks) = try await fixture.server.item(fixture.key("Two Rivers", "album")) else {
      Issue.record("no album")
      return
    }
    #expect(album.title == "Two Rivers")
    #expect(tracks.count == 8)
    guard case .track(let track) = try await fixture.server.item(fixture.key("Lantern")) else {
      Issue.record("no track")
      return
    }
    #expect(track.levels != nil)
    guard case .artist = try await fixture.server.item(fixture.key("Echo", "artist")) else {
      Issue.record("no artist")
      return
    }
    #expect(try await fixture.server.item("999999") == nil)
  }
}
