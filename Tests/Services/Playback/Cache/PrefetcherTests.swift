import Glibc
import HTTP
import Messages
import Model
import ServiceKit
import Synchronization
import TestSupport
import Testing

@testable import lunara_playback

/// Prefetching the next tracks from a test server.
struct PrefetcherTests {
  /// A server of tracks by number, each of 100 kB, and the requests it got.
  private final class Server: Sendable {
    final class Asked: Sendable {
      let paths = Mutex<[String]>([])
    }

    let asked = Asked()
    let http: HTTPServer

    init(
      _ answer: @escaping @Sendable (HTTPServerRequest, Int) -> HTTPServerResponse = { _, number in Server.track(number)
      }
    )
      throws
    {
      let asked = self.asked
      http = try HTTPServer(address: "127.0.0.1", port: 0) { request in
        asked.paths.withLock { $0.append(request.path) }
        return answer(request, Int(request.path.dropFirst()) ?? 0)
      }
    }

    static func track(_ number: Int) -> HTTPServerResponse {
      HTTPServerResponse(
        headers: [("Content-Type", "audio/flac")],
        body: .bytes([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 100_000)))
    }

    func locator(of item: QueueItem) -> Library.Locator {
      .url("http://127.0.0.1:\(http.port)/\(item.track.number ?? 0)?token=secret", headers: ["A": "b"])
    }
  }

  private func prefetcher(
    _ server: Server, in folder: TemporaryDirectory, limits: Prefetcher.Limits = .init(),
    pause: Duration = .milliseconds(50)
  ) throws -> Prefetcher {
    try Prefetcher(in: folder.path + "/ahead", limits: limits, log: .quiet, retryDelay: pause) {
      server.locator(of: $0)
    }
  }

  private func copiedPath(of item: QueueItem, in prefetcher: Prefetcher) -> String? {
    if case .file(let path, nil)? = prefetcher.copy(of: item) { path.description } else { nil }
  }

  private func files(in folder: TemporaryDirectory) -> [String] {
    guard let listing = opendir(folder.path + "/ahead") else { return [] }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  @Test func whatComesNextIsFetchedNearestFirstAndFoundAgainAfterARestart() async throws {
    let (server, folder) = (try Server(), TemporaryDirectory())
    let items = (1...3).map { QueueItem.numbered($0) }
    var prefetcher = try prefetcher(server, in: folder)
    await prefetcher.setWanted(items)
    #expect(await eventually { prefetcher.has(items[2]) })
    #expect(server.asked.paths.withLock { $0 } == ["/1", "/2", "/3"])
    await prefetcher.stop()
    // Incomplete files are removed, and complete ones are not fetched again.
    let unfinished = try #require(CacheName(items[0], at: "http://x/9", segment: nil))
    let part = folder.path + "/ahead/\(unfinished.file).part"
    close(open(part, O_CREAT | O_WRONLY, 0o600))
    prefetcher = try self.prefetcher(server, in: folder)
    await prefetcher.setWanted(items + [.numbered(4)])
    #expect(await eventually { prefetcher.has(.numbered(4)) })
    #expect(server.asked.paths.withLock { $0 } == ["/1", "/2", "/3", "/4"])
    #expect(files(in: folder).count == 4 && files(in: folder).allSatisfy { CacheName(file: $0) != nil })
    let path = try #require(copiedPath(of: items[1], in: prefetcher))
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600 && status.st_size == 100_000)
    await prefetcher.stop()
    await server.http.stop()
  }

