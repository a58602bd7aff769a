import Bus
import Messages
import Model
import ServiceKit
import Storage
import TestSupport
import Testing

@testable import lunara_scrobble

struct ListenStoreTests {
  private let folder = TemporaryDirectory()
  private let database: Database

  init() throws {
    database = try Database(at: "\(folder.path)/scrobble.sqlite", migrations: Scrobbler.migrations)
  }

  private func record(_ subject: Playback.ListenSubject, heard: Int64) async throws -> ListenStore.Effect {
    try await database.write {
      try ListenStore.record(
        subject, heard: Milliseconds(heard), reportedAt: subject.startedAt, at: Timestamp(seconds: 1_700_001_000),
        in: $0)
    }
  }

  private func list(_ filter: Scrobble.ListScrobbles.Filter = .all) async throws -> [Scrobble.Entry] {
    try await database.read { try ScrobbleList.page(Scrobble.ListScrobbles(filter: filter), in: $0) }.items
  }

  @Test func aListenCountsOnceHoweverOftenItIsReported() async throws {
    let enough = 2000 * ScrobbleRule.percent
    #expect(try await record(subject("l1"), heard: enough - 1) == .none)
    #expect(try await record(subject("l1"), heard: enough) == .counted(withheld: nil))
    #expect(try await record(subject("l1"), heard: enough) == .none)
    #expect(try await list().map(\.listen) == [ListenID(rawValue: "l1")])
  }

  @Test func whatWaitsFromBeforeTheClockWasSetIsSentWithTheRightTime() async throws {
    try await database.write { _ = try $0.execute("INSERT INTO accounts (service, name) VALUES ('lastfm', 'ada')") }
    let (old, new) = (subject("l1"), subject("l2", 100))
    for one in [old, new] { _ = try await record(one, heard: 120_000) }
    let (first, last) = (old.startedAt, new.startedAt)
    var clock = ClockReference(now: last - Milliseconds(1000), sinceBoot: 0)
    let found = clock.step(now: Timestamp(seconds: last.seconds + 86_400), sinceBoot: 2_000_000)
    let step = try #require(found)
    let newest = try await database.read { try ListenStore.newest(in: $0) }
    // Listens that were here when the service started are of another boot.
    try await database.write { try ListenStore.apply(step, after: newest, in: $0) }
    #expect(try await list().map(\.startedAt) == [last, first])
    try await database.write { try ListenStore.apply(step, after: 0, in: $0) }
    let moved = Timestamp(seconds: last.seconds + 86_399)
    #expect(try await list().map(\.startedAt) == [moved, first])
    let due: [Timestamp] = try await database.read {
      try $0.rows("SELECT started_at FROM deliveries ORDER BY started_at") { try $0.value(0) }
    }
    #expect(due == [first, moved])
  }

  @Test func aListenThatMovedToAnotherRoomCountsOnce() async throws {
    var moved = subject("l1")
    moved.room = RoomName(from: "bath")
    #expect(try await record(subject("l1"), heard: 120_000) == .counted(withheld: nil))
    #expect(try await record(moved, heard: 150_000) == .heardMore)
    #expect(try await record(subject("l1"), heard: 120_000) == .none)
    #expect(try await list().map(\.heard) == [Milliseconds(150_000)])
  }

