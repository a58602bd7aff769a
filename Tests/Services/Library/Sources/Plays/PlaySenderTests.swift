import Bus
import Messages
import Model
import ServiceKit
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Catalogue
@testable import Records
@testable import Sources

@Suite struct PlaySenderTests {
  private let home = TemporaryDirectory()

  private func open() async throws -> Database {
    let database = try Database(
      at: "\(home.path)/library.sqlite", migrations: Journal.migrations + Catalogue.migrations)
    try await database.write { transaction in
      try transaction.execute(
        "INSERT OR IGNORE INTO sources (name, kind, problem_count, problems) VALUES ('plex', 'plex', 0, '[]')")
      try transaction.execute(
        "INSERT OR IGNORE INTO sources (name, kind, problem_count, problems) VALUES ('files', 'files', 0, '[]')")
    }
    return database
  }

  /// A track of the catalogue with the server's own id of it.
  private func add(_ number: Int, native: String, to database: Database) async throws {
    try await database.write { transaction in
      try transaction.execute(
        "INSERT OR IGNORE INTO artists (id, source, key, name, sort, albums) VALUES (1, 'plex', 'a', '', '', 1)")
      try transaction.execute(
        """
        INSERT OR IGNORE INTO albums (id, source, key, title, title_sort, artist, artist_sort, artist_id, genres, tracks,
          duration, added_at) VALUES (1, 'plex', 'a', '', '', '', '', 1, '', 1, 0, 0)
        """)
      try transaction.execute(
        """
        INSERT INTO tracks (id, source, album, title, title_sort, artist, disc, genres, duration, added_at, native, shelf,
          shown) VALUES (?1, 'plex', 1, '', '', '', 1, '', 0, 0, ?2, 1, ?1)
        """, number, native)
    }
  }

  static func counted(_ track: TrackID, _ listen: String) -> Scrobble.ListenCounted {
    let album = AlbumID(source: track.source, native: "a1")
    let item = QueueItem(
      entry: EntryID(rawValue: "e"),
      track: Track(
        id: track, albumID: album, title: "T", artist: "A", albumArtist: "A", album: "B", duration: Milliseconds(1000)),
      origin: QueueItem.Origin(node: "cli@main"))
    return Scrobble.ListenCounted(
      subject: Playback.ListenSubject(
        listen: ListenID(rawValue: listen), room: RoomName(from: "kitchen"), item: item,
        startedAt: Timestamp(seconds: 1_800_000_000)),
      heard: Milliseconds(500))
  }

