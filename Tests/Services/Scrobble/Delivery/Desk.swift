import Bus
import Messages
import Model
import ServiceKit
import Storage
import Synchronization
import TestSupport

@testable import lunara_scrobble

/// A database with one account and its courier, under a clock that goes on by itself whenever the courier would wait.
final class Desk: Sendable {
  let folder = TemporaryDirectory()
  let database: Database
  let journal: Journal
  let service: FakeService
  /// How long the courier has waited in all.
  let waited = Mutex(Duration.zero)
  private let start = ContinuousClock.now
  static let account: Int64 = 1

  init(_ service: FakeService = FakeService()) async throws {
    self.service = service
    database = try Database(at: "\(folder.path)/scrobble.sqlite", migrations: Scrobbler.migrations)
    journal = try await Journal(database)
    try await database.write {
      try $0.execute("INSERT INTO accounts (id, service, name) VALUES (?, 'lastfm', 'ada')", Self.account)
    }
  }

  var outbox: Outbox { Outbox(account: Self.account, database: database, journal: journal) }

  /// Lets listens count.
  func heard(_ numbers: Range<Int>, _ change: @escaping @Sendable (inout Playback.ListenSubject) -> Void = { _ in })
    async throws
  {
    try await database.write { transaction in
      for number in numbers {
        var subject = subject("l\(number)", number)
        change(&subject)
        _ = try History.take(
          subject, heard: Milliseconds(150_000), reportedAt: subject.startedAt, at: subject.startedAt, in: transaction)
      }
    }
  }

  func courier() async throws -> Courier {
    let standing = try await database.read { try Standing.read(of: Self.account, $0) } ?? Standing()
    return Courier(
      outbox: outbox, backend: service, standing: standing, log: .quiet, changed: {},
      now: { [self] in start + waited.withLock { $0 } },
      sleep: { [self] time in
        // Nothing to wait for: only a wake-up ends that.
        guard time < .seconds(1 << 29) else { return try await Task.sleep(for: .seconds(3600)) }
        waited.withLock { $0 += max(.zero, time) }
      })
  }

  /// How many deliveries stand how.
  func states() async throws -> [String: Int] {
    Dictionary(
      uniqueKeysWithValues: try await database.read {
        try $0.rows("SELECT state, count(*) FROM deliveries GROUP BY state") {
          (try $0.value(0) as String, try $0.value(1) as Int)
        }
      })
  }

  /// What was journaled of a kind.
  func facts<F: Fact>(_ type: F.Type) async throws -> [F] {
    try await database.read {
      try $0.rows("SELECT payload FROM bus_facts WHERE kind = ? ORDER BY seq", F.kind) {
        try MessageCoding.decode(F.self, from: try $0.value(0) as [UInt8])
      }
    }
  }

  func standing() async throws -> Standing? { try await database.read { try Standing.read(of: Self.account, $0) } }
}
