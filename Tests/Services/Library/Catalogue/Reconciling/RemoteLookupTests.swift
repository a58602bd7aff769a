import Model
import ServiceKit
import Synchronization
import Testing

@testable import Catalogue
@testable import Records

struct RemoteLookupTests {
  private func lookup(_ server: FakeServer?, refresh: @escaping @Sendable () -> Void = {}) -> RemoteLookup {
    RemoteLookup(log: .quiet) { _ in
      server
    } refresh: { _ in
      refresh()
    }
  }

  @Test func anIDThatAServerKnowsIsReadFromIt() async throws {
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

  @Test func anUnknownIDIsRefusedWithoutARefresh() async throws {
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

  @Test func whatARefreshDoesNotBringIsAskedForAgainAfterAWhile() async throws {
    var contents = FakeServer.Contents()
    contents.album(100, "Off")
    let server = FakeServer(contents)
    let (refreshes, minutes) = (Count(), Count())
    let start = ContinuousClock.now
    let lookup = RemoteLookup(log: .quiet) {
      start + .seconds(60 * minutes.value)
    } server: { _ in
      server
    } refresh: { _ in
      refreshes.set(refreshes.value + 1)
    }
    let id = AlbumID(source: "plex", native: "100")
    for (time, expected) in [(0, 1), (1, 1), (9, 1), (11, 2)] {
      minutes.set(time)
      await #expect(throws: CatalogueID.unknown(id)) {
        try await lookup.answer(id) { throw CatalogueID.unknown(id) }
      }
      #expect(refreshes.value == expected)
    }
  }

  @Test func aRefreshThatTakesLongIsNotWaitedFor() async throws {
    var contents = FakeServer.Contents()
    contents.album(100, "Blue")
    let server = FakeServer(contents)
    let lookup = RemoteLookup(log: .quiet, patience: .milliseconds(10)) { _ in
      server
    } refresh: { _ in
      // A refresh that takes longer than a test may; the lookup must not wait for it.
      do { try await Task.sleep(for: .seconds(1000)) } catch { return }
    }
    let id = AlbumID(source: "plex", native: "100")
    await #expect(throws: CatalogueID.unknown(id)) {
      try await lookup.answer(id) { throw CatalogueID.unknown(id) }
    }
  }

  @Test func otherErrorsAreThrownUnchanged() async throws {
    let away = SourceError.away("plex", cause: nil)
    let lookup = lookup(nil)
    await #expect(throws: away) {
      try await lookup.answer(AlbumID(source: "plex", native: "7")) { throw away }
    }
  }
}

private final class Count: Sendable {
  private let number = Atomic(0)

  var value: Int { number.load(ordering: .acquiring) }

  func set(_ value: Int) { number.store(value, ordering: .releasing) }
}