  /// Each track of an image has an address of its own, and the file's key tells that they lead to one file.
  @Test func aFileOfSegmentsIsFetchedOnceForAllOfThem() async throws {
    let (server, folder) = (try Server(), TemporaryDirectory())
    let items = (1...4).map { number in
      var item = QueueItem.numbered(number)
      item.segment = AudioSegment(
        start: Int64(number) * 100, end: Int64(number + 1) * 100, sampleRate: 44_100, file: number == 4 ? "two" : "one")
      return item
    }
    let locate: @Sendable (QueueItem) -> Library.Locator = { item in
      guard case .url(let url, let headers, _, _, _) = server.locator(of: item) else { return server.locator(of: item) }
      return .url(url, headers: headers, segment: item.segment)
    }
    let fetched = Mutex<[String]>([])
    let prefetcher = try Prefetcher(in: folder.path + "/ahead", limits: .init(), log: .quiet) { locate($0) }
    await prefetcher.onSettled { track, isFetched in
      if isFetched { fetched.withLock { $0.append(track.native) } }
    }
    await prefetcher.setWanted(items)
    #expect(await eventually { prefetcher.has(items[3]) })
    #expect(server.asked.paths.withLock { $0 } == ["/1", "/4"] && files(in: folder).count == 2)
    #expect(await eventually(equals: ["t1", "t2", "t3", "t4"]) { fetched.withLock { $0 } })
    let image = try #require(prefetcher.file(of: items[0], at: locate(items[0])))
    #expect(prefetcher.file(of: items[2], at: locate(items[2])) == image)
    // While the library is away, the item says which part is the track.
    #expect(prefetcher.copy(of: items[1]) == .file(image, segment: items[1].segment))
    // A sheet that was changed, and a copy of the track that is a whole file, are other files.
    var changed = items[0]
    changed.segment?.file = "three"
    #expect(prefetcher.file(of: items[0], at: locate(changed)) == nil && !prefetcher.has(changed))
    #expect(prefetcher.file(of: items[0], at: server.locator(of: items[0])) == nil)
    await prefetcher.stop()
    await server.http.stop()
  }

  /// A file that its item does not name could not be told from others while the library is away.
  @Test func aFileOfWhichTheItemKnowsNothingIsNotKept() async throws {
    let (server, folder) = (try Server(), TemporaryDirectory())
    let prefetcher = try Prefetcher(in: folder.path + "/ahead", limits: .init(), log: .quiet) { item in
      guard item.track.number == 1, case .url(let url, _, _, _, _) = server.locator(of: item) else {
        return server.locator(of: item)
      }
      return .url(url, headers: [:], segment: AudioSegment(start: 0, sampleRate: 44_100, file: "one"))
    }
    await prefetcher.setWanted([.numbered(1), .numbered(2)])
    #expect(await eventually { prefetcher.has(.numbered(2)) })
    #expect(server.asked.paths.withLock { $0 } == ["/2"] && !prefetcher.has(.numbered(1)))
    await prefetcher.stop()
    await server.http.stop()
  }

