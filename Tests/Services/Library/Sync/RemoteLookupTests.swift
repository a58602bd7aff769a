import Model
import ServiceKit
import Synchronization
import Testing

@testable import lunara_library

struct RemoteLookupTests {
  private func lookup(_ server: FakeServer?, refresh: @escaping @Sendable () -> Void = {}) -> RemoteLookup {
    RemoteLookup(log: .quiet) { _ in
      server
    } refresh: { _ in
      refresh()
    }
  }

  @Test func whatAServerKnowsIsReadBeforeItIsRefused() async throws {
    var contents = FakeServer.Contents()
    contents.album(100, "Blue")
    let isRead = Flag()
    let id = AlbumID(source: "plex", native: "100")
    let lookup = lookup(FakeServer(contents)) { isRead.set() }
    let answer = try await lookup.answer(id) { () throws -> String in
      guard isRead.isSet else { throw CatalogueID.unknown(id) }
      return "Blue"
    }
    #expect(answer == "Blue")
  }

  @Test func whatNobodyKnowsIsRefusedAndAskedForOnce() async throws {
    let isRefreshed = Flag()
    let lookup = lookup(FakeServer()) { isRefreshed.set() }
    let id = AlbumID(source: "plex", native: "7")
    for _ in 0..<3 {
      await #expect(throws: CatalogueID.unknown(id)) {
        try await lookup.answer(id) { throw CatalogueID.unknown(id) }
      }
    }
    #expect(!isRefreshed.isSet)
  }

  @Test func otherErrorsPass() async throws {
    let away = SourceRefusal.away("plex", cause: nil)
    let lookup = lookup(nil)
    await #expect(throws: away) {
      try await lookup.answer(AlbumID(source: "plex", native: "7")) { throw away }
    }
  }
}

private final class Flag: Sendable {
  private let value = Atomic(false)

  var isSet: Bool { value.load(ordering: .acquiring) }

  func set() { value.store(true, ordering: .releasing) }
}
