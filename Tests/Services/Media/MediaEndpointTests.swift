import Glibc
import HTTP
import Model
import ServiceKit
import Synchronization
import System
import TestSupport
import Testing

@testable import lunara_media

/// The endpoint over real sockets, with Lunara's own HTTP client.
@Suite(.timeLimit(.minutes(5)))
struct MediaEndpointTests {
  @Test func aTrackIsGivenWholeAndInParts() async throws {
    let served = try await Served()
    let bytes = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let url = try served.url(of: try served.file("01.flac", bytes))
    #expect(!url.contains("01.flac") && !url.contains("music"))
    let whole = try await served.get(url)
    #expect(whole.status == 200 && whole.body == bytes)
    #expect(whole.header("Content-Type") == "audio/flac" && whole.header("Accept-Ranges") == "bytes")
    #expect(whole.header("Last-Modified") != nil && whole.header("X-Content-Type-Options") == "nosniff")
    let tag = try #require(whole.header("ETag"))
    let part = try await served.get(url, headers: [("Range", "bytes=10-19"), ("If-Range", tag)])
    #expect(part.status == 206 && part.body == Array(bytes[10..<20]))
    #expect(part.header("Content-Range") == "bytes 10-19/\(bytes.count)")
    let last = try await served.get(url, headers: [("Range", "bytes=-5")])
    #expect(last.status == 206 && last.body == Array(bytes.suffix(5)))
    #expect(try await served.get(url, headers: [("Range", "bytes=\(bytes.count)-")]).status == 416)
    #expect(try await served.get(url, headers: [("If-None-Match", tag)]).status == 304)
    let other = try await served.get(url, headers: [("Range", "bytes=0-1"), ("If-Range", "\"other\"")])
    #expect(other.status == 200 && other.body == bytes)
    let head = try await served.get(url, method: "HEAD")
    #expect(head.status == 200 && head.body.isEmpty && head.header("Content-Length") == "\(bytes.count)")
    #expect(try await served.get(url, method: "DELETE").status == 405)
    await served.close()
  }

  @Test func aPictureHasTheTypeOfItsContents() async throws {
    let served = try await Served()
    let picture = TestPicture.png(width: 32, height: 20)
    let shown = try await served.get(served.url(of: served.file("cover.jpg", picture), lasting: nil))
    #expect(shown.status == 200 && shown.header("Content-Type") == "image/png" && shown.body == picture)
    let other = try await served.get(served.url(of: served.file("cover.png", Array("%PDF-1.7".utf8)), lasting: nil))
    #expect(other.status == 404 && String(decoding: other.body, as: UTF8.self) == "library.badPicture\n")
    await served.close()
  }

  @Test func anAddressThatTheLibraryDidNotMakeIsRefused() async throws {
    let served = try await Served()
    let url = try served.url(of: try served.file("01.flac", [1, 2, 3]))
    let changed = url.dropLast(4) + (url.hasSuffix("AAAA") ? "BBBB" : "AAAA")
    #expect(try await served.get(String(changed)).status == 403)
    #expect(try await served.get(String(url.dropLast(40))).status == 403)
    #expect(try await served.get(url.replacing("/audio/", with: "/")).status == 404)
    let others = MediaSeal(store: CredentialStore(home: served.folder.path + "/other"))
    try Files.makeFolder(served.folder.path + "/other")
    let link = MediaLink(file: LocalPath("/etc/hostname"), duration: .zero, expires: Timestamp(seconds: 2_000_000))
    let foreign = "http://127.0.0.1:\(served.port)" + (try others.target(of: link, named: "files:t1"))
    #expect(try await served.get(foreign).status == 403)
    served.now(1_000_000 + MediaLink.lifetime.rawValue / 1000 - 1)
    #expect(try await served.get(url).status == 200)
    served.now(1_000_000 + MediaLink.lifetime.rawValue / 1000)
    #expect(try await served.get(url).status == 403)
    await served.close()
  }

  @Test func aRemovedTrackIsNotFound() async throws {
    let served = try await Served()
    let path = try served.file("01.flac", [1, 2, 3])
    let url = try served.url(of: path)
    try Files.removeFile("\(path)")
    let answer = try await served.get(url)
    #expect(answer.status == 404)
    // An answer to another machine names no path of the disk.
    #expect(String(decoding: answer.body, as: UTF8.self) == "library.fileMissing\n")
    await served.close()
  }

