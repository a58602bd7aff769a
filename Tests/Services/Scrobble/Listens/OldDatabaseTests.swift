import Bus
import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import lunara_scrobble

/// Databases of earlier versions, which every later one has to open.
struct OldDatabaseTests {
  private let folder = TemporaryDirectory()

  @Test(arguments: OldDatabase.versions) func whatAnEarlierVersionKeptIsThere(_ version: String) async throws {
    let path = "\(folder.path)/scrobble.sqlite"
    try await OldDatabase.make("scrobble", of: version, at: path)
    let database = try Journal.database(at: path, migrations: Scrobbler.migrations, saving: Schema.saved) {
      Issue.record($0)
    }
    _ = try await Journal(database)
    let page = try await database.read { try ScrobbleList.page(Scrobble.ListScrobbles(filter: .all), in: $0) }
    #expect(page.items.count == 1)
    #expect(page.items.first?.destinations.count == 2)
    let tally = try await database.read { try ListenStore.outboxState(in: $0) }
    #expect(tally.counted == 1 && tally.pending == 1 && tally.failed == 0)
    await database.close()
  }
}