  private func enqueue(_ track: String, _ listen: String, _ database: Database) async throws -> Bool {
    let counted = Self.counted(try #require(TrackID(track)), listen)
    return try await database.write {
      try PlayOutbox.enqueue(counted, at: Timestamp(seconds: 1_800_000_100), .withoutConnections, $0)
    }
  }

  private func stages(_ database: Database) async throws -> [Int] {
    try await database.read { try $0.rows("SELECT stage FROM play_outbox ORDER BY id") { try $0.value(0) } }
  }

  private func sender(_ database: Database, _ server: (any MusicServer)?) -> PlaySender {
    PlaySender(database: database, log: .quiet, server: { _ in server })
  }

  @Test func onlyPlaysOfTheServersTracksAreTakenInAndEachOnce() async throws {
    let database = try await open()
    #expect(try await enqueue("plex:t1", "l1", database))
    #expect(try await enqueue("plex:t1", "l1", database) == false)
    #expect(try await enqueue("files:t2", "l2", database) == false)
    #expect(try await enqueue("elsewhere:t3", "l3", database) == false)
    #expect(try await enqueue("plex:t1", "l4", database))
    #expect(try await stages(database) == [0, 0])
  }

  @Test func whatWasHeardInPrivateIsToldToNoServer() async throws {
    let database = try await open()
    var counted = Self.counted(try #require(TrackID("plex:t1")), "l1")
    counted.withheld = "private"
    let isTaken = try await database.write { [counted] in
      try PlayOutbox.enqueue(counted, at: Timestamp(seconds: 1_800_000_100), .withoutConnections, $0)
    }
    #expect(!isTaken)
    #expect(try await stages(database) == [])
  }

  @Test func playsReachTheServerInTheirOrder() async throws {
    let fixture = try await FakePlexServer()
    let database = try await open()
    let keys = [try await fixture.key("River 1"), try await fixture.key("River 2")]
    for (number, key) in keys.enumerated() { try await add(number + 1, native: key, to: database) }
    for (listen, track) in [1, 2, 1].enumerated() { _ = try await enqueue("plex:t\(track)", "l\(listen)", database) }
    #expect(await sender(database, fixture.server).sendAll())
    #expect(try await stages(database) == [2, 2, 2])
    let told = try await fixture.order("received").elements.compactMap { $0["key"]?.string }
    #expect(told == [keys[0], keys[1], keys[0]])
    #expect(await sender(database, fixture.server).sendAll())
    #expect(try await fixture.server.playCount(of: keys[0]) == 2)
  }

  @Test(arguments: [CrashingServer.Moment.beforeTelling, .afterTelling])
  func aKillDuringASubmissionLosesNoPlay(_ moment: CrashingServer.Moment) async throws {
    let fixture = try await FakePlexServer()
    let key = try await fixture.key("River 1")
    try await fixture.server.countPlay(of: key, at: .now())
    let first = try await open()
    try await add(1, native: key, to: first)
    _ = try await enqueue("plex:t1", "l1", first)
    // The sender stops at this moment for good, as if it were killed: nothing after it happens.
    let crashing = CrashingServer(server: fixture.server, moment: moment)
    let killed = PlaySender(database: first, log: .quiet, server: { _ in crashing })
    let run = Task { await killed.sendAll() }
    await crashing.killSignal.wait()
    let counted = try await fixture.server.playCount(of: key)
    #expect(counted == (moment == .afterTelling ? 2 : 1))
    #expect(try await stages(first) == [1])
    // The next run opens the same file, which nobody has closed.
    let second = try await open()
    #expect(await sender(second, fixture.server).sendAll())
    #expect(try await fixture.server.playCount(of: key) == 2)
    #expect(try await stages(second) == [2])
    run.cancel()
    _ = await run.value
  }

  @Test func anAnswerThatIsLostOnItsWayCountsOnce() async throws {
    let fixture = try await FakePlexServer()
    let key = try await fixture.key("River 1")
    let database = try await open()
    try await add(1, native: key, to: database)
    _ = try await enqueue("plex:t1", "l1", database)
    // The server counts the play, and its answer is cut off.
    try await fixture.order("fault", #"{"path":"/:/scrobble","fault":"cut"}"#)
    let sender = sender(database, fixture.server)
    if await !sender.sendAll() { #expect(await sender.sendAll()) }
    #expect(try await fixture.server.playCount(of: key) == 1)
    #expect(try await stages(database) == [2])
  }

  @Test func withTheServerAwayPlaysWait() async throws {
    let fixture = try await FakePlexServer()
    let key = try await fixture.key("River 1")
    let database = try await open()
    try await add(1, native: key, to: database)
    _ = try await enqueue("plex:t1", "l1", database)
    #expect(await sender(database, nil).sendAll() == false)
    let away = PlexServer(client: FakePlexServer.client(fixture.http, "http://127.0.0.1:1", token: "x"))
    let patient = sender(database, away)
    // A server that cannot be reached never uses up the tries.
    for _ in 0...PlayOutbox.mostFailures { #expect(await patient.sendAll() == false) }
    let signedOut = PlexServer(
      client: FakePlexServer.client(fixture.http, "http://127.0.0.1:\(fixture.standIn.port)", token: "x"))
    #expect(await sender(database, signedOut).sendAll() == false)
    #expect(try await stages(database) == [0])
    #expect(await sender(database, fixture.server).sendAll())
    #expect(try await fixture.server.playCount(of: key) == 1)
  }

  @Test func aTrackThatIsGoneHoldsNothingUp() async throws {
    let fixture = try await FakePlexServer()
    let key = try await fixture.key("River 1")
    let database = try await open()
    try await add(1, native: "99999", to: database)
    try await add(2, native: key, to: database)
    for track in ["plex:t1", "plex:t3", "plex:t2"] { _ = try await enqueue(track, "of \(track)", database) }
    #expect(await sender(database, fixture.server).sendAll())
    #expect(try await stages(database) == [3, 3, 2])
    #expect(try await fixture.server.playCount(of: key) == 1)
  }

  @Test func aPlayThatIsRefusedLetsOthersPassAndIsParkedInTheEnd() async throws {
    let fixture = try await FakePlexServer()
    let keys = [try await fixture.key("River 1"), try await fixture.key("River 2")]
    let database = try await open()
    for (number, key) in keys.enumerated() { try await add(number + 1, native: key, to: database) }
    for track in ["plex:t1", "plex:t2"] { _ = try await enqueue(track, "of \(track)", database) }
    try await fixture.order("fault", #"{"path":"/:/scrobble","query":"key=\#(keys[0])(&|$)","fault":"500","times":99}"#)
    let sender = sender(database, fixture.server)
    #expect(await sender.sendAll() == false)
    #expect(await sender.sendAll() == false)
    #expect(try await stages(database) == [1, 2])
    // Each refusal counts as a failure, until the limit is reached.
    for _ in 3..<PlayOutbox.mostFailures { #expect(await sender.sendAll() == false) }
    #expect(await sender.sendAll())
    #expect(try await stages(database) == [3, 2])
    #expect(try await fixture.server.playCount(of: keys[1]) == 1)
    let status = try await database.read { try Catalogue.state($0) }.sources.first { $0.name == "plex" }
    #expect(status?.problems.map(\.code) == ["library.playsNotTaken"] && status?.problemCount == 1)
  }

  @Test func aServerThatCannotCountIsToldAgainAfterAFailure() async throws {
    let database = try await open()
    try await add(1, native: "101", to: database)
    _ = try await enqueue("plex:t1", "l1", database)
    let server = FakeServer()
    server.change { $0.error = SourceError.away("plex", cause: nil) }
    let sender = sender(database, server)
    for _ in 0...PlayOutbox.mostFailures { #expect(await sender.sendAll() == false) }
    server.change { $0.error = nil }
    #expect(await sender.sendAll())
    #expect(server.counted.withLock { $0.map(\.native) } == ["101"])
    #expect(try await stages(database) == [2])
  }

  @Test func aPlayHasTheTimeAtWhichItsListenBegan() async throws {
    let database = try await open()
    try await add(1, native: "101", to: database)
    _ = try await enqueue("plex:t1", "l1", database)
    // Earlier versions stored only the time at which a listen counted.
    try await database.write {
      try $0.execute("INSERT INTO play_outbox (listen, source, track, counted_at) VALUES ('l0', 'plex', 1, 7000000)")
    }
    let server = FakeServer()
    #expect(await sender(database, server).sendAll())
    #expect(server.counted.withLock { $0.map(\.time.seconds) } == [1_800_000_000, 7])
  }

  @Test func aSenderThatSleepsIsWokenByAPlay() async throws {
    let fixture = try await FakePlexServer()
    let key = try await fixture.key("River 1")
    let database = try await open()
    try await add(1, native: key, to: database)
    let sender = sender(database, fixture.server)
    await sender.start()
    _ = try await enqueue("plex:t1", "l1", database)
    await sender.wake()
    #expect(try await eventually(equals: [2]) { try await stages(database) })
    await sender.stop()
    #expect(try await fixture.server.playCount(of: key) == 1)
  }
}
