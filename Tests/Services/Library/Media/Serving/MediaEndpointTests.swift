import Bus
import Glibc
import HTTP
import Model
import ServiceKit
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Media
@testable import Records

/// The endpoint over real sockets, with Lunara's own HTTP client.
@Suite(.timeLimit(.minutes(5)))
struct MediaEndpointTests {
  /// A catalogue whose files are served.
  private final class Served: Sendable {
    let catalogue: TestCatalogue
    let endpoint: MediaEndpoint
    let streamMonitor = StreamMonitor { nil }
    let store: ArtStore
    let client = HTTPClient(userAgent: "tests")
    let now: @Sendable (Int64) -> Void

    init() async throws {
      let catalogue = try TestCatalogue()
      self.catalogue = catalogue
      try catalogue.tree.album("x", ["ALBUM=X", "ARTIST=A"], picture: TestPicture.png(width: 320, height: 20))
      try await catalogue.refresh()
      store = ArtStore(
        database: catalogue.database, folder: ArtFolder(path: catalogue.tree.beside("artwork"), capacity: 1 << 24),
        files: catalogue.pictures)
      let places = MediaFiles(database: catalogue.database, art: store, folders: MusicFolders([catalogue.tree.root]))
      let clock = Clock()
      now = { clock.seconds.store($0, ordering: .relaxed) }
      endpoint = try MediaEndpoint(
        places, at: MediaAddress(setting: ("127.0.0.1", 0), listening: nil), keys: nil, streamMonitor: streamMonitor,
        now: { Timestamp(seconds: clock.seconds.load(ordering: .relaxed)) })
      try endpoint.start()
    }

    private final class Clock: Sendable { let seconds = Atomic<Int64>(1_000_000) }

    func url(_ thing: MediaLink.Item) throws -> String { try endpoint.url(of: thing, advertised: nil) }

