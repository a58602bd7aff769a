import Messages
import Model
import ServiceKit
import Storage
import Synchronization
import TestSupport
import Testing

@testable import lunara_library

/// How a refresh is told.
@Suite(.timeLimit(.minutes(2)))
struct RefresherTests {
  private final class Told: Sendable {
    private let states = Mutex<[Library.CatalogueState]>([])
    var all: [Library.CatalogueState] { states.withLock { $0 } }
    var last: Library.SourceStatus? { all.last?.sources.first }
    func take(_ state: Library.CatalogueState) { states.withLock { $0.append(state) } }
  }

  private func refresher(_ shelf: Shelf, _ told: Told) -> Refresher {
    Refresher(shelf.source(), database: shelf.database, log: .quiet) { told.take($0) }
  }

  @Test func itSaysThatItScansAndThenWhatIsThere() async throws {
    let shelf = try Shelf()
    try shelf.tree.album("x", ["ALBUM=X", "ARTIST=A"])
    let told = Told()
    let refresher = refresher(shelf, told)
    await refresher.start()
    #expect(await eventually { told.last?.tracks == 3 && told.last?.health == "ready" })
    #expect(told.last?.progress == nil)
    let during = told.all.compactMap(\.sources.first).filter { $0.progress != nil }
    #expect(during.allSatisfy { $0.health == "scanning" })
    await refresher.stop()
  }

  @Test func aRefreshThatFailsIsAProblemUntilOneSucceeds() async throws {
    let shelf = try Shelf()
    try shelf.tree.album("x", ["ALBUM=X", "ARTIST=A"])
    try await shelf.database.write { transaction in
      _ = try transaction.execute("CREATE TRIGGER no BEFORE INSERT ON tracks BEGIN SELECT raise(ABORT, 'no'); END")
    }
    let told = Told()
    let refresher = refresher(shelf, told)
    await refresher.start()
    #expect(await eventually { told.last?.problems.first?.code == "storage.constraint" })
    #expect(told.last?.problemCount == 1 && told.last?.tracks == 0)
    try await shelf.expectWholeIndex()
    try await shelf.database.write { _ = try $0.execute("DROP TRIGGER no") }
    await refresher.request()
    #expect(await eventually { told.last?.tracks == 3 && told.last?.problemCount == 0 })
    await refresher.stop()
  }

  @Test func afterItsEndNothingIsBegun() async throws {
    let shelf = try Shelf()
    try shelf.tree.album("x", ["ALBUM=X", "ARTIST=A"])
    let told = Told()
    let refresher = refresher(shelf, told)
    await refresher.stop()
    await refresher.request()
    #expect(try await shelf.albums().isEmpty)
    #expect(told.all.isEmpty)
  }
}