  @Test func theListensOfAnOlderVersionAreKept() async throws {
    let path = "\(folder.path)/old.sqlite"
    let old = try Database(at: path, migrations: Journal.migrations + Schema.migrations.prefix(1))
    try await old.write { transaction in
      try transaction.execute("INSERT INTO accounts (service, name) VALUES ('lastfm', 'ada')")
      for (number, state) in ["due", "sending", "sent", "paused", "parked"].enumerated() {
        let subject = subject("l\(number)", number)
        try transaction.execute(
          "INSERT INTO scrobbles (listen, room, item, started_at, heard, counted_at) VALUES (?, ?, ?, ?, 1, 1)",
          subject.listen, subject.room, try MessageCoding.encode(subject.item), subject.startedAt)
        try transaction.execute(
          "INSERT INTO deliveries (scrobble, account, state, attempts) VALUES (?, 1, ?, 2)",
          transaction.lastInsertedRowID, state)
      }
    }
    await old.close()
    let new = try Database(at: path, migrations: Scrobbler.migrations)
    let page = try await new.read { try ScrobbleList.page(Scrobble.ListScrobbles(), in: $0) }
    #expect(
      page.items.map { $0.destinations.map(\.state) } == [["failed"], ["pending"], ["sent"], ["pending"], ["pending"]])
    #expect(page.items.allSatisfy { $0.destinations.first?.attempts == 2 })
  }

  @Test func moreHeardIsKeptAndLateReportsOfLessAreNot() async throws {
    _ = try await record(subject("l1"), heard: 100_000)
    #expect(try await record(subject("l1"), heard: 180_000) == .heardMore)
    #expect(try await record(subject("l1"), heard: 130_000) == .none)
    #expect(try await list().map(\.heard) == [Milliseconds(180_000)])
  }

  @Test func theSameTrackHeardAgainCountsAgain() async throws {
    #expect(try await record(subject("l1"), heard: 200_000) == .counted(withheld: nil))
    #expect(try await record(subject("l2"), heard: 200_000) == .counted(withheld: nil))
    #expect(try await list().count == 2)
  }

  @Test func aScrobbleShowsAllOfItsTrackAndNoDestinationWithoutAnAccount() async throws {
    _ = try await record(subject("l1", 4), heard: 150_000)
    let entry = try #require(try await list().first)
    #expect(entry.track == subject("l1", 4).item.track)
    #expect(entry.room == RoomName(from: "den"))
    #expect(entry.startedAt == subject("l1", 4).startedAt)
    #expect(entry.destinations == [])
    let tally = try await database.read { try ListenStore.outboxState(in: $0) }
    #expect([tally.counted, tally.pending, tally.failed] == [1, 0, 0])
  }

  @Test func eachAccountThatIsOnGetsADelivery() async throws {
    try await database.write {
      try $0.execute("INSERT INTO accounts (service, name, is_on) VALUES ('lastfm', 'ada', 1), ('lastfm', 'bob', 0)")
      try $0.execute("INSERT INTO accounts (service, name) VALUES ('listenbrainz', 'ada')")
    }
    _ = try await record(subject("l1"), heard: 100_000)
    _ = try await record(subject("l1"), heard: 180_000)
    let destinations = try #require(try await list(.pending).first).destinations
    #expect(
      destinations == [
        Scrobble.Destination(service: "lastfm", account: "ada", state: "pending", attempts: 0, answer: nil),
        Scrobble.Destination(service: "listenbrainz", account: "ada", state: "pending", attempts: 0, answer: nil),
      ])
    try await database.write {
      try $0.execute(
        "UPDATE deliveries SET state = 'parked', attempts = 3, answer = 'Artist was ignored' WHERE account = 1")
      try $0.execute("UPDATE deliveries SET state = 'sent' WHERE account = 3")
    }
    #expect(try await list(.pending).isEmpty)
    #expect(try await list(.failed).first?.destinations.map(\.state) == ["failed", "sent"])
    let tally = try await database.read { try ListenStore.outboxState(in: $0) }
    #expect([tally.counted, tally.pending, tally.failed] == [1, 0, 1])
  }
}

/// The scrobble rule at the limits of its constants; the manual states their values.
struct ScrobbleRuleTests {
  private typealias Rule = ScrobbleRule
  private let ceiling = Rule.ceiling.rawValue
  private let minimum = Rule.minimumLength.rawValue

  private func counts(_ heard: Int64, of duration: Int64) -> Bool {
    Rule.counts(heard: Milliseconds(heard), of: Milliseconds(duration))
  }

  @Test func theManualStatesTheRule() throws {
    let part = "\(Rule.percent) % of it, or \(ceiling / 60_000) minutes, was heard"
    let rule = "A track longer than \(minimum / 1000) s counts once \(part)."
    #expect(try page("scrobbling").contains("\n\(rule)\n"), "docs/scrobbling.md has to say: \(rule)")
  }

  @Test func theNamedPartOfATrackCounts() {
    let enough = 2000 * Rule.percent
    #expect(!counts(enough - 1, of: 200_000))
    #expect(counts(enough, of: 200_000))
  }

  @Test func thePartIsNotRoundedDown() {
    let enough = 2000 * Rule.percent
    #expect(!counts(enough, of: 200_001))
    #expect(counts(enough + 1, of: 200_001))
  }

  @Test func theCeilingIsEnoughOfALongTrack() {
    #expect(!counts(ceiling - 1, of: 100 * ceiling))
    #expect(counts(ceiling, of: 100 * ceiling))
  }

  @Test func shortTracksNeverCount() {
    #expect(!counts(minimum, of: minimum))
    #expect(!counts(900_000, of: minimum - 1000))
    #expect(counts((minimum + 1) * Rule.percent / 100 + 1, of: minimum + 1))
  }

  @Test(arguments: [0, -1, Int64.min]) func aTrackOfUnknownLengthCountsAtTheCeiling(duration: Int64) {
    #expect(!counts(ceiling - 1, of: duration))
    #expect(counts(ceiling, of: duration))
  }

  @Test(arguments: [0, -1, Int64.min]) func aTrackOfUnknownLengthThatPlayedToItsEndIsHeardWhole(duration: Int64) {
    func counts(_ heard: Int64) -> Bool {
      Rule.counts(heard: Milliseconds(heard), of: Milliseconds(duration), isFinished: true)
    }
    #expect(!counts(0) && !counts(minimum) && counts(minimum + 1))
    // A known length decides as before.
    #expect(!Rule.counts(heard: Milliseconds(40_000), of: Milliseconds(200_000), isFinished: true))
  }

  @Test(arguments: [0, -5, Int64.min]) func nothingHeardDoesNotCount(heard: Int64) {
    #expect(!counts(heard, of: 200_000))
  }

  @Test func absurdTimesDoNotCrash() {
    #expect(counts(.max, of: .max))
    #expect(!counts(.min, of: .max))
  }
}