    func track() async throws -> MediaLink.Item { .audio(try #require(try await catalogue.tracks().first).id) }

    func get(
      _ url: String, method: String = "GET", headers: [(String, String)] = []
    ) async throws -> HTTPResponse {
      try await client.send(HTTPRequest(.changes, method: method, url: url, headers: headers))
    }

    func close() async {
      await endpoint.stop()
      streamMonitor.stop()
      await store.stop()
    }
  }

  @Test func aTrackIsGivenWholeAndInParts() async throws {
    let served = try await Served()
    let bytes = try served.catalogue.tree.bytes(of: "x/01.flac")
    let url = try served.url(try await served.track())
    #expect(!url.contains("01.flac") && !url.contains("/x/"))
    let whole = try await served.get(url)
    #expect(whole.status == 200 && whole.body == bytes)
    #expect(whole.header("Content-Type") == "audio/flac" && whole.header("Accept-Ranges") == "bytes")
    #expect(whole.header("Last-Modified") != nil)
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

  @Test func aPictureIsGivenInTheSizeThatTheAddressSays() async throws {
    let served = try await Served()
    let art = try #require(try await served.catalogue.album("X").art)
    let small = try await served.get(try served.url(.art(art, size: 300, takesWebP: true)))
    #expect(small.status == 200 && small.header("Content-Type") == "image/webp")
    #expect(small.body.starts(with: Array("RIFF".utf8)))
    let whole = try await served.get(try served.url(.art(art, size: nil, takesWebP: false)))
    #expect(whole.header("Content-Type") == "image/png")
    await served.close()
  }

  @Test func aLinkThatTheLibraryDidNotSignIsRefused() async throws {
    let served = try await Served()
    let url = try served.url(try await served.track())
    let (base, query) = (url.prefix { $0 != "?" }, url.drop { $0 != "?" })
    #expect(try await served.get(String(base)).status == 403)
    #expect(try await served.get(base.dropLast() + "2" + query).status == 403)
    #expect(try await served.get(url.dropLast() + (url.hasSuffix("0") ? "1" : "0")).status == 403)
    #expect(try await served.get(String(base).replacing("/audio/", with: "/") + query).status == 404)
    served.now(1_000_000 + MediaLink.lifetime.rawValue / 1000 - 1)
    #expect(try await served.get(url).status == 200)
    served.now(1_000_000 + MediaLink.lifetime.rawValue / 1000)
    #expect(try await served.get(url).status == 403)
    await served.close()
  }

  @Test func aRemovedTrackIsNotFound() async throws {
    let served = try await Served()
    let url = try served.url(try await served.track())
    try served.catalogue.tree.remove("x/01.flac")
    let answer = try await served.get(url)
    #expect(answer.status == 404)
    // An answer to another machine names no path of the disk.
    #expect(String(decoding: answer.body, as: UTF8.self) == "library.fileMissing\n")
    let unknown = try served.url(.audio(TrackID(source: "files", native: "t99")))
    #expect(try await served.get(unknown).status == 404)
    await served.close()
  }

  @Test func aLinkThatLeadsOutOfTheFoldersIsRefused() async throws {
    let served = try await Served()
    let url = try served.url(try await served.track())
    let secret = served.catalogue.tree.beside("secret")
    try served.catalogue.tree.write(Array("secret".utf8), to: Array(secret.utf8))
    try served.catalogue.tree.remove("x/01.flac")
    try served.catalogue.tree.link("x/01.flac", to: secret)
    #expect(try await served.get(url).status == 403)
    // A link to a file within the folders is served like the file.
    try served.catalogue.tree.remove("x/01.flac")
    try served.catalogue.tree.link("x/01.flac", to: "02.flac")
    #expect(try await served.get(url).body == served.catalogue.tree.bytes(of: "x/02.flac"))
    // A link to a folder outside is refused, too.
    try served.catalogue.tree.move("x", to: "y")
    try served.catalogue.tree.link("x", to: served.catalogue.tree.beside(""))
    #expect(try await served.get(url).status != 200)
    await served.close()
  }

  @Test func aBadPictureIsAnsweredWithItsCause() async throws {
    let served = try await Served()
    // The files of this album have no pictures that could be shown instead.
    try served.catalogue.tree.album("bare", ["ALBUM=Bare", "ARTIST=A"])
    try served.catalogue.tree.write(Array("%PDF-1.7".utf8), to: "bare/cover.png")
    try await served.catalogue.refresh()
    let art = try #require(try await served.catalogue.album("Bare").art)
    let answer = try await served.get(served.url(.art(art, size: 300, takesWebP: false)))
    #expect(answer.status == 404)
    let text = String(decoding: answer.body, as: UTF8.self)
    #expect(text == "library.badPicture: it is neither JPEG, PNG, WebP, GIF nor AVIF\n")
    await served.close()
  }

  @Test func beyondThisMachineTheHouseholdsKeyIsNeeded() async throws {
    let served = try await Served()
    let places = MediaFiles(database: served.catalogue.database, art: served.store, folders: MusicFolders([]))
    let error = #expect(throws: LunaraError.self) {
      try MediaEndpoint(
        places, at: MediaAddress(setting: nil, listening: "192.168.1.5"), keys: nil, streamMonitor: served.streamMonitor
      )
    }
    #expect(error?.code == "library.mediaKeyNeeded")
    let keys = try #require(try TestHousehold().keys)
    let silent = try MediaEndpoint(
      places, at: MediaAddress(setting: nil, listening: "192.168.1.5"), keys: keys, streamMonitor: served.streamMonitor)
    // The endpoint does not listen yet, so it has no address to give.
    let away = #expect(throws: LunaraError.self) {
      try silent.url(of: .audio(TrackID(source: "files", native: "t1")), advertised: nil)
    }
    #expect(away?.code == "library.mediaAway")
    await served.close()
  }

  @Test func aPortThatIsTakenIsReplacedUnlessItWasChosen() async throws {
    let taken = try HTTPServer(address: "127.0.0.1", port: 0) { _ in HTTPServerResponse(text: "") }
    let served = try await Served()
    let places = MediaFiles(database: served.catalogue.database, art: served.store, folders: MusicFolders([]))
    var address = MediaAddress(setting: ("127.0.0.1", taken.port), listening: nil)
    let chosen = try MediaEndpoint(places, at: address, keys: nil, streamMonitor: served.streamMonitor)
    #expect(throws: LunaraError.self) { try chosen.start() }
    address.isChosen = false
    let free = try MediaEndpoint(places, at: address, keys: nil, streamMonitor: served.streamMonitor)
    try free.start()
    await free.stop()
    await taken.stop()
    await served.close()
  }

  @Test func theHostIsKeptAwakeForAsLongAsTracksLast() async throws {
    let served = try await Served()
    let begun = Atomic(0)
    let streamMonitor = StreamMonitor {
      begun.add(1, ordering: .relaxed)
      return nil
    }
    for name in ["x/01.flac", "x/02.flac"] {
      let file = try #require(OpenFile(LocalPath(bytes: served.catalogue.tree.path(name))))
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
