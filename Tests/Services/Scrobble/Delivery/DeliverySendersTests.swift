import FoundationEssentials
import HTTP
import Model
import ServiceKit
import Synchronization
import TestSupport
import Testing

@testable import lunara_scrobble

@Suite(.timeLimit(.minutes(1)))
struct DeliverySendersTests {
  @Test func anAccountWhoseCredentialsCannotBeReadForAMomentSendsAgainWithoutAPerson() async throws {
    let account = try await TestAccount()
    let credentials = AccountCredentials(store: CredentialStore(home: account.folder.path))
    try credentials.write(Credentials(session: "s", key: "k", secret: "x"), of: "lastfm/ada")
    let file = URL(filePath: "\(account.folder.path)/credentials/scrobble-accounts.json")
    let contents = try Data(contentsOf: file)
    // A file that is too large cannot be read, by no user.
    try Data(count: 2 << 20).write(to: file)
    let isRead = Mutex(false)
    let context = AccountContext(
      database: account.database, journal: account.journal, credentials: credentials,
      http: HTTPClient(userAgent: "x"), log: .quiet, setting: { _ in nil })
    let senders = DeliverySenders(context, changed: {}) { _ in
      while !isRead.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
    }
    try await senders.start()
    let status = try #require(try await account.status())
    #expect(status.pause == nil && status.problem?.contains("scrobble-accounts.json") == true)
    try contents.write(to: file)
    isRead.withLock { $0 = true }
    // A sender that has nothing to send clears the problem.
    #expect(try await eventually(equals: nil) { try await account.status()?.problem })
    #expect(try await account.status()?.pause == nil)
    await senders.stop()
  }

  @Test func thePauseGrowsWhileCredentialsCannotBeRead() async throws {
    let account = try await TestAccount()
    let credentials = AccountCredentials(store: CredentialStore(home: account.folder.path))
    try credentials.write(Credentials(session: "s", key: "k", secret: "x"), of: "lastfm/ada")
    let file = URL(filePath: "\(account.folder.path)/credentials/scrobble-accounts.json")
    try Data(count: 2 << 20).write(to: file)
    let pauses = Mutex<[Duration]>([])
    let context = AccountContext(
      database: account.database, journal: account.journal, credentials: credentials,
      http: HTTPClient(userAgent: "x"), log: .quiet, setting: { _ in nil })
    let senders = DeliverySenders(context, changed: {}) { pause in
      let count = pauses.withLock { pauses in
        pauses.append(pause)
        return pauses.count
      }
      if count > 3 { try await Task.sleep(for: .seconds(600)) }
    }
    try await senders.start()
    #expect(await eventually(equals: 4) { pauses.withLock { $0.count } })
    await senders.stop()
    let found = pauses.withLock { $0 }
    #expect(zip(found, found.dropFirst()).allSatisfy { $0 < $1 })
  }
}
