import HTTP
import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Media

/// Covers of described tracks, at addresses that strangers chose.
@Suite(.timeLimit(.minutes(5)))
struct PublicCoverTests {
  private let cover = TestPicture.png(width: 40, height: 40) { _, _ in (200, 30, 30) }

  @Test func onlyADescriptionWithAnEncryptedAddressHasACover() {
    func art(_ cover: String?) -> String? {
      DescribedTrack(title: "T", artist: "A", cover: cover).track.art?.description
    }
    #expect(art("https://a.example/c.jpg") == "cover:https://a.example/c.jpg")
    #expect(art("http://a.example/c.jpg") == nil && art(nil) == nil && art("data:image/png;base64,xx") == nil)
  }

  @Test func aCoverAtAPrivateAddressIsRefusedAndNotAskedForAgainForAWhile() async throws {
    let asked = Atomic(0)
    let server = try HTTPServer(address: "127.0.0.1", port: 0) { _ in
      asked.add(1, ordering: .relaxed)
      return HTTPServerResponse(status: 200, text: "picture")
    }
    let now = Mutex(Milliseconds(0))
    let covers = PublicCovers(http: HTTPClient(userAgent: "Lunara/test")) { now.withLock { $0 } }
    for address in [
      "http://127.0.0.1:\(server.port)/c.jpg", "https://127.0.0.1:\(server.port)/c.jpg", "https://localhost/c.jpg",
      "https://10.0.0.1/c.jpg", "file:///etc/passwd",
    ] {
      for _ in 0..<2 {
        do {
          _ = try await covers.picture(at: address)
          #expect(Bool(false), "\(address)")
        } catch { #expect(LunaraError(error).code == "library.coverAway") }
      }
    }
    #expect(asked.load(ordering: .relaxed) == 0)
    await server.stop()
  }

  @Test func aCoverIsFetchedOnceAndStaysWhenTheLibraryIsPruned() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", ["ALBUM=X", "ARTIST=A"])
    try await catalogue.refresh()
    let cover = cover
    let fetched = Mutex<[String]>([])
    let store = ArtStore(
      database: catalogue.database, folder: ArtFolder(path: catalogue.tree.beside("artwork"), capacity: 1 << 24),
      files: catalogue.pictures, worker: ArtworkWorker()
    ) { source, reference, _ in
      fetched.withLock { $0.append("\(source) \(reference)") }
      return cover
    }
    let art = try #require(DescribedTrack(title: "T", artist: "A", cover: "https://a.example/c.jpg").art)
    let first = try await store.locate(art, size: 300)
    try await store.prune()
    #expect(try await store.locate(art, size: 300) == first)
    #expect(fetched.withLock { $0 } == ["cover https://a.example/c.jpg"])
    await store.stop()
  }
}
