import Messages
import Model
import ServiceKit
import Storage
import TestSupport
import Testing

@testable import lunara_library

/// Which servers a play goes to, and in which order.
@Suite(.timeLimit(.minutes(2)))
struct PlayOutboxTests {
  /// The same album in folders, twice at one Plex server, once at another and at a Subsonic server.
  private func merged(forwardsPlays: Bool? = nil) async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac(
      "x/1.flac", ["ALBUM=X", "ARTIST=A", "DATE=1971", "TITLE=Song 1 of X", "TRACKNUMBER=1"], seconds: 180)
    try await catalogue.refresh()
    for (name, albums) in [("plex", [100, 200]), ("plex-2", [700]), ("subsonic", [900])] {
      var contents = FakeServer.Contents()
      contents.machine = name
      for album in albums { contents.album(album, "X", by: "A", tracks: 1) }
      try await catalogue.refresh(FakeServer(contents), name)
    }
    try #require(try await catalogue.tracks().map(\.id.description).sorted().first == "files:t1")
    try await catalogue.write("UPDATE sources SET kind = 'subsonic' WHERE name = 'subsonic'")
    if let forwardsPlays {
      try await catalogue.write(
        #"UPDATE sources SET settings = '{"forwardsPlays":\#(forwardsPlays)}' WHERE name = 'subsonic'"#)
    }
    return catalogue
  }

  private func take(_ track: String, _ listen: String, _ catalogue: TestCatalogue) async throws -> Bool {
    let counted = PlaySenderTests.counted(try #require(TrackID(track)), listen)
    return try await catalogue.database.write { try PlayOutbox.take(counted, at: Timestamp(seconds: 1_800_000_100), $0) }
  }

  private func waiting(_ catalogue: TestCatalogue) async throws -> [String] {
    try await catalogue.database.read { transaction in
      try transaction.rows("SELECT listen, source, track FROM play_outbox ORDER BY id") {
        "\(try $0.value(0) as String) \(try $0.value(1) as String) \(try $0.value(2) as Int64)"
      }
    }
  }

  @Test func aPlayOfAFileGoesOnceToEachServerThatHasIt() async throws {
    let catalogue = try await merged()
    #expect(try await take("files:t1", "l1", catalogue))
    #expect(try await take("files:t1", "l1", catalogue) == false)
    #expect(try await waiting(catalogue) == ["l1 plex 2", "l1 plex-2 4"])
    let next = try await catalogue.database.read { try PlayOutbox.next($0) }
    #expect(next.map { "\($0.source) \($0.native ?? "-")" } == ["plex 101", "plex-2 701"])
  }

  @Test(arguments: [(true, 1), (false, 0)])
  func otherServersAreToldWhereAPersonWishesIt(_ forwards: Bool, _ count: Int) async throws {
    let catalogue = try await merged(forwardsPlays: forwards)
    #expect(try await take("files:t1", "l1", catalogue))
    #expect(try await waiting(catalogue).count { $0.contains("subsonic") } == count)
  }

  @Test func whatARoomPlaysIsReportedToEachServerThatHasIt() async throws {
    let catalogue = try await merged()
    let kinds = ["plex", "subsonic"].map { name in
      SourceDescriptor(name: name, setup: nil) { _, _ in FakeServer() }
    }
    let registry = SourceRegistry(
      catalogue.source(), kinds: kinds, secrets: SecretsInMemory(), database: catalogue.database, journal: nil,
      now: { catalogue.time })
    let finder = ServerFinder(registry: registry, database: catalogue.database, log: .quiet)
    let track = try #require(TrackID("files:t1"))
    #expect(await finder.find(track).map(\.native) == ["101", "701", "901"])
    #expect(await finder.find(try #require(TrackID("files:t77"))).isEmpty)
  }

  @Test func aPlayUnderANumberThatIsGoneGoesToTheCopyThatStays() async throws {
    let catalogue = try await merged()
    #expect(try await take("plex:t2", "l1", catalogue))
    try await catalogue.write(
      "DELETE FROM tracks WHERE id = 2", "INSERT INTO heirs (kind, number, heir) VALUES (3, 2, 3)")
    let next = try await catalogue.database.read { try PlayOutbox.next($0) }
    #expect(next.map { "\($0.source) \($0.native ?? "-")" } == ["plex 201", "plex-2 701"])
  }
}
