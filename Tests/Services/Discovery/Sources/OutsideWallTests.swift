import HTTP
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import Discovery

/// The whole way of sources outside: switched on, read, shown with their reasons, switched off.
@Suite(.timeLimit(.minutes(5))) struct OutsideWallTests {
  private func source(_ name: String, _ discovery: TestDiscovery) async throws -> Discovery.DataSource? {
    try await discovery.ask(Discovery.ListSources()).sources.first { $0.name == name }
  }

  /// Switches a source on and waits until it was read.
  private func read(_ name: String, _ discovery: TestDiscovery) async throws {
    _ = try await discovery.ask(Discovery.SetSource(name: name, isOn: true))
    #expect(try await eventually { try await source(name, discovery)?.readAt != nil }, "\(name)")
  }

  @Test func allAreOffAndNobodyIsAskedUntilOneIsSwitchedOn() async throws {
    let outside = try TestOutside()
    let discovery = try await TestDiscovery(TestOutside.albums(60), access: outside.access)
    _ = try await discovery.ask(Discovery.ReadWall())
    let list = try await discovery.ask(Discovery.ListSources())
    #expect(list.sources.map(\.name).prefix(2) == ["library", "opinions"] && !list.showsMissing)
    let others = list.sources.compactMap(\.outside)
    #expect(others.count == OutsideSources.all.count)
    #expect(others.allSatisfy { !$0.isOn && $0.sends.hasSuffix(".") && $0.adds.hasSuffix(".") && $0.nextAt == nil })
    #expect(list.sources.first { $0.name == "lastfm-listens" }?.outside?.needs?.contains("lunara login") == true)
    #expect(list.sources.first { $0.name == "listenbrainz-charts" }?.outside?.needs == nil)
    #expect(outside.asked.withLock { $0.isEmpty } && outside.paths.withLock { $0.isEmpty })
    let unknown = Discovery.SetSource(name: "myspace", isOn: true)
    #expect(await discovery.refusal(of: unknown)?.code == "discovery.unknownSource")
    #expect(await discovery.refusal(of: Discovery.RefreshSource(name: "musicbrainz"))?.code == "discovery.sourceOff")
    #expect(try await discovery.ask(Discovery.ReadDiagnostics()).sources.count == list.sources.count)
    await discovery.close()
    await outside.stop()
  }

  @Test func popularityShowsWhatTheWorldHearsOfTheHousesAlbums() async throws {
    let outside = try TestOutside()
    let rows = (0..<600).map {
      #"{"release_group_mbid":"\#(TestOutside.group($0))","total_listen_count":\#($0 % 7 == 0 ? "null" : "\($0 * 10)"),"total_user_count":3}"#
    }
    outside.answer("1/popularity/release-group", "[\(rows.joined(separator: ","))]")
    let discovery = try await TestDiscovery(TestOutside.albums(600), access: outside.access)
    _ = try await discovery.ask(Discovery.ReadWall())
    try await read("listenbrainz-popularity", discovery)
    // Two requests of 400 and 200 ids.
    #expect(outside.asked.withLock { $0.count } == 2)
    let wall = try await discovery.ask(Discovery.ReadWall(seed: 1, dial: 3))
    let world = wall.tiles.filter { $0.evidence.source == "ListenBrainz" }
    #expect(world.count >= 12 && world.allSatisfy { $0.signal == .charts && ($0.evidence.listens ?? 0) > 0 })
    #expect(world.allSatisfy { $0.reason.contains("world's most heard of your ") })
    #expect(world.contains { $0.reason.hasSuffix("that you never played.") && $0.evidence.plays == nil })
    // It is not asked again before a day has passed.
    discovery.now.withLock { $0 = Timestamp(seconds: $0.seconds + Ages.day - 60) }
    _ = try await discovery.ask(Discovery.ReadWall())
    #expect(outside.asked.withLock { $0.count } == 2)
    _ = try await discovery.ask(Discovery.RefreshSource())
    #expect(await eventually(equals: 4) { outside.asked.withLock { $0.count } })
    await discovery.close()
    await outside.stop()
  }

  @Test func listenersThatAPlexServerGivesAreInTheChartsAndNobodyIsAsked() async throws {
    let outside = try TestOutside()
    var albums = TestOutside.albums(600)
    for number in stride(from: 0, to: 600, by: 2) { albums[number].listeners = 1 + number }
    let discovery = try await TestDiscovery(albums, access: outside.access)
    let wall = try await discovery.ask(Discovery.ReadWall(seed: 1, dial: 3))
    let known = wall.tiles.filter { $0.evidence.source == "Plex" }
    #expect(known.count >= 12 && known.allSatisfy { $0.signal == .charts && ($0.evidence.listeners ?? 0) > 0 })
    #expect(known.allSatisfy { $0.reason.hasSuffix("of its best known track at Last.fm, says Plex.") })
    let feed = try await discovery.ask(Discovery.ReadWall(seed: 1, dial: 3, genre: "jazz"))
    #expect(feed.tiles.contains { $0.evidence.source == "Plex" })
    #expect(outside.asked.withLock { $0.isEmpty } && outside.paths.withLock { $0.isEmpty })
    // A library that has none makes the charts of its own plays alone.
    try await discovery.change(albums.map(\.id)) { contents in
      for number in contents.albums.indices { contents.albums[number].listeners = nil }
    }
    let isForgotten = try await eventually {
      try await discovery.ask(Discovery.ReadWall()).tiles
    } satisfies: {
      $0.allSatisfy { $0.evidence.source == nil }
    }
    #expect(isForgotten)
    await discovery.close()
    await outside.stop()
  }

  @Test func chartsOfGenresNameAlbumsThatAreHereAndThoseThatAreNot() async throws {
    let outside = try TestOutside()
    let here = (0..<60).map { #"{"name":"ALBUM \#($0)","mbid":"","artist":{"name":"artist \#($0 % 40)"}}"# }
    let absent = (0..<40).map { #"{"name":"New \#($0)","mbid":"","artist":{"name":"Stranger \#($0)"}}"# }
    outside.answer("tag.getTopAlbums", #"{"albums":{"album":[\#((here + absent).joined(separator: ","))]}}"#)
    let rows = (0..<40).map { (TestOutside.group(9000 + $0), "New \($0)", "Stranger \($0)", 100 - $0) }
    outside.answer("1/stats/sitewide/release-groups", TestOutside.statistics(rows))
    let discovery = try await TestDiscovery(TestOutside.albums(600), access: outside.access)
    _ = try await discovery.ask(Discovery.ReadWall())
    let off = try await source("lastfm-genres", discovery)?.outside
    #expect(off?.isOn == false && off?.needs == nil)
    try await read("lastfm-genres", discovery)
    let wall = try await discovery.ask(Discovery.ReadWall(seed: 1, dial: 3))
    let named = wall.tiles.filter { $0.evidence.source == "Last.fm" }
    #expect(named.count >= 12 && named.allSatisfy { $0.signal == .charts && $0.evidence.genre != nil })
    #expect(named.allSatisfy { $0.reason.contains(" of the albums that listeners at Last.fm call ") })
    let feed = try await discovery.ask(Discovery.ReadWall(seed: 1, dial: 3, genre: "jazz"))
    #expect(feed.tiles.contains { $0.evidence.source == "Last.fm" })
    // An album that is not here is shown once another source knows its release group.
    _ = try await discovery.ask(Discovery.SetMissingAlbums(isOn: true))
    #expect(try await discovery.ask(Discovery.ReadWall(seed: 2, dial: 5)).tiles.allSatisfy { $0.isOnShelf })
    try await read("listenbrainz-charts", discovery)
    let missing = try await discovery.ask(Discovery.ReadWall(seed: 3, dial: 5)).tiles.filter { !$0.isOnShelf }
    #expect(missing.count == 15 && missing.allSatisfy { $0.evidence.source == "Last.fm" && $0.signal == .charts })
    // They are in the feed of the chart's genre, though nothing of their artists is here.
    let rock = try await discovery.ask(Discovery.ReadWall(seed: 3, dial: 5, genre: "rock")).tiles
    #expect(rock.contains { !$0.isOnShelf })
    _ = try await discovery.ask(Discovery.SetSource(name: "lastfm-genres", isOn: false))
    let later = try await discovery.ask(Discovery.ReadWall(seed: 4, dial: 5)).tiles
    #expect(later.contains { !$0.isOnShelf } && later.allSatisfy { $0.evidence.source != "Last.fm" })
    await discovery.close()
    await outside.stop()
  }

  @Test func whatIsSwitchedOffIsForgotten() async throws {
    let outside = try TestOutside()
    let rows = (0..<50).map { (TestOutside.group(9000 + $0), "New \($0)", "Artist \($0 % 40)", 100 - $0) }
    outside.answer("1/stats/sitewide/release-groups", TestOutside.statistics(rows))
    let discovery = try await TestDiscovery(TestOutside.albums(400), access: outside.access)
    _ = try await discovery.ask(Discovery.SetMissingAlbums(isOn: true))
    try await read("listenbrainz-charts", discovery)
    let wall = try await discovery.ask(Discovery.ReadWall(seed: 1, dial: 5))
    #expect(wall.tiles.contains { !$0.isOnShelf })
    _ = try await discovery.ask(Discovery.SetSource(name: "listenbrainz-charts", isOn: false))
    #expect(try await source("listenbrainz-charts", discovery)?.items == 0)
    let again = try await discovery.ask(Discovery.ReadWall(seed: 1, dial: 5))
    #expect(again.tiles.allSatisfy { $0.isOnShelf } && again.tiles.count == 100)
    await discovery.close()
    await outside.stop()
  }

  @Test func albumsThatAreMissingHaveTheirShareAndAQueuePassesOverThem() async throws {
    let outside = try TestOutside()
    let rows = (0..<60).map { (TestOutside.group(9000 + $0), "New \($0)", "Artist \($0 % 40)", 100 - $0) }
    outside.answer("1/stats/sitewide/release-groups", TestOutside.statistics(rows))
    let albums = TestOutside.albums(900)
    let discovery = try await TestDiscovery(albums, access: outside.access)
    try await read("listenbrainz-charts", discovery)
    // None is shown until that is switched on, and none at the first positions.
    #expect(try await discovery.ask(Discovery.ReadWall(seed: 1, dial: 5)).tiles.allSatisfy { $0.isOnShelf })
    _ = try await discovery.ask(Discovery.SetMissingAlbums(isOn: true))
    for (dial, most) in zip(1...5, [0, 0, 5, 10, 15]) {
      let wall = try await discovery.ask(Discovery.ReadWall(seed: 2, dial: dial))
      #expect(wall.tiles.count == 100 && wall.tiles.count { !$0.isOnShelf } == most)
    }
    let wall = try await discovery.ask(Discovery.ReadWall(seed: 2, dial: 5))
    let tile = try #require(wall.tiles.first { !$0.isOnShelf })
    let missing = try #require(tile.missing)
    #expect(tile.id == nil && tile.title == missing.title && missing.source == "ListenBrainz" && !missing.isWished)
    #expect(missing.artistID != nil && missing.art == nil && missing.links.allSatisfy { $0.url.hasPrefix("https://") })
    #expect(tile.signal == .charts && tile.reason.hasSuffix("this month."))
    // With covers on, it has the id of one.
    _ = try await discovery.ask(Discovery.SetSource(name: "coverart", isOn: true))
    let covered = try await discovery.ask(Discovery.ReadWall(seed: 2, dial: 5)).tiles.first { !$0.isOnShelf }
    #expect(
      covered?.art?.description
        == "cover:https://coverartarchive.org/release-group/\(missing.releaseGroup)/front-500")
    // A queue passes over it.
    let place = try #require(wall.tiles.firstIndex { !$0.isOnShelf })
    let before = try #require(wall.tiles[..<place].last { $0.isOnShelf }?.id ?? wall.tiles.first { $0.isOnShelf }?.id)
    let next = try await discovery.ask(Discovery.ListNextAlbums(wall: wall.name, after: before, limit: 20))
    #expect(next.albums.count == 20 && next.hasMore)
    await discovery.close()
    await outside.stop()
  }

  @Test func aReadingGoesOnWhereItWasAfterAKill() async throws {
    let outside = try TestOutside()
    let artist = #"{"artist-credit":[{"artist":{"id":"\#(TestOutside.group(7))","name":"A"}}]}"#
    outside.musicBrainz.withLock {
      $0["/ws/2/release-group/"] = HTTPServerResponse(text: artist)
      $0["/ws/2/release-group?artist="] = HTTPServerResponse(
        text:
          #"{"release-groups":[{"id":"\#(TestOutside.group(8000))","title":"Lost","first-release-date":"1971-05","primary-type":"Album","secondary-types":[]},{"id":"\#(TestOutside.group(8001))","title":"Live","first-release-date":"1972","secondary-types":["Live"]}]}"#
      )
    }
    let discovery = try await TestDiscovery(TestOutside.albums(400), access: outside.access)
    _ = try await discovery.ask(Discovery.ReadWall())
    outside.holdsAfter.withLock { $0 = 6 }
    _ = try await discovery.ask(Discovery.SetSource(name: "musicbrainz", isOn: true))
    #expect(await eventually(atLeast: 6) { outside.paths.withLock { $0.count } })
    await discovery.stop()
    let first = outside.paths.withLock { $0 }
    outside.holdsAfter.withLock { $0 = nil }
    try await discovery.start()
    #expect(try await eventually { try await source("musicbrainz", discovery)?.readAt != nil })
    let all = outside.paths.withLock { $0 }
    // Forty artists, each with a request for its id and one for its albums; of those before the kill at most the last
    // is asked for again.
    #expect(all.count >= 80 && all.count <= 82 && first.count < 80)
    #expect(outside.agents.withLock { $0 } == ["Lunara/\(LunaraVersion.current) (me@example.org)"])
    #expect(try await source("musicbrainz", discovery)?.items == 40)
    await discovery.close()
    await outside.stop()
  }

  @Test(arguments: [
    "", "<!doctype html><script>alert(1)</script>", "[]", "null", "{\"payload\":null}",
    "{\"payload\":{\"release_groups\":{}}}",
    #"{"payload":{"release_groups":[null,1,{"release_group_name":null},{"release_group_name":5,"artist_name":[]}]}}"#,
    String(repeating: "[", count: 100_000),
  ])
  func anAnswerThatIsNoneLeavesTheWallAndIsSeenInDiagnostics(body: String) async throws {
    let outside = try TestOutside()
    outside.answer("1/stats/sitewide/release-groups", body)
    let discovery = try await TestDiscovery(TestOutside.albums(120), access: outside.access)
    _ = try await discovery.ask(Discovery.SetSource(name: "listenbrainz-charts", isOn: true))
    #expect(
      try await eventually {
        let source = try await source("listenbrainz-charts", discovery)
        return source?.problem != nil || source?.readAt != nil
      })
    let state = try await source("listenbrainz-charts", discovery)
    #expect(state?.items == 0)
    #expect(state?.problem?.code == "discovery.sourceAway" || state?.readAt != nil)
    #expect(try await discovery.ask(Discovery.ReadWall(seed: 1)).tiles.count == 100)
    await discovery.close()
    await outside.stop()
  }

  @Test func aServiceThatIsAwayIsAskedAgainLaterAndAPauseIsKept() async throws {
    let outside = try TestOutside()
    let discovery = try await TestDiscovery(TestOutside.albums(120), access: outside.access)
    let start = discovery.now.withLock { $0.seconds }
    _ = try await discovery.ask(Discovery.SetSource(name: "listenbrainz-charts", isOn: true))
    #expect(try await eventually { try await source("listenbrainz-charts", discovery)?.problem != nil })
    let first = try #require(try await source("listenbrainz-charts", discovery)?.outside?.nextAt)
    #expect(first.seconds == start + 300)
    outside.answers.withLock {
      $0["1/stats/sitewide/release-groups"] = .init(
        status: 503, body: "<html>", waitsUntil: Timestamp(seconds: start + 5000))
    }
    _ = try await discovery.ask(Discovery.RefreshSource(name: "listenbrainz-charts"))
    #expect(
      try await eventually(equals: Timestamp(seconds: start + 5000)) {
        try await source("listenbrainz-charts", discovery)?.outside?.nextAt
      })
    await discovery.close()
    await outside.stop()
  }

  @Test func anArtistNamedScriptIsATextLikeAnyOther() async throws {
    let outside = try TestOutside()
    outside.answer(
      "1/stats/sitewide/release-groups",
      TestOutside.statistics([(TestOutside.group(9000), "<b>\\u0000\\u202e</b>", "<script>alert(1)</script>", 5)]))
    let discovery = try await TestDiscovery(TestOutside.albums(120), access: outside.access)
    _ = try await discovery.ask(Discovery.SetMissingAlbums(isOn: true))
    try await read("listenbrainz-charts", discovery)
    let wall = try await discovery.ask(Discovery.ReadWall(seed: 1, dial: 5))
    let tile = try #require(wall.tiles.first { !$0.isOnShelf })
    #expect(tile.artist == "<script>alert(1)</script>" && tile.title == "<b>\u{FFFD}\u{FFFD}</b>")
    #expect(tile.missing?.links.allSatisfy { !$0.url.contains("<") } == true)
    await discovery.close()
    await outside.stop()
  }
}