  @Test func whatBecameALinkSinceIsRefused() async throws {
    let served = try await Served()
    let secret = try served.file("secret", Array("secret".utf8))
    let path = try served.file("album/01.flac", [1, 2, 3])
    let url = try served.url(of: path)
    try Files.removeFile("\(path)")
    try #require(symlink("\(secret)", "\(path)") == 0)
    #expect(try await served.get(url).status == 403)
    // A folder on the way that became a link is refused, too.
    let folder = Files.folder(of: "\(path)")
    try Files.removeTree(folder)
    _ = try served.file("elsewhere/01.flac", Array("secret".utf8))
    try #require(symlink(Files.folder(of: folder) + "/elsewhere", folder) == 0)
    #expect(try await served.get(url).status == 403)
    await served.close()
  }

  @Test func aPortThatIsTakenIsReplacedUnlessItWasChosen() async throws {
    let taken = try HTTPServer(address: "127.0.0.1", port: 0) { _ in HTTPServerResponse(text: "") }
    let served = try await Served()
    var address = MediaAddress(setting: ("127.0.0.1", taken.port), listening: nil)
    let chosen = served.endpoint(at: address)
    #expect {
      try chosen.start(formerPort: nil)
    } throws: {
      LunaraError($0).code == "http.addressInUse"
    }
    address.isChosen = false
    let free = served.endpoint(at: address)
    let port = try free.start(formerPort: nil)
    await free.stop()
    await taken.stop()
    // The addresses that were given go on after a restart, also where the usual port is free again.
    let again = served.endpoint(at: address)
    #expect(try again.start(formerPort: port) == port)
    await again.stop()
    let usual = served.endpoint(at: address)
    #expect(try usual.start(formerPort: nil) == taken.port)
    await usual.stop()
    await served.close()
  }

  @Test func theFormerPortIsKeptForAsLongAsAddressesAreValid() throws {
    let folder = TemporaryDirectory()
    let former = FormerPort(path: "\(folder.path)/media/port")
    #expect(former.value == nil)
    try former.keep(4711)
    #expect(FormerPort(path: former.path).value == 4711)
    let yesterday = timespec(tv_sec: time(nil) - 86_400, tv_nsec: 0)
    try #require(utimensat(AT_FDCWD, former.path, [yesterday, yesterday], 0) == 0)
    #expect(former.value == nil)
    try former.keep(4712)
    #expect(former.value == 4712)
    try former.keep(nil)
    #expect(former.value == nil && !Files.exists(former.path))
  }

  @Test func theHostIsKeptAwakeForAsLongAsTracksLast() async throws {
    let served = try await Served()
    let begun = Atomic(0)
    let streamMonitor = StreamMonitor {
      begun.add(1, ordering: .relaxed)
      return nil
    }
    for name in ["01.flac", "02.flac"] {
      let file = try #require(OpenFile(try served.file(name, [1])))
      streamMonitor.watch(file, lasting: Milliseconds(1000))
    }
    // One lock is held for all streams.
    #expect(await eventually(equals: 1) { begun.load(ordering: .relaxed) })
    streamMonitor.stop()
    #expect(!streamMonitor.isKept)
    await served.close()
  }

  @Test func aTrackThatBeginsJustAsTheWatchEndsStartsAnotherOne() async throws {
    let begun = Atomic(0)
    let (gate, open) = AsyncStream<Void>.makeStream()
    let streamMonitor = StreamMonitor {
      // The first watch gets no further than its lock, so that only this test ends it.
      if begun.add(1, ordering: .relaxed).newValue == 1 { for await _ in gate {} }
      return nil
    }
    // Its time is over at once.
    streamMonitor.watch(lasting: .zero - StreamMonitor.margin)
    #expect(await eventually(equals: 1) { begun.load(ordering: .relaxed) })
    #expect(streamMonitor.nextCheck() == nil)
    streamMonitor.watch(lasting: Milliseconds(1000))
    #expect(await eventually(equals: 2) { begun.load(ordering: .relaxed) })
    open.finish()
    streamMonitor.stop()
  }
}
