import Bus
import Glibc
import HTTP
import Messages
import Model
import Storage
import System
import TestSupport
import Testing

@testable import lunara_playback

/// Files that break off, change, or are something else than they should be.
@Suite(.timeLimit(.minutes(4))) struct OfflineFetchTests {
  @Test func aBrokenDownloadGoesOnAtTheBreak() async throws {
    let household = try OfflineHousehold()
    let album = household.album("a", [1])
    household.change(1) { $0.cuts = [60_000, 10_000] }
    let albums = await household.open()
    _ = try await albums.add(album)
    #expect(try await albums.becomes(.whole, album))
    #expect(household.fetched == ["1", "1 from 60000", "1 from 70000"])
    #expect(try await albums.copiedBytes(1) == OfflineHousehold.content(1))
    await albums.stop()
    await household.http.stop()
  }

  @Test func aDownloadGoesOnAfterARestartAndNothingWholeIsFetchedTwice() async throws {
    let household = try OfflineHousehold()
    let album = household.album("a", [1, 2])
    // All attempts of the first run break off.
    household.change(2) { $0.cuts = [30_000, 0, 0, 0] }
    var albums = await household.open(retryDelay: .seconds(1000), failureDelay: .seconds(1000))
    _ = try await albums.add(album)
    #expect(try await albums.becomes(.failed, album))
    await albums.stop()
    let before = household.fetched.count
    albums = await household.open()
    #expect(try await albums.becomes(.whole, album))
    #expect(household.fetched.dropFirst(before) == ["2 from 30000"])
    #expect(try await albums.copiedBytes(2) == OfflineHousehold.content(2))
    await albums.stop()
    await household.http.stop()
  }

  @Test func afterARestartOfTheMachineOnlySyncedBytesCount() async throws {
    let household = try OfflineHousehold()
    let album = household.album("a", [1])
    household.change(1) { $0.cuts = [30_000, 0, 0, 0] }
    var albums = await household.open(retryDelay: .seconds(1000), failureDelay: .seconds(1000))
    _ = try await albums.add(album)
    #expect(try await albums.becomes(.failed, album))
    await albums.stop()
    try await household.edit { try $0.execute("UPDATE part SET boot = 'another', received = 20000") }
    let before = household.fetched.count
    albums = await household.open()
    #expect(try await albums.becomes(.whole, album))
    #expect(household.fetched.dropFirst(before) == ["1 from 20000"])
    #expect(try await albums.copiedBytes(1) == OfflineHousehold.content(1))
    await albums.stop()
    await household.http.stop()
  }

  @Test func aFileThatChangedMeanwhileIsFetchedFromItsBeginning() async throws {
    let household = try OfflineHousehold()
    let album = household.album("a", [1])
    household.change(1) { $0.cuts = [30_000, 0, 0, 0] }
    var albums = await household.open(retryDelay: .seconds(1000), failureDelay: .seconds(1000))
    _ = try await albums.add(album)
    #expect(try await albums.becomes(.failed, album))
    await albums.stop()
    let new = OfflineHousehold.content(1, size: 90_000, seed: 9)
    household.change(1) { ($0.bytes, $0.version, $0.cuts) = (new, "\"v2\"", []) }
    albums = await household.open()
    #expect(try await albums.becomes(.whole, album))
    #expect(household.fetched.last == "1")
    #expect(try await albums.copiedBytes(1) == new)
    await albums.stop()
    await household.http.stop()
  }

  @Test func aServerWithoutVersionsSendsABrokenFileAnew() async throws {
    let household = try OfflineHousehold()
    let album = household.album("a", [1])
    household.change(1) { ($0.cuts, $0.hasVersion) = ([60_000], false) }
    let albums = await household.open()
    _ = try await albums.add(album)
    #expect(try await albums.becomes(.whole, album))
    #expect(household.fetched == ["1", "1"])
    #expect(try await albums.copiedBytes(1) == OfflineHousehold.content(1))
    await albums.stop()
    await household.http.stop()
  }

  @Test func aFileOfAnotherLengthThanStatedIsNotKept() async throws {
    let household = try OfflineHousehold()
    let album = household.album("a", [1, 2])
    household.change(1) { $0.statedLength = 120_000 }
    let albums = await household.open(retryDelay: .seconds(1000), failureDelay: .seconds(1000))
    _ = try await albums.add(album)
    #expect(try await albums.becomes(.failed, album))
    let shown = try #require(try await albums.album(album))
    #expect(shown.kept == 0 && shown.problem != nil)
    #expect(try await albums.copiedBytes(1) == nil)
    #expect(household.files.allSatisfy { $0.hasSuffix(".part") })
    await albums.stop()
    await household.http.stop()
  }

  @Test func anAlbumThatFailsDoesNotKeepOthersWaiting() async throws {
    let household = try OfflineHousehold()
    let (one, two) = (household.album("a", [1]), household.album("b", [2]))
    household.change(1) { $0.refusal = 503 }
    let albums = await household.open(retryDelay: .seconds(1000), failureDelay: .seconds(1000))
    _ = try await albums.add(one, two)
    #expect(try await albums.becomes(.whole, two))
    #expect(try await albums.album(one)?.state == .failed)
    // Who adds it again wants it to be tried now.
    household.change(1) { $0.refusal = nil }
    _ = try await albums.add(one)
    #expect(try await albums.becomes(.whole, one))
    await albums.stop()
    await household.http.stop()
  }

  // MARK: - Changes

  @Test func aFileThatChangedAtItsSourceIsFetchedAgainBesideTheOldOne() async throws {
    let household = try OfflineHousehold()
    let album = household.album("a", [1, 2])
    let albums = await household.open()
    _ = try await albums.add(album)
    #expect(try await albums.becomes(.whole, album))
    let new = OfflineHousehold.content(1, seed: 9)
    household.change(1) { ($0.bytes, $0.version, $0.cuts) = (new, "\"v2\"", [50_000, 50_000]) }
    _ = try await albums.add(album)
    #expect(
      await eventually {
        // The album is whole all the time.
        if await albums.copy(of: .numbered(2), marks: false) == nil { Issue.record("the album is not whole") }
        return household.fetched.last == "1 from 50000"
      })
    #expect(try await eventually(equals: new) { try await albums.copiedBytes(1) })
    #expect(await eventually(equals: [2]) { household.compared })
    #expect(household.files.count == 2)
    await albums.stop()
    await household.http.stop()
  }

  @Test func aTrackThatLeftItsAlbumGoesAndOneThatCameIsFetched() async throws {
    let household = try OfflineHousehold()
    let album = household.album("a", [1, 2])
    let albums = await household.open()
    _ = try await albums.add(album)
    #expect(try await albums.becomes(.whole, album))
    household.album("a", [2, 3])
    _ = try await albums.add(album)
    #expect(await eventually(contains: "3") { household.fetched })
    #expect(try await albums.becomes(.whole, album))
    #expect(household.fetched == ["1", "2", "3"] && household.files.count == 2)
    #expect(try await albums.copiedBytes(1) == nil)
    // A library that has not read its files yet lists nothing, and is not believed.
    household.list(album.playable, [])
    _ = try await albums.add(album)
    #expect(await eventually(equals: 1) { household.compared.filter { $0 == 3 }.count })
    #expect(try await albums.album(album)?.state == .whole)
    await albums.stop()
    await household.http.stop()
  }

  // MARK: - The disk

  @Test func aFileWhoseRowWasNotWrittenAnyMoreIsAdopted() async throws {
    let household = try OfflineHousehold()
    let album = household.album("a", [1, 2])
    var albums = await household.open()
    _ = try await albums.add(album)
    #expect(try await albums.becomes(.whole, album))
    await albums.stop()
    // As after a kill between the renaming of the second file and its row.
    try await household.edit { transaction in
      try transaction.execute(
        """
        INSERT INTO part (key, name, size, version, place, received, boot)
          SELECT key, name, size, version, place, 0, NULL FROM file WHERE key = 'track files:t2'
        """)
      try transaction.execute("DELETE FROM file WHERE key = 'track files:t2'")
    }
    albums = await household.open()
    #expect(try await albums.album(album)?.state == .whole)
    #expect(try await albums.copiedBytes(2) == OfflineHousehold.content(2))
    #expect(household.fetched == ["1", "2"])
    await albums.stop()
    await household.http.stop()
  }

  @Test func copiesThatWereCutChangedOrDeletedAreFetchedAgain() async throws {
    let household = try OfflineHousehold()
    let album = household.album("a", [1, 2, 3])
    var albums = await household.open()
    _ = try await albums.add(album)
    #expect(try await albums.becomes(.whole, album))
    var paths: [String] = []
    for number in 1...3 {
      guard case .file(let path, _)? = await albums.copy(of: .numbered(number), marks: false) else { continue }
      paths.append(path.description)
    }
    try #require(paths.count == 3)
    await albums.stop()
    unlink(paths[0])
    truncate(paths[1], 99_999)
    // The same length, and another time.
    try Files.replace(paths[2], with: OfflineHousehold.content(7))
    close(open(household.path + "/0123456789abcdefghjk", O_CREAT | O_WRONLY, 0o600))
    albums = await household.open()
    #expect(try await albums.becomes(.whole, album))
    #expect(household.fetched.sorted() == ["1", "1", "2", "2", "3", "3"])
    #expect(household.files.count == 3)
    for number in 1...3 { #expect(try await albums.copiedBytes(number) == OfflineHousehold.content(number)) }
    await albums.stop()
    await household.http.stop()
  }

  @Test func aFileOfThisMachineIsCopied() async throws {
    let household = try OfflineHousehold()
    let album = household.album("a", [1])
    let path = household.folder.path + "/one.flac"
    try Files.replace(path, with: OfflineHousehold.content(1))
    let albums = await household.open { _ in .file(LocalPath(path)) }
    _ = try await albums.add(album)
    #expect(try await albums.becomes(.whole, album))
    unlink(path)
    #expect(try await albums.copiedBytes(1) == OfflineHousehold.content(1) && household.fetched.isEmpty)
    try Files.replace(path, with: OfflineHousehold.content(5))
    _ = try await albums.add(album)
    #expect(try await eventually(equals: OfflineHousehold.content(5)) { try await albums.copiedBytes(1) })
    await albums.stop()
    await household.http.stop()
  }
}