  @Test func incompleteFilesAndOtherContentAreNotKept() async throws {
    let server = try Server { _, number in
      switch number {
      case 1: HTTPServerResponse(status: 404)
      case 2: HTTPServerResponse(text: "{\"error\":\"no\"}", contentType: "application/json")
      case 3: HTTPServerResponse(headers: [("Content-Type", "audio/flac")], body: .bytes([]))
      default: Server.track(number)
      }
    }
    let folder = TemporaryDirectory()
    let prefetcher = try prefetcher(server, in: folder, pause: .seconds(100))
    let items = (1...4).map { QueueItem.numbered($0) }
    let settled = Mutex<[Bool]>([])
    await prefetcher.onSettled { _, isFetched in settled.withLock { $0.append(isFetched) } }
    func fetches() -> [Bool] { items.map { prefetcher.fetches($0, at: server.locator(of: $0)) } }
    #expect(fetches() == [true, true, true, true])
    await prefetcher.setWanted(items)
    #expect(await eventually { prefetcher.has(items[3]) })
    #expect(await eventually(equals: [false, false, false, true]) { settled.withLock { $0 } })
    #expect(fetches() == [false, false, false, true])
    for item in items.dropLast() { #expect(!prefetcher.has(item)) }
    #expect(files(in: folder).count == 1)
    await prefetcher.stop()
    await server.http.stop()
  }

  @Test func aFailedFetchIsTriedAgain() async throws {
    let count = Mutex(0)
    let server = try Server { _, number in
      count.withLock {
        $0 += 1; return $0
      } < 3 ? HTTPServerResponse(status: 503) : Server.track(number)
    }
    let folder = TemporaryDirectory()
    let prefetcher = try prefetcher(server, in: folder)
    await prefetcher.setWanted([.numbered(1)])
    #expect(await eventually { prefetcher.has(.numbered(1)) })
    await prefetcher.stop()
    await server.http.stop()
  }

  @Test func theDiskIsBoundedAndWhatIsWantedStays() async throws {
    let server = try Server { _, number in
      HTTPServerResponse(
        headers: [("Content-Type", "audio/flac")], body: .bytes([UInt8](repeating: 1, count: 400 << 10)))
    }
    let folder = TemporaryDirectory()
    let prefetcher = try prefetcher(
      server, in: folder, limits: Prefetcher.Limits(items: 5, space: 1), pause: .seconds(100))
    let items = (1...6).map { QueueItem.numbered($0) }
    await prefetcher.setWanted(Array(items[0..<2]))
    #expect(await eventually { prefetcher.has(items[1]) })
    // Three tracks do not fit: the one that is no longer wanted is removed, and the first of the wanted ones stay.
    await prefetcher.setWanted(Array(items[1..<4]))
    #expect(await eventually { prefetcher.has(items[2]) })
    #expect(await eventually(equals: 4) { server.asked.paths.withLock { $0.count } })
    #expect(prefetcher.has(items[1]))
    #expect(!prefetcher.has(items[0]))
    #expect(!prefetcher.has(items[3]))
    await prefetcher.stop()
    await server.http.stop()
  }

  @Test func missingAndDamagedFilesAreFetchedAgain() async throws {
    let (server, folder) = (try Server(), TemporaryDirectory())
    let items = (1...3).map { QueueItem.numbered($0) }
    var prefetcher = try prefetcher(server, in: folder)
    await prefetcher.setWanted(items)
    #expect(await eventually { prefetcher.has(items[2]) })
    // From here on nothing is fetched.
    await prefetcher.stop()
    let paths = items.compactMap { copiedPath(of: $0, in: prefetcher) }
    try #require(paths.count == 3)
    unlink(paths[0])
    truncate(paths[1], 99_999)
    #expect(prefetcher.copy(of: items[0]) == nil && prefetcher.copy(of: items[1]) == nil)
    #expect(!prefetcher.has(items[0]) && !prefetcher.has(items[1]))
    prefetcher.drop(LocalPath(paths[2]))
    #expect(!prefetcher.has(items[2]))
    #expect(await eventually(equals: []) { files(in: folder) })
    await prefetcher.setWanted([items[1]])
    #expect(await eventually { prefetcher.has(items[1]) })
    await prefetcher.stop()
    // A power cut may leave an empty file under the final name.
    truncate(paths[1], 0)
    prefetcher = try self.prefetcher(server, in: folder)
    #expect(!prefetcher.has(items[1]) && files(in: folder).isEmpty)
    await server.http.stop()
  }

  @Test func whatIsToBeTriedAgainDoesNotKeepTheRestWaiting() async throws {
    let server = try Server { _, number in number == 1 ? HTTPServerResponse(status: 404) : Server.track(number) }
    let folder = TemporaryDirectory()
    let prefetcher = try prefetcher(server, in: folder, pause: .seconds(1000))
    await prefetcher.setWanted([.numbered(1)])
    #expect(await eventually(equals: ["/1"]) { server.asked.paths.withLock { $0 } })
    await prefetcher.setWanted([.numbered(1), .numbered(2)])
    #expect(await eventually { prefetcher.has(.numbered(2)) })
    await prefetcher.stop()
    await server.http.stop()
  }

  @Test func whatIsNoLongerWantedDoesNotKeepTheRestWaiting() async throws {
    let (endless, source) = AsyncStream<[UInt8]>.makeStream()
    source.yield([UInt8](repeating: 1, count: 1000))
    let server = try Server { _, number in
      number == 1
        ? HTTPServerResponse(headers: [("Content-Type", "audio/flac")], body: .stream(endless)) : Server.track(number)
    }
    let folder = TemporaryDirectory()
    let prefetcher = try prefetcher(server, in: folder)
    await prefetcher.setWanted([.numbered(1), .numbered(2)])
    #expect(await eventually(equals: ["/1"]) { server.asked.paths.withLock { $0 } })
    await prefetcher.setWanted([.numbered(2)])
    #expect(await eventually { prefetcher.has(.numbered(2)) })
    #expect(!prefetcher.has(.numbered(1)))
    await prefetcher.stop()
    source.finish()
    await server.http.stop()
  }

  @Test func aSmallerLimitAppliesAtTheStartAndZeroRemovesAll() async throws {
    let server = try Server { _, number in
      HTTPServerResponse(
        headers: [("Content-Type", "audio/flac")], body: .bytes([UInt8](repeating: 1, count: 400 << 10)))
    }
    let folder = TemporaryDirectory()
    var prefetcher = try prefetcher(server, in: folder)
    await prefetcher.setWanted((1...4).map { QueueItem.numbered($0) })
    #expect(await eventually { prefetcher.has(.numbered(4)) })
    await prefetcher.stop()
    prefetcher = try self.prefetcher(server, in: folder, limits: Prefetcher.Limits(items: 5, space: 1))
    #expect(await eventually(equals: 2) { files(in: folder).count })
    await prefetcher.stop()
    let ahead = folder.path + "/ahead"
    close(open(ahead + "/mine", O_CREAT | O_WRONLY, 0o600))
    try CacheFolder.remove(ahead)
    #expect(files(in: folder) == ["mine"])
    unlink(ahead + "/mine")
    try CacheFolder.remove(ahead)
    #expect(access(ahead, F_OK) != 0)
    try CacheFolder.remove(ahead)
    await server.http.stop()
  }
}

/// Which files the cache keeps.
struct CacheIndexTests {
  private func name(_ number: Int, at url: String = "http://server/file") throws -> CacheName {
    try #require(CacheName(.numbered(number), at: url, segment: nil))
  }

