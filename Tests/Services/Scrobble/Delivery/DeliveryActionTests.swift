import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import lunara_scrobble

struct DeliveryActionTests {
  private func makeFailed(_ account: TestAccount, _ listens: Range<Int>) async throws {
    try await account.heard(listens)
    try await account.database.write { try $0.execute("UPDATE deliveries SET state = 'parked', proofs = 3") }
  }

  @Test func whatFailedIsTriedAgainOneByOneOrAll() async throws {
    let account = try await TestAccount()
    try await makeFailed(account, 0..<3)
    #expect(try await account.database.write { try DeliveryActions.retry(ListenID(rawValue: "l1"), $0) } == 1)
    #expect(try await account.states() == ["parked": 2, "due": 1])
    #expect(try await account.database.write { try DeliveryActions.retry(nil, $0) } == 2)
    #expect(try await account.states() == ["due": 3])
  }

  @Test func aDroppedDeliveryStaysInTheHistory() async throws {
    let account = try await TestAccount()
    try await account.heard(5..<6)
    try await account.database.write { try $0.execute("UPDATE deliveries SET state = 'sent'") }
    try await account.heard(0..<3)
    #expect(try await account.database.write { try DeliveryActions.drop(nil, $0) } == 0)
    #expect(try await account.database.write { try DeliveryActions.drop(ListenID(rawValue: "l1"), $0) } == 1)
    #expect(try await account.database.write { try DeliveryActions.drop(ListenID(rawValue: "l5"), $0) } == 0)
    #expect(try await account.states() == ["sent": 1, "due": 2])
    #expect(try await account.database.read { try ListenStore.outboxState(in: $0) }.counted == 4)
  }

  @Test func aListenThatNeverCountedIsUnknown() async throws {
    let account = try await TestAccount()
    let error = await #expect(throws: LunaraError.self) {
      try await account.database.write { try DeliveryActions.retry(ListenID(rawValue: "x"), $0) }
    }
    #expect(error?.code == "scrobble.unknownListen")
  }

  private func importListens(_ account: TestAccount, _ listens: [Scrobble.ImportedListen], sends: Bool = false)
    async throws
    -> Scrobble.Imported
  {
    try await account.database.write {
      try ListenImport.add(Scrobble.ImportListens(listens: listens, sends: sends), at: .now(), $0)
    }
  }

  @Test func aListenImportedTwiceIsStoredOnceAndNotSent() async throws {
    let account = try await TestAccount()
    let listen = Scrobble.ImportedListen(startedAt: Timestamp(seconds: 1_600_000_000), title: "A", artist: "B")
    #expect(try await importListens(account, [listen]) == Scrobble.Imported(added: 1, known: 0))
    #expect(try await importListens(account, [listen]) == Scrobble.Imported(added: 0, known: 1))
    #expect(try await account.states().isEmpty)
    let entry = try await account.database.read { try ScrobbleList.page(Scrobble.ListScrobbles(), in: $0) }.items.first
    #expect(entry?.withheld == "imported" && entry?.track.title == "A")
  }

  @Test func listensImportedForSendingAreDue() async throws {
    let account = try await TestAccount()
    let listen = Scrobble.ImportedListen(startedAt: Timestamp(seconds: 1_600_000_000), title: "A", artist: "B")
    #expect(try await importListens(account, [listen], sends: true).added == 1)
    #expect(try await account.states() == ["due": 1])
  }

  @Test func listensOfAnOwnExportAreKnown() async throws {
    let account = try await TestAccount()
    try await account.heard(0..<1)
    let own = Scrobble.ImportedListen(
      listen: ListenID(rawValue: "l0"), startedAt: Timestamp(seconds: 1), title: "A", artist: "B")
    #expect(try await importListens(account, [own]) == Scrobble.Imported(added: 0, known: 1))
  }

  @Test func anImportedListenIsRecognisedByItsTimeAndNames() async throws {
    let account = try await TestAccount()
    try await account.heard(0..<1)
    let back = Scrobble.ImportedListen(
      startedAt: Timestamp(seconds: 1_700_000_000), title: "TRACK 0", artist: "Ada", album: "Another")
    #expect(try await importListens(account, [back]) == Scrobble.Imported(added: 0, known: 1))
    var other = back
    other.title = "Track 1"
    var later = back
    later.startedAt = Timestamp(seconds: 1_700_000_001)
    #expect(try await importListens(account, [other, later]) == Scrobble.Imported(added: 2, known: 0))
  }

  @Test func aListenInTheFutureIsRefused() async throws {
    let account = try await TestAccount()
    let listen = Scrobble.ImportedListen(
      startedAt: Timestamp(seconds: Timestamp.now().seconds + 3 * 86_400), title: "A", artist: "B")
    let error = await #expect(throws: LunaraError.self) { try await importListens(account, [listen]) }
    #expect(error?.code == "scrobble.badImport")
  }

  @Test func aListenWithoutANameIsRefusedAsAWhole() async throws {
    let account = try await TestAccount()
    let good = Scrobble.ImportedListen(startedAt: Timestamp(seconds: 1_600_000_000), title: "A", artist: "B")
    let bad = Scrobble.ImportedListen(startedAt: Timestamp(seconds: 1_600_000_000), title: "", artist: "B")
    let error = await #expect(throws: LunaraError.self) { try await importListens(account, [good, bad]) }
    #expect(error?.code == "scrobble.badImport")
    #expect(try await account.database.read { try ListenStore.outboxState(in: $0) }.counted == 0)
  }
}
