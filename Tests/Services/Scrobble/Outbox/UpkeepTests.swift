import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import lunara_scrobble

struct UpkeepTests {
  private func parked(_ desk: Desk, _ listens: Range<Int>) async throws {
    try await desk.heard(listens)
    try await desk.database.write { try $0.execute("UPDATE deliveries SET state = 'parked', proofs = 3") }
  }

  @Test func whatFailedIsTriedAgainOneByOneOrAll() async throws {
    let desk = try await Desk()
    try await parked(desk, 0..<3)
    #expect(try await desk.database.write { try Upkeep.retry(ListenID(rawValue: "l1"), $0) } == 1)
    #expect(try await desk.states() == ["parked": 2, "due": 1])
    #expect(try await desk.database.write { try Upkeep.retry(nil, $0) } == 2)
    #expect(try await desk.states() == ["due": 3])
  }

  @Test func whatIsDroppedStaysInTheHistory() async throws {
    let desk = try await Desk()
    try await desk.heard(5..<6)
    try await desk.database.write { try $0.execute("UPDATE deliveries SET state = 'sent'") }
    try await desk.heard(0..<3)
    #expect(try await desk.database.write { try Upkeep.drop(nil, $0) } == 0)
    #expect(try await desk.database.write { try Upkeep.drop(ListenID(rawValue: "l1"), $0) } == 1)
    #expect(try await desk.database.write { try Upkeep.drop(ListenID(rawValue: "l5"), $0) } == 0)
    #expect(try await desk.states() == ["sent": 1, "due": 2])
    #expect(try await desk.database.read { try History.tally(in: $0) }.counted == 4)
  }

  @Test func aListenThatNeverCountedIsUnknown() async throws {
    let desk = try await Desk()
    let error = await #expect(throws: LunaraError.self) {
      try await desk.database.write { try Upkeep.retry(ListenID(rawValue: "x"), $0) }
    }
    #expect(error?.code == "scrobble.unknownListen")
  }

  private func take(_ desk: Desk, _ listens: [Scrobble.ImportedListen], sends: Bool = false) async throws
    -> Scrobble.Imported
  {
    try await desk.database.write {
      try ListenImport.take(Scrobble.ImportListens(listens: listens, sends: sends), at: .now(), $0)
    }
  }

  @Test func whatIsImportedTwiceIsThereOnceAndGoesNowhere() async throws {
    let desk = try await Desk()
    let listen = Scrobble.ImportedListen(startedAt: Timestamp(seconds: 1_600_000_000), title: "A", artist: "B")
    #expect(try await take(desk, [listen]) == Scrobble.Imported(added: 1, known: 0))
    #expect(try await take(desk, [listen]) == Scrobble.Imported(added: 0, known: 1))
    #expect(try await desk.states().isEmpty)
    let entry = try await desk.database.read { try ScrobbleList.page(Scrobble.ListScrobbles(), in: $0) }.items.first
    #expect(entry?.withheld == "imported" && entry?.track.title == "A")
  }

  @Test func whatIsImportedToBeSentIsDue() async throws {
    let desk = try await Desk()
    let listen = Scrobble.ImportedListen(startedAt: Timestamp(seconds: 1_600_000_000), title: "A", artist: "B")
    #expect(try await take(desk, [listen], sends: true).added == 1)
    #expect(try await desk.states() == ["due": 1])
  }

  @Test func anExportOfOnesOwnIsKnown() async throws {
    let desk = try await Desk()
    try await desk.heard(0..<1)
    let own = Scrobble.ImportedListen(
      listen: ListenID(rawValue: "l0"), startedAt: Timestamp(seconds: 1), title: "A", artist: "B")
    #expect(try await take(desk, [own]) == Scrobble.Imported(added: 0, known: 1))
  }

  @Test func whatComesBackFromAServiceIsKnownByItsTimeAndNames() async throws {
    let desk = try await Desk()
    try await desk.heard(0..<1)
    let back = Scrobble.ImportedListen(
      startedAt: Timestamp(seconds: 1_700_000_000), title: "TRACK 0", artist: "Ada", album: "Another")
    #expect(try await take(desk, [back]) == Scrobble.Imported(added: 0, known: 1))
    var other = back
    other.title = "Track 1"
    var later = back
    later.startedAt = Timestamp(seconds: 1_700_000_001)
    #expect(try await take(desk, [other, later]) == Scrobble.Imported(added: 2, known: 0))
  }

  @Test func whatWasNotHeardYetIsRefused() async throws {
    let desk = try await Desk()
    let listen = Scrobble.ImportedListen(
      startedAt: Timestamp(seconds: Timestamp.now().seconds + 3 * 86_400), title: "A", artist: "B")
    let error = await #expect(throws: LunaraError.self) { try await take(desk, [listen]) }
    #expect(error?.code == "scrobble.badImport")
  }

  @Test func aListenWithoutANameIsRefusedAsAWhole() async throws {
    let desk = try await Desk()
    let good = Scrobble.ImportedListen(startedAt: Timestamp(seconds: 1_600_000_000), title: "A", artist: "B")
    let bad = Scrobble.ImportedListen(startedAt: Timestamp(seconds: 1_600_000_000), title: "", artist: "B")
    let error = await #expect(throws: LunaraError.self) { try await take(desk, [good, bad]) }
    #expect(error?.code == "scrobble.badImport")
    #expect(try await desk.database.read { try History.tally(in: $0) }.counted == 0)
  }
}
