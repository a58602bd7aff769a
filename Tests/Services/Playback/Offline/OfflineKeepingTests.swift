import Glibc
import HTTP
import Messages
import Model
import ServiceKit
import TestSupport
import Testing

@testable import lunara_playback

/// Keeping albums from a test server: what counts, what is fetched how often, and what goes.
@Suite(.timeLimit(.minutes(4))) struct OfflineKeepingTests {
  @Test func anAlbumIsKeptWholeAndFoundAgainAfterARestart() async throws {
    let household = try OfflineHousehold()
    let album = household.album("a", [1, 2, 3])
    var albums = await household.open()
    #expect(try await albums.add(album) == Playback.OfflineChange(changed: 1, unchanged: 0))
    #expect(try await albums.becomes(.whole, album))
    #expect(household.fetched == ["1", "2", "3"] && household.files.count == 3)
    for number in 1...3 { #expect(try await albums.copiedBytes(number) == OfflineHousehold.content(number)) }
    let shown = try #require(try await albums.album(album))
    #expect(shown.tracks == 3 && shown.kept == 3 && shown.bytes == 300_000 && shown.size == 300_000)
    #expect(await eventually(equals: 1) { household.published.last?.whole })
    await albums.stop()
    albums = await household.open()
    #expect(try await albums.copiedBytes(2) == OfflineHousehold.content(2))
    #expect(try await albums.add(album) == Playback.OfflineChange(changed: 0, unchanged: 1))
    // The source is asked whether its files have changed, and sends none again.
    #expect(await eventually(equals: [1, 2, 3]) { household.compared.sorted() })
    #expect(household.fetched == ["1", "2", "3"])
    await albums.stop()
    await household.http.stop()
  }

  @Test func aPartOfAnAlbumNeverCounts() async throws {
    let (endless, source) = AsyncStream<[UInt8]>.makeStream()
    source.yield(OfflineHousehold.content(3, size: 10_000))
    let household = try OfflineHousehold()
    let album = household.album("a", [1, 2, 3])
    household.change(3) { $0.held = endless }
    let albums = await household.open()
    _ = try await albums.add(album)
    #expect(await eventually(equals: 3) { household.fetched.count })
    let shown = try #require(try await albums.album(album))
    #expect(shown.state == .loading && shown.kept == 2)
    for number in 1...3 { #expect(try await albums.copiedBytes(number) == nil) }
    await #expect { _ = try await albums.tracks(named: ["files:a"]) } throws: {
      ($0 as? LunaraError)?.code == "playback.notKept"
    }
    // It can be removed at any moment.
    #expect(try await albums.remove(Playback.RemoveOffline(ids: nil)).changed == 1)
    #expect(access(household.path, F_OK) != 0)
    source.finish()
    await albums.stop()
    await household.http.stop()
  }

  @Test func aRoomThatKeepsNothingHasNoFolder() async throws {
    let household = try OfflineHousehold()
    let album = household.album("a", [1])
    let albums = await household.open()
    #expect(try await albums.page(Playback.ListOffline()).albums.isEmpty)
    #expect(try await albums.remove(Playback.RemoveOffline(ids: [album])).unchanged == 1)
    #expect(access(household.path, F_OK) != 0)
    _ = try await albums.add(album)
    #expect(access(household.path, F_OK) == 0)
    #expect(try await albums.remove(Playback.RemoveOffline(ids: [album])).changed == 1)
    #expect(access(household.path, F_OK) != 0)
    #expect(household.published.last?.albums == 0)
    await albums.stop()
    await household.http.stop()
  }

  @Test func anArtistOrAListStandsForTheAlbumsOfItsTracks() async throws {
    let household = try OfflineHousehold()
    let (one, two) = (household.album("a", [1, 2]), household.album("b", [3, 4]))
    let albums = await household.open()
    _ = try await albums.add(one)
    // The list has one track of each album, and one that is only described.
    let list = PlayableID(source: "lunara", native: "list")
    let tracks = [(1, "a"), (3, "b")].map { number, album in
      var track = QueueItem.numbered(number).track
      track.albumID = AlbumID(source: "files", native: album)
      return Library.PlayableTrack(track: track, path: nil, host: "")
    }
    household.list(
      list, tracks + [Library.PlayableTrack(DescribedTrack(title: "Elsewhere", artist: "Nobody"), host: "")])
    #expect(
      try await albums.add(Playback.AddOffline(ids: [list])) == Playback.OfflineChange(changed: 1, unchanged: 1))
    #expect(try await albums.becomes(.whole, two))
    #expect(household.fetched.sorted() == ["1", "2", "3", "4"])
    #expect(try await albums.tracks(named: ["album B", "files:t1"]).map(\.track.number) == [3, 4, 1])
    await albums.stop()
    await household.http.stop()
  }

  /// Each track of an image has an address of its own, and the file's key tells that they lead to one file.
  @Test func aFileOfSeveralTracksIsKeptOnce() async throws {
    let household = try OfflineHousehold()
    let album = household.album("a", [1])
    let segments = (1...3).map {
      AudioSegment(start: Int64($0) * 1000, end: Int64($0 + 1) * 1000, sampleRate: 44_100, file: "image")
    }
    let tracks = segments.enumerated().map { index, segment in
      var track = QueueItem.numbered(index + 1).track
      track.albumID = album
      return Library.PlayableTrack(track: track, path: nil, host: "", segment: segment)
    }
    household.list(album.playable, tracks)
    let port = household.http.port
    let albums = await household.open { item in
      .url("http://127.0.0.1:\(port)/1", headers: [:], segment: segments[(item.track.number ?? 1) - 1])
    }
    _ = try await albums.add(album)
    #expect(try await albums.becomes(.whole, album))
    #expect(household.fetched == ["1"] && household.files.count == 1)
    #expect(await albums.copy(of: .numbered(3), marks: false)?.segment == segments[2])
    #expect(try await albums.album(album)?.bytes == 100_000)
    await albums.stop()
    await household.http.stop()
  }

  @Test func nothingIsFetchedWhileTheConnectionCostsByVolume() async throws {
    let household = try OfflineHousehold()
    let album = household.album("a", [1])
    household.setConnection(.init(isMetered: true))
    let albums = await household.open()
    _ = try await albums.add(album)
    #expect(await eventually(equals: "metered") { household.published.last?.pause })
    #expect(household.fetched.isEmpty)
    #expect(try await albums.album(album)?.state == .waiting)
    household.setConnection(.init())
    #expect(try await albums.becomes(.whole, album))
    #expect(await eventually(equals: nil) { household.published.last?.pause })
    await albums.stop()
    await household.http.stop()
  }

  @Test func aPersonChoosesTheConnectionsOverWhichAlbumsAreFetched() async throws {
    let household = try OfflineHousehold()
    let ids = (1...2).map { household.album("a\($0)", [$0]) }
    household.setConnection(.init(isMobile: true))
    var albums = await household.open()
    #expect(try await albums.set(Playback.SetOfflineConnection(connection: .wifi)).connection == .wifi)
    _ = try await albums.add(ids[0])
    #expect(await eventually(equals: "mobile") { household.published.last?.pause })
    // The choice is kept over a restart.
    await albums.stop()
    albums = await household.open()
    #expect(await eventually(equals: "mobile") { household.published.last?.pause })
    #expect(household.fetched.isEmpty)
    #expect(try await albums.set(Playback.SetOfflineConnection(connection: .unmetered)).connection == nil)
    #expect(try await albums.becomes(.whole, ids[0]))
    household.setConnection(.init(isMetered: true))
    _ = try await albums.set(Playback.SetOfflineConnection(connection: .any))
    _ = try await albums.add(ids[1])
    #expect(try await albums.becomes(.whole, ids[1]))
    await #expect(throws: LunaraError.self) { try await albums.set(.init(connection: .unknown)) }
    await albums.stop()
    await household.http.stop()
  }

  // MARK: - Space

  @Test func whatWasPlayedLongestAgoGoesFirstUnlessItIsPinned() async throws {
    let household = try OfflineHousehold()
    let ids = (1...4).map { household.album("a\($0)", [$0]) }
    let albums = await household.open()
    #expect(try await albums.set(Playback.SetOffline(limit: 300_000)).limit == 300_000)
    _ = try await albums.add(ids[0], pinned: true)
    for id in ids[0...2] {
      _ = try await albums.add(id)
      #expect(try await albums.becomes(.whole, id))
    }
    // The second one is played, so the third one is the one whose use is longest ago.
    #expect(await albums.copy(of: .numbered(2), marks: true) != nil)
    _ = try await albums.add(ids[3])
    #expect(try await albums.becomes(.whole, ids[3]))
    var there = try await albums.page(Playback.ListOffline()).albums.map(\.id)
    #expect(there == [ids[0], ids[1], ids[3]] && household.files.count == 3)
    // A smaller limit applies at once, and pinned albums stay.
    #expect(try await albums.set(Playback.SetOffline(limit: 50_000)).bytes == 100_000)
    there = try await albums.page(Playback.ListOffline()).albums.map(\.id)
    #expect(there == [ids[0]] && household.files.count == 1)
    await albums.stop()
    await household.http.stop()
  }

  @Test func theAlbumsOfOneRequestDoNotDisplaceEachOther() async throws {
    let household = try OfflineHousehold()
    let ids = (1...3).map { household.album("a\($0)", [$0]) }
    let albums = await household.open(failureDelay: .seconds(1000))
    _ = try await albums.set(Playback.SetOffline(limit: 250_000))
    _ = try await albums.add(ids[0], ids[1], ids[2])
    #expect(try await albums.becomes(.failed, ids[2]))
    #expect(try await albums.album(ids[2])?.problem?.code == "playback.offlineFull")
    #expect(try await albums.album(ids[0])?.state == .whole)
    // A part that does not fit takes no space.
    #expect(household.files.count == 2)
    _ = try await albums.set(Playback.SetOffline(limit: nil))
    #expect(try await albums.becomes(.whole, ids[2]))
    await albums.stop()
    await household.http.stop()
  }

  @Test func aFullDiskIsNotFilledFurtherAndIsTriedAgain() async throws {
    let household = try OfflineHousehold()
    let album = household.album("a", [1])
    let albums = await household.open()
    _ = try await albums.set(Playback.SetOffline(limit: 1_000_000))
    household.setFree(OfflineSpace.reserve + 50_000)
    _ = try await albums.add(album)
    #expect(try await albums.becomes(.failed, album))
    #expect(household.files.isEmpty)
    household.setFree(OfflineSpace.reserve + 500_000)
    #expect(try await albums.becomes(.whole, album))
    await albums.stop()
    await household.http.stop()
  }
}

