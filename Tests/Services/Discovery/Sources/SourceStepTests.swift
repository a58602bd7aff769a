import HTTP
import Messages
import Model
import Storage
import TestSupport
import Synchronization
import Testing

@testable import Discovery

/// Each source outside reads answers in the shapes that its documentation shows.
@Suite(.timeLimit(.minutes(2))) struct SourceStepTests {
  private let outside: TestOutside
  private let house: HouseAlbums
  private let folder = TemporaryDirectory()

  init() async throws {
    outside = try TestOutside()
    house = try await TestOutside.house(in: folder.path)
  }

  private func steps(_ source: any OutsideSource.Type) async throws -> [Find] {
    var finds: [Find] = []
    var cursor: String?
    for _ in 0..<100 {
      let step = try await source.step(from: cursor, house, outside.access)
      finds += step.finds
      guard let next = step.next else { return finds }
      cursor = next
    }
    Issue.record("\(source.name) does not end")
    return finds
  }

  @Test func listenBrainzRecommendsRecordingsWhoseAlbumsAreLookedUp() async throws {
    let (first, second) = (TestOutside.group(501), TestOutside.group(502))
    outside.answer(
      "1/cf/recommendation/user/{user}/recording",
      #"{"payload":{"count":2,"entity":"recording","mbids":[{"recording_mbid":"\#(second)","score":9.5},{"recording_mbid":"\#(first)","score":2},{"recording_mbid":null}],"user_name":"ann"}}"#
    )
    outside.answer(
      "1/metadata/recording/",
      #"{"\#(first)":{"artist":{"name":"Ada"},"recording":{"name":"R"},"release":{"name":"Blue","album_artist_name":"Ada","mbid":"x","release_group_mbid":"\#(TestOutside.group(1))","year":1971}},"\#(second)":{"artist":{"name":"Bo"},"release":{"name":"Red","year":null}},"bad":null}"#
    )
    let finds = try await steps(ListenBrainzRecommendations.self)
    #expect(finds.map(\.title) == ["Red", "Blue"] && finds.map(\.artist) == ["Bo", "Ada"])
    #expect(finds[1].releaseGroup == TestOutside.group(1) && finds[1].date == "1971" && finds[1].signal == .recommended)
    let lookup = try #require(outside.asked.withLock { $0.last })
    #expect(lookup.body?.contains(#""recording_mbids":["\#(second)","\#(first)"]"#) == true)
  }

  @Test func freshReleasesAreAlbumsAndEPsAndAskForFewerDaysWhereTheyAreTooMany() async throws {
    outside.answers.withLock { $0["1/user/{user}/fresh_releases"] = .init(status: 413, body: "") }
    let first = try await ListenBrainzReleases.step(from: nil, house, outside.access)
    #expect(first.finds.isEmpty && first.next == "1")
    outside.answer(
      "1/user/{user}/fresh_releases",
      #"{"payload":{"releases":[{"artist_credit_name":"Ada","artist_mbids":[],"confidence":3,"release_date":"2026-11-20","release_group_mbid":"\#(TestOutside.group(1))","release_group_primary_type":"Album","release_name":"Green"},{"artist_credit_name":"Bo","release_name":"One","release_group_primary_type":"Single"}]}}"#
    )
    let finds = try await ListenBrainzReleases.step(from: first.next, house, outside.access).finds
    #expect(finds.map(\.title) == ["Green"] && finds[0].date == "2026-11-20" && finds[0].signal == .new)
    #expect(outside.asked.withLock { $0.map { $0.parameters["days"] } } == ["30", "14"])
    // A person of whom nothing was computed has none (204).
    outside.answers.withLock { $0["1/stats/user/{user}/release-groups"] = .init(status: 204, body: "") }
    #expect(try await steps(ListenBrainzListens.self).isEmpty)
  }

  @Test func aRowThatCannotBeUsedDoesNotEndAList() async throws {
    var rows = (0..<100).map { (group: Optional(TestOutside.group($0)), title: "T\($0)", artist: "A", listens: 1) }
    rows[3].title = ""
    outside.answer("1/stats/sitewide/release-groups", TestOutside.statistics(rows))
    let charts = try await ListenBrainzCharts.step(from: nil, house, outside.access)
    #expect(charts.finds.count == 99 && charts.next == "100" && charts.finds.last?.place == 100)
    #expect(try await ListenBrainzCharts.step(from: "900", house, outside.access).next == nil)
    let recordings = (0..<50).map { #"{"recording_mbid":\#($0 == 7 ? "null" : "\"\(TestOutside.group($0))\"")}"# }
    outside.answer(
      "1/cf/recommendation/user/{user}/recording", #"{"payload":{"mbids":[\#(recordings.joined(separator: ","))]}}"#)
    outside.answer("1/metadata/recording/", "{}")
    #expect(try await ListenBrainzRecommendations.step(from: nil, house, outside.access).next == "50")
    #expect(try await ListenBrainzRecommendations.step(from: "450", house, outside.access).next == nil)
  }

  @Test func artistsNearFavouritesComeFromTheirRadio() async throws {
    let groups = (0..<3).map { TestOutside.group($0) }
    outside.answer(
      "1/metadata/release_group/",
      #"{"\#(groups[0])":{"artist":{"artist_credit_id":1,"artists":[{"artist_mbid":"\#(TestOutside.group(701))","name":"Artist 0"}],"name":"Artist 0"}},"\#(groups[1])":{"artist":{}}}"#
    )
    outside.answer(
      "1/lb-radio/artist/\(TestOutside.group(701))",
      #"{"\#(TestOutside.group(702))":[{"recording_mbid":"x","similar_artist_mbid":"\#(TestOutside.group(702))","similar_artist_name":"Artist 2","total_listen_count":99}],"\#(TestOutside.group(701))":[{"similar_artist_name":"Artist 0"}]}"#
    )
    let finds = try await steps(ListenBrainzArtists.self)
    #expect(finds.map(\.artist) == ["Artist 2"] && finds[0].near == "Artist 0" && finds[0].title == nil)
    let radio = try #require(outside.asked.withLock { $0.first { $0.path.hasPrefix("1/lb-radio/") } })
    #expect(
      Set(radio.parameters.keys)
        == ["mode", "max_similar_artists", "max_recordings_per_artist", "pop_begin", "pop_end"])
  }

  @Test func lastFMNamesSimilarArtistsAndTopAlbums() async throws {
    // Numbers are texts, a list of one has no brackets, and ids are often empty.
    outside.answer(
      "artist.getSimilar",
      #"{"similarartists":{"artist":{"name":"Artist 1","mbid":"","match":"0.7","url":"u"},"@attr":{"artist":"Artist 0"}}}"#
    )
    let near = try await steps(LastFMArtists.self)
    #expect(Set(near.map(\.artist)) == ["Artist 1"] && near.first?.near == "Artist 0")
    outside.answer(
      "user.getTopAlbums",
      #"{"topalbums":{"album":[{"name":"Album 1","playcount":"42","mbid":"","artist":{"name":"Artist 1","mbid":""}},{"name":null},{"name":"X","artist":"no object"}],"@attr":{"page":"1"}}}"#
    )
    let tops = try await steps(LastFMListens.self)
    #expect(tops.map(\.title) == ["Album 1"] && tops[0].listens == 42 && tops[0].signal == .history)
  }

  @Test func lastFMNamesTheTopAlbumsOfTheHousesGenres() async throws {
    let id = TestOutside.group(7)
    outside.answer(
      "tag.getTopAlbums",
      #"{"albums":{"album":[{"name":"Album 1","mbid":"","url":"u","artist":{"name":"Artist 1","mbid":""},"@attr":{"rank":"1"}},{"name":null},{"name":"X","artist":"no object"},{"name":"Blue","mbid":"\#(id)","artist":{"name":"Ada"},"@attr":{"rank":"4"}}],"@attr":{"tag":"x","page":"1","total":"9"}}}"#
    )
    let finds = try await steps(LastFMGenres.self)
    // Names of the taxonomy are sent, and no tag of an album.
    let asked = outside.asked.withLock { $0 }
    #expect(asked.map { $0.parameters["tag"] ?? "-" } == ["Rock", "Electronic", "Jazz"])
    #expect(asked.allSatisfy { $0.service == "lastfm" && Set($0.parameters.keys) == ["tag", "limit"] })
    #expect(finds.map(\.title) == ["Album 1", "Blue", "Album 1", "Blue", "Album 1", "Blue"])
    #expect(finds.map(\.place) == [1, 4, 1, 4, 1, 4])
    #expect(finds.map(\.near) == ["Rock", "Rock", "Electronic", "Electronic", "Jazz", "Jazz"])
    #expect(finds.allSatisfy { $0.signal == .charts && $0.kind == .genreChart && $0.releaseGroup == nil })
    // A list of one has no brackets, and an unknown genre has an error as its answer.
    outside.answer("tag.getTopAlbums", #"{"albums":{"album":{"name":"One","artist":{"name":"Ada"}}}}"#)
    #expect(try await steps(LastFMGenres.self).map(\.title) == ["One", "One", "One"])
    outside.answer("tag.getTopAlbums", #"{"error":6,"message":"Tag not found"}"#, status: 404)
    #expect(try await steps(LastFMGenres.self).isEmpty)
    for text in [#"{"albums":[]}"#, #"{"albums":{"album":"x"}}"#, #"{"albums":null}"#] {
      outside.answer("tag.getTopAlbums", text)
      #expect(await isAway(LastFMGenres.self), "\(text)")
    }
  }

  private func isAway(_ source: any OutsideSource.Type) async -> Bool {
    do { _ = try await steps(source) } catch { return (error as? LunaraError)?.code == "discovery.sourceAway" }
    return false
  }

  /// The sources with the path or method that they read, and the answers of another shape.
  private static let lists: [(source: any OutsideSource.Type, path: String, rows: String)] = [
    (ListenBrainzPopularity.self, "1/popularity/release-group", #"[{"mbid":"x","listens":3}]"#),
    (ListenBrainzCharts.self, "1/stats/sitewide/release-groups", #"{"payload":{"release_groups":[{"name":"x"}]}}"#),
    (ListenBrainzListens.self, "1/stats/user/{user}/release-groups", #"{"payload":{"release_groups":[{"name":"x"}]}}"#),
    (
      ListenBrainzRecommendations.self, "1/cf/recommendation/user/{user}/recording",
      #"{"payload":{"mbids":[{"mbid":"x"}]}}"#
    ),
    (ListenBrainzReleases.self, "1/user/{user}/fresh_releases", #"{"payload":{"releases":[{"name":"x"}]}}"#),
    (LastFMListens.self, "user.getTopAlbums", #"{"topalbums":{"album":[{"title":"x"}]}}"#),
  ]

  @Test(arguments: lists.indices) func anAnswerOfAnotherShapeIsNotAnEmptyOne(_ index: Int) async throws {
    let list = Self.lists[index]
    for text in ["{}", #"{"payload":{}}"#, #"{"payload":{"data":[]}}"#, #"{"error":"moved"}"#, list.rows] {
      outside.answer(list.path, text)
      #expect(await isAway(list.source), "\(list.path): \(text)")
    }
    outside.answer(list.path, "{}", status: 404)
    #expect(await isAway(list.source), "\(list.path): 404")
  }

  @Test func aSourceThatKnowsNothingOfTheHouseHasSaidNothing() async throws {
    outside.answer("artist.getSimilar", #"{"error":6}"#, status: 404)
    var step = try await LastFMArtists.step(from: nil, house, outside.access)
    #expect(step.next == "1:0" && !step.isUnanswered)
    step = try await LastFMArtists.step(from: "2:0", house, outside.access)
    #expect(step.next == nil && step.isUnanswered)
    step = try await LastFMArtists.step(from: "2:1", house, outside.access)
    #expect(step.next == nil && !step.isUnanswered)
    // An artist without any near ones is known.
    outside.answer("artist.getSimilar", #"{"similarartists":{"artist":[],"@attr":{"artist":"Ada"}}}"#)
    #expect(try await LastFMArtists.step(from: "2:0", house, outside.access).isUnanswered == false)
    outside.answer("artist.getSimilar", #"{"artists":[]}"#)
    #expect(await isAway(LastFMArtists.self))
    // MusicBrainz has none of the ids, or answers something else.
    let last = try await house.artists(after: nil, limit: 9).last?.artistKey ?? 0
    #expect(try await MusicBrainzReleases.step(from: "\(last):0", house, outside.access).isUnanswered)
    #expect(try await MusicBrainzReleases.step(from: "\(last):1", house, outside.access).isUnanswered == false)
    outside.musicBrainz.withLock { $0["/ws/2/release-group/"] = HTTPServerResponse(text: #"{"title":"Blue"}"#) }
    #expect(await isAway(MusicBrainzReleases.self))
  }

  @Test func whatASourceGaveStaysWithItsAgeWhenItGivesNothingMore() async throws {
    let store = OutsideStore(database: house.database)
    let (read, later) = (Timestamp(seconds: TestAlbums.now), Timestamp(seconds: TestAlbums.now + 2 * 86_400))
    try await store.set("lastfm-listens", isOn: true, at: read)
    func state() async throws -> OutsideStore.State {
      try #require(try await store.database.read(OutsideStore.states)["lastfm-listens"])
    }
    let find = Find(signal: .history, kind: .elsewhere, artist: "Ada", title: "Blue")
    try await store.store(SourceStep([find]), of: try await state(), interval: 86_400, at: read)
    var present = try await state()
    #expect(present.items == 1 && present.readAt == read)
    try await store.store(.unanswered, of: present, interval: 86_400, at: later)
    present = try await state()
    #expect(present.items == 1 && present.readAt == read && present.problem?.code == "discovery.sourceAway")
    #expect(present.nextAt > later)
    // A list that is empty is an answer.
    try await store.store(SourceStep(), of: present, interval: 86_400, at: later)
    present = try await state()
    #expect(present.items == 0 && present.readAt == later && present.problem == nil)
  }

  @Test func aMusicServerNamesAlbumsNearFavourites() async throws {
    outside.similar.withLock { $0 = [TestDiscovery.id(2)] }
    let finds = try await steps(SimilarOnServers.self)
    #expect(finds.count == 3 && finds[0].album == TestDiscovery.id(2) && finds[0].near == "Album 0")
  }

  @Test func aMusicServerThatIsAwayKeepsNoOtherFavouriteBack() async throws {
    let favourites = try await house.favourites(25).map(\.id)
    try #require(favourites.count == 3)
    outside.similar.withLock { $0 = [TestDiscovery.id(3)] }
    outside.away.withLock { $0 = [favourites[1]] }
    #expect(try await steps(SimilarOnServers.self).count == 2)
    let passed = try await SimilarOnServers.step(from: "1:1", house, outside.access)
    #expect(passed.problem?.code == "library.sourceAway" && passed.next == "2:1" && passed.finds.isEmpty)
    // If none can be asked, the reading fails, so that the albums that were found before stay.
    outside.away.withLock { $0 = Set(favourites) }
    await #expect { try await steps(SimilarOnServers.self) } throws: {
      ($0 as? LunaraError)?.code == "library.sourceAway"
    }
    // It goes on at the last favourite, and begins anew once a server answers.
    outside.away.withLock { $0 = [] }
    let last = try await SimilarOnServers.step(from: "2:0", house, outside.access)
    #expect(last.finds.isEmpty && last.next == "0:0:2")
    #expect(try await SimilarOnServers.step(from: "2:3", house, outside.access).next == nil)
    #expect(try await SimilarOnServers.step(from: "9", house, outside.access).next == nil)
  }

  @Test func musicBrainzIsBoundedAndAsksForAPause() async throws {
    let client = outside.access.musicBrainz
    outside.musicBrainz.withLock {
      $0["/ws/2/release-group/"] = HTTPServerResponse(text: String(repeating: "x", count: 3 << 20))
    }
    // One item that is too long is passed over, so that the others are read.
    #expect(try await client.read("/ws/2/release-group/x") == nil)
    outside.musicBrainz.withLock {
      $0["/ws/2/release-group/"] = HTTPServerResponse(status: 503, headers: [("Retry-After", "20")])
    }
    do {
      _ = try await client.read("/ws/2/release-group/x", now: Timestamp(seconds: 1000))
      Issue.record("A pause was expected.")
    } catch let pause as SourcePause {
      #expect(pause.until == Timestamp(seconds: 1020) && pause.error.code == "discovery.sourceAway")
    }
    #expect(try await client.read("/elsewhere") == nil)
    await client.release()
    await outside.stop()
  }

  @Test func textsAndIDsOfSourcesAreChecked() {
    #expect(SourceText.id("F32FAB67-77DD-3937-ADDC-9062E28E4C37") == "f32fab67-77dd-3937-addc-9062e28e4c37")
    for bad in ["", "x", "f32fab67-77dd-3937-addc-9062e28e4c3g", "f32fab6777dd3937addc9062e28e4c37----"] {
      #expect(SourceText.id(bad) == nil)
    }
    #expect(SourceText.clean("  a\u{0}b\u{202E} ") == "a\u{FFFD}b\u{FFFD}" && SourceText.clean(" ") == nil)
    #expect(SourceText.clean(String(repeating: "x", count: 5000))?.count == 200)
    #expect(SourceText.clean("a" + String(repeating: "\u{301}", count: 100_000))?.utf8.count ?? 0 < 2000)
    #expect(OutsideAccess.shown("<\u{1B}[2J\nb" + String(repeating: "\u{301}", count: 5000)).utf8.count < 300)
    #expect(OutsideAccess.shown("a\u{1B}[2J\nb") == "a\u{FFFD}[2J b")
    #expect(SourceText.date("2026-11-26") == "2026-11-26" && SourceText.date("2026") == "2026")
    #expect(SourceText.date("20261126") == nil && SourceText.date("2026-1a") == nil)
    #expect(MatchKey.album("Björk", "Début!") == MatchKey.album("BJORK", "debut"))
    #expect(MatchKey.album("A", "÷") != MatchKey.album("A", "×"))
  }
}