/// The decision that a file was replaced.
struct OfflineSourceTests {
  @Test func aVersionDecidesAndElseTheLength() {
    let tagged = OfflineSource(size: 10, version: "\"a\"", place: "/1")
    #expect(!tagged.isReplaced(by: OfflineSource(size: nil, version: "\"a\"", place: "/1")))
    #expect(tagged.isReplaced(by: OfflineSource(size: 10, version: "\"b\"", place: "/1")))
    // Another kind of version tells nothing, as after a change of the server.
    let dated = OfflineSource(size: 10, version: "Sat, 21 Nov 2026 00:00:00 GMT", place: "/2")
    #expect(!tagged.isReplaced(by: dated))
    #expect(tagged.isReplaced(by: OfflineSource(size: 11, version: dated.version, place: "/2")))
    #expect(!OfflineSource(size: 10, place: "/1").isReplaced(by: OfflineSource(size: nil, place: "/1")))
  }

  @Test func thePathOfAPartAtPlexIsItsVersion() {
    let version = OfflineSource.versionOfPlace("http://host:32400/library/parts/9/1700/file.flac?X-Plex-Token=secret")
    #expect(version == "place /library/parts/9/1700/file.flac")
    #expect(OfflineSource.versionOfPlace("http://host/rest/stream?id=9") == nil)
    let kept = OfflineSource(size: 10, version: version, place: "")
    #expect(kept.isReplaced(by: OfflineSource(size: 10, version: "place /library/parts/9/1800/file.flac", place: "")))
  }

  @Test func aPlaceIsThePathOfAnAddress() {
    #expect(OfflineSource.place("http://host:8788/audio/files:t1?expires=1&signature=x") == "/audio/files:t1")
    #expect(OfflineSource.place("http://host") == "")
  }
}

extension OfflineHousehold {
  /// Changes the tables of albums that are closed.
  fileprivate func edit(_ body: @escaping @Sendable (Transaction) throws -> Void) async throws {
    let database = try Database(at: path + "/offline.sqlite", migrations: Journal.migrations + OfflineStore.migrations)
    try await database.write { try body($0) }
    await database.close()
  }
}
