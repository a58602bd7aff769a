import Bus
import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import lunara_scrobble

struct HistoryTests {
  private let folder = TemporaryDirectory()
  private let database: Database

  init() throws {
    database = try Database(at: "\(folder.path)/scrobble.sqlite", migrations: Scrobbler.migrations)
  }

  private func take(_ subject: Playback.ListenSubject, heard: Int64) async throws -> History.Effect {
    try await database.write {
      try History.take(
        subject, heard: Milliseconds(heard), reportedAt: subject.startedAt, at: Timestamp(seconds: 1_700_001_000),
        in: $0)
    }
  }

  private func list(_ filter: Scrobble.ListScrobbles.Filter = .all) async throws -> [Scrobble.Entry] {
    try await database.read { try ScrobbleList.page(Scrobble.ListScrobbles(filter: filter), in: $0) }.items
  }

  @Test func aListenCountsOnceHoweverOftenItIsReported() async throws {
    #expect(try await take(subject("l1"), heard: 99_000) == .none)
    #expect(try await take(subject("l1"), heard: 100_000) == .counted)
    #expect(try await take(subject("l1"), heard: 100_000) == .none)
    #expect(try await list().map(\.listen) == [ListenID(rawValue: "l1")])
  }

  @Test func moreHeardIsKeptAndLateReportsOfLessAreNot() async throws {
    _ = try await take(subject("l1"), heard: 100_000)
    #expect(try await take(subject("l1"), heard: 180_000) == .heardMore)
    #expect(try await take(subject("l1"), heard: 130_000) == .none)
    #expect(try await list().map(\.heard) == [Milliseconds(180_000)])
  }

  @Test func theSameTrackHeardAgainCountsAgain() async throws {
    #expect(try await take(subject("l1"), heard: 200_000) == .counted)
    #expect(try await take(subject("l2"), heard: 200_000) == .counted)
    #expect(try await list().count == 2)
  }

  @Test func aScrobbleShowsAllOfItsTrackAndNoDestinationWithoutAnAccount() async throws {
    _ = try await take(subject("l1", 4), heard: 150_000)
    let entry = try #require(try await list().first)
    #expect(entry.track == subject("l1", 4).item.track)
    #expect(entry.room == RoomName(from: "den"))
    #expect(entry.startedAt == subject("l1", 4).startedAt)
    #expect(entry.destinations == [])
    let tally = try await database.read { try History.tally(in: $0) }
    #expect([tally.counted, tally.pending, tally.failed] == [1, 0, 0])
  }

  @Test func eachAccountThatIsOnGetsADelivery() async throws {
    try await database.write {
      try $0.execute("INSERT INTO accounts (service, name, is_on) VALUES ('lastfm', 'ada', 1), ('lastfm', 'bob', 0)")
      try $0.execute("INSERT INTO accounts (service, name) VALUES ('listenbrainz', 'ada')")
    }
    _ = try await take(subject("l1"), heard: 100_000)
    _ = try await take(subject("l1"), heard: 180_000)
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
    let tally = try await database.read { try History.tally(in: $0) }
    #expect([tally.counted, tally.pending, tally.failed] == [1, 0, 1])
  }
}
