import Bus
import Messages
import Model
import ServiceKit
import Storage
import Synchronization
import TestSupport

@testable import lunara_scrobble

/// A database with one account and its sender, and a clock that advances whenever the sender waits.
final class TestAccount: Sendable {
  let folder = TemporaryDirectory()
  let database: Database
  let journal: Journal
  let service: FakeScrobbleService
  /// The time that the sender has waited in all.
  let waited = Mutex(Duration.zero)
  private let start = ContinuousClock.now
  static let account: Int64 = 1

  init(_ service: FakeScrobbleService = FakeScrobbleService()) async throws {
    self.service = service
    database = try Database(at: "\(folder.path)/scrobble.sqlite", migrations: Scrobbler.migrations)
    journal = try await Journal(database)
    try await database.write {
      try $0.execute("INSERT INTO accounts (id, service, name) VALUES (?, 'lastfm', 'ada')", Self.account)
    }
  }

  var outbox: Outbox { Outbox(account: Self.account, database: database, journal: journal) }

  /// Adds listens that count as scrobbles.
  func heard(_ numbers: Range<Int>, _ change: @escaping @Sendable (inout Playback.ListenSubject) -> Void = { _ in })
    async throws
  {
    try await database.write { transaction in
      for number in numbers {
        var subject = subject("l\(number)", number)
        change(&subject)
        _ = try ListenStore.record(
          subject, heard: Milliseconds(150_000), reportedAt: subject.startedAt, at: subject.startedAt, in: transaction)
      }
    }
  }

  func sender() async throws -> DeliverySender {
    let status = try await database.read { try AccountStore.account(Self.account, $0)?.status } ?? AccountStatus()
    return DeliverySender(
      outbox: outbox, client: service, status: status, log: .quiet, changed: {},
      now: { [self] in start + waited.withLock { $0 } },
      sleep: { [self] time in
        // With nothing to send, only a wake-up ends the wait.
        guard time < .seconds(1 << 29) else { return try await Task.sleep(for: .seconds(3600)) }
        waited.withLock { $0 += max(.zero, time) }
      })
  }

  /// Returns the number of deliveries by state.
  func states() async throws -> [String: Int] {
    Dictionary(
      uniqueKeysWithValues: try await database.read {
        try $0.rows("SELECT state, count(*) FROM deliveries GROUP BY state") {
          (try $0.value(0) as String, try $0.value(1) as Int)
        }
      })
  }

  /// Returns the facts of a kind in the journal.
  func facts<F: Fact>(_ type: F.Type) async throws -> [F] {
    try await database.read {
      try $0.rows("SELECT payload FROM bus_facts WHERE kind = ? ORDER BY seq", F.kind) {
        try MessageCoding.decode(F.self, from: try $0.value(0) as [UInt8])
      }
    }
  }

  func status() async throws -> AccountStatus? {
    try await database.read { try AccountStore.account(Self.account, $0)?.status }
  }
}
