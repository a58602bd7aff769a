import HTTP
import Messages
import Model
import ServiceKit
import Storage
import Sync
import TestSupport
import Testing

@testable import Catalogue
@testable import People
@testable import ProviderRuns
@testable import Providers
@testable import Records
@testable import Sources

private func failure(_ body: () async throws -> some Sendable) async -> String? {
  do {
    _ = try await body()
    return nil
  } catch { return LunaraError(error).code }
}

/// Linking an account at ListenBrainz, and a whole run with it.
@Suite(.timeLimit(.minutes(2)))
struct ListenBrainzAccountTests {
  @Test func anAccountIsLinkedWithATokenOrWithThatOfTheScrobbler() async throws {
    let brainz = try await FakeListenBrainz()
    let home = TemporaryDirectory()
    let secrets = ProviderSecrets(store: CredentialStore(home: home.path))
    let account = ListenBrainzAccount(http: brainz.http, secrets: secrets)
    #expect(await failure { try await account.link(.init(type: "listenbrainz")) } == "library.tokenNeeded")
    #expect(
      await failure { try await account.link(.init(type: "listenbrainz", token: "wrong", address: brainz.address)) }
        == "library.signedOut")
    #expect(
      await failure { try await account.link(.init(type: "listenbrainz", token: "x", address: "file:///etc")) }
        == "library.badProviderSetting")
    guard
      case .done(let user, let keep) = try await account.link(
        .init(type: "listenbrainz", token: (try brainz.token()), address: brainz.address + "/"))
    else { return #expect(Bool(false), "it is not linked") }
    #expect(user == "tester")
    var record = ProviderRecord(
      name: "listenbrainz", kind: "listenbrainz", address: brainz.address, account: user, linkedAt: .now(),
      state: ProviderState(pacing: ProviderPacing(linkedAt: .now())))
    #expect(await failure { try await account.connect(record.link) } == "library.signedOut")
    try await keep("listenbrainz")
    _ = try await brainz.list("List", [FakeListenBrainz.recording(1)])
    #expect(try await account.connect(record.link).provider.lists()?.count == 1)
    record.name = "other"
    #expect(await failure { try await account.connect(record.link) } == "library.signedOut")
  }

  @Test func aWholeRunKeepsBothSidesInStep() async throws {
    let brainz = try await FakeListenBrainz()
    let catalogue = try TestCatalogue()
    let secrets = ProviderSecrets(store: catalogue.secrets.store)
    let account = ListenBrainzAccount(http: brainz.http, secrets: secrets)
    guard
      case .done(let user, let keep) = try await account.link(
        .init(type: "listenbrainz", token: (try brainz.token()), address: brainz.address))
    else { return #expect(Bool(false), "it is not linked") }
    try await keep("listenbrainz")
    let list = try await brainz.list("Evening", FakeListenBrainz.recordings(1..<4))
    let now = catalogue.time
    try await catalogue.database.write { transaction in
      var state = ProviderState(pacing: ProviderPacing(linkedAt: now))
      (state[.playlists], state[.liked]) = (.both, .both)
      try ProviderStore.keep(
        ProviderRecord(
          name: "listenbrainz", kind: "listenbrainz", address: brainz.address, account: user, linkedAt: now,
          state: state), transaction)
    }
    let runner = ProviderRunner(
      database: catalogue.database, services: [account], hostID: "h1", folders: MusicFolders([]), log: .quiet)
    func run() async throws {
      await runner.run(try await catalogue.database.read { try ProviderStore.record("listenbrainz", $0) })
    }
    try await run()
    let playlists = try await catalogue.database.read { try Catalogue.playlists(.init(), $0) }.items
    let evening = try #require(playlists.first { $0.title == "Evening" })
    #expect(evening.trackCount == 3 && playlists.contains { $0.title == "Liked on ListenBrainz" })
    let entries = try await catalogue.entries(evening.id)
    #expect(entries.map { $0.described?.recordingID } == FakeListenBrainz.recordings(1..<4))
    let new = DescribedTrack(title: "New", artist: "Ada", recordingID: FakeListenBrainz.recording(8))
    _ = try await catalogue.edit { editor in
      _ = try editor.add(.init(id: evening.id, ids: [], described: [new], after: entries[0].entry))
      return try editor.remove(.init(id: evening.id, entries: [entries[2].entry]))
    }
    try await run()
    #expect(try await brainz.recordings(of: list) == [1, 8, 2].map { FakeListenBrainz.recording($0) })
  }
}
