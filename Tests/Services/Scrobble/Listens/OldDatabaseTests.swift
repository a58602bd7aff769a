import Bus
import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import lunara_scrobble

/// Databases of earlier versions, which every later version has to open.
struct OldDatabaseTests {
  private let folder = TemporaryDirectory()

  @Test(arguments: OldDatabase.versions) func everyRowOfAnEarlierVersionIsThere(_ version: String) async throws {
    let path = "\(folder.path)/scrobble.sqlite"
    let before = try await OldDatabase.make("scrobble", of: version, at: path)
    let database = try Journal.database(at: path, migrations: Scrobbler.migrations, saving: Schema.saved) {
      Issue.record($0)
    }
    _ = try await Journal(database)
    #expect(before.count > 10)
    #expect(try await OldDatabase.lost(of: before, in: database) == [])
    let page = try await database.read { try ScrobbleList.page(Scrobble.ListScrobbles(filter: .all), in: $0) }
    let state = try await database.read { try ListenStore.outboxState(in: $0) }
    let accounts = try await database.read(AccountStore.all)
    #expect(page.items.count == state.counted && page.items.last?.destinations.count == 2)
    #expect(accounts.map(\.service) == ["lastfm", "listenbrainz"] && state.pending == 1)
    if version == OldDatabase.newest {
      #expect(page.items.map(\.listen.rawValue).contains("l-private"))
      #expect(page.items.compactMap(\.withheld).sorted() == ["imported", "private"])
      #expect(state.counted == 5 && state.failed == 2)
      #expect(accounts.last?.status.problem == "Invalid session key")
    }
    await database.close()
  }
}