/// The pauses before an album is tried again.
struct OfflinePauseTests {
  @Test func aSourceThatDoesNotAnswerIsAskedLessAndLessOften() {
    let away = LunaraError("library.sourceAway", "The source does not answer.")
    let context = OfflineContext(list: { _, _ in throw away }, locate: { _ in throw away }, log: .quiet)
    func pause(_ count: Int, isAway: Bool = true) -> Duration { context.pause(afterFailures: count, isAway: isAway) }
    let expected = [15, 30, 60, 120, 240, 300, 300].map { Duration.seconds($0) }
    #expect((1...7).map { pause($0) } == expected)
    #expect(pause(1_000_000) == .seconds(300) && pause(1, isAway: false) == .seconds(300))
  }
}

/// The limit, and the choice of the albums that go. No disk takes part.
struct OfflineSpaceTests {
  private func album(_ row: Int64, used: Int64, size: Int64 = 40) -> OfflineSpace.Album {
    OfflineSpace.Album(row: row, usedAt: Timestamp(seconds: used), size: size)
  }

  @Test func theDefaultIsHalfOfWhatIsFreeAndAtMost128GB() {
    #expect(OfflineSpace(used: 0, free: 100).limit == 50)
    // Kept albums do not make the limit smaller.
    #expect(OfflineSpace(used: 50, free: 50).limit == 50)
    #expect(OfflineSpace(used: 0, free: 1_000_000_000_000).limit == 128_000_000_000)
    #expect(OfflineSpace(used: 0, free: 100, chosen: 90).limit == 90)
  }

  @Test func whatWasUsedLongestAgoGoesUntilTheRestFits() {
    let space = OfflineSpace(used: 120, free: 1 << 40, chosen: 130)
    let albums = [album(1, used: 3), album(2, used: 1), album(3, used: 2)]
    #expect(space.removals(for: 10, among: albums) == [])
    #expect(space.removals(for: 20, among: albums) == [2])
    #expect(space.removals(for: 60, among: albums) == [2, 3])
    #expect(space.removals(for: 131, among: albums) == nil)
    // A server may state the size of a file as it likes.
    #expect(space.removals(for: .max, among: albums) == nil)
    #expect(space.removals(for: 60, among: albums, usedBefore: Timestamp(seconds: 2)) == nil)
    #expect(OfflineSpace(used: 120, free: 1 << 40, chosen: 50).removals(for: 0, among: albums) == [2, 3])
  }

  @Test func theReserveOfTheDiskStaysFree() {
    let space = OfflineSpace(used: 40, free: OfflineSpace.reserve + 30, chosen: 1 << 40)
    #expect(space.removals(for: 30, among: []) == [])
    #expect(space.removals(for: 31, among: []) == nil)
    #expect(space.removals(for: 31, among: [album(1, used: 1)]) == [1])
  }
}