  private func entry(
    _ number: Int, size: Int64, used: Int64, at url: String = "http://server/file"
  ) throws -> CacheIndex.Entry {
    CacheIndex.Entry(
      name: try name(number, at: url), size: size, fetchedAt: Timestamp(seconds: 1000), usedAt: Timestamp(seconds: used)
    )
  }

  @Test func whatWasUsedLongestAgoGoesFirstAndWhatIsWantedStays() throws {
    let index = CacheIndex(
      limit: 100,
      entries: [try entry(1, size: 40, used: 3), try entry(2, size: 40, used: 1), try entry(3, size: 20, used: 2)])
    #expect(index.evictions(for: 0, keeping: []) == [])
    let names = try (0...3).map { try name($0) }
    #expect(index.evictions(for: 30, keeping: []) == [names[2]])
    #expect(index.evictions(for: 50, keeping: []) == [names[2], names[3]])
    #expect(index.evictions(for: 30, keeping: [names[2].track]) == [names[3], names[1]])
    #expect(index.evictions(for: 101, keeping: []) == nil)
    #expect(index.evictions(for: 70, keeping: [names[1].track]) == nil)
  }

  @Test func anotherAddressOfTheSameThingIsTheSameFileAndAnotherPlaceIsAnother() throws {
    #expect(try name(1, at: "http://server/file?ends=1&sign=2") == name(1, at: "http://server/file?ends=3&sign=4"))
    #expect(
      try name(1, at: "http://server/parts/9/1700/file.flac") != name(1, at: "http://server/parts/9/1800/file.flac"))
    #expect(try name(1) != name(2))
    var longer = QueueItem.numbered(1)
    longer.track.duration = Milliseconds(61_000)
    #expect(try CacheName(longer, at: "http://server/file", segment: nil) != name(1))
  }

  @Test func aNewVersionTakesThePlaceOfTheOldOneAndAnOldFileIsAskedForAgain() throws {
    var index = CacheIndex(limit: 100, entries: [try entry(1, size: 40, used: 1, at: "http://server/old")])
    let new = try entry(1, size: 50, used: 2, at: "http://server/new")
    #expect(try index.add(new) == [name(1, at: "http://server/old")])
    #expect(index.size == 50)
    let later = Timestamp(seconds: 1000 + 31 * 24 * 3600)
    #expect(try index.file(name(1, at: "http://server/new"), on: Timestamp(seconds: 2000)) != nil)
    #expect(try index.file(name(1, at: "http://server/new"), on: later) == nil)
    // While the server cannot be asked, an old file is used.
    #expect(index.file(of: .numbered(1)) != nil)
  }

  @Test func aFileNameRevealsNothingAboutItsTrack() throws {
    let file = try name(1, at: "http://token@server/file?X-Plex-Token=secret").file
    #expect(file.utf8.count == 65 && file.allSatisfy { $0.isHexDigit || $0 == "-" })
    #expect(CacheName(file: file)?.file == file)
    for other in ["host-id", file + ".part", "", "-"] { #expect(CacheName(file: other) == nil) }
  }
}
