import Model
import Testing

@testable import Storage

@Suite struct SnapshotTests {
  @Test func aReadSeesOneMomentWhileOthersAreCommitted() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    try await database.add("before")
    enum Stage { case starting, hasRead, mayGoOn }
    let stage = Monitor(Stage.starting)
    async let views = database.read { transaction in
      let first = try transaction.words()
      stage.change { $0 = .hasRead }
      _ = stage.wait { $0 == .mayGoOn ? true : nil }
      return [first, try transaction.words()]
    }
    #expect(try await eventually { stage.change { $0 == .hasRead } })
    try await database.add("after")
    #expect(try await database.words() == ["before", "after"])
    stage.change { $0 = .mayGoOn }
    #expect(try await views == [["before"], ["before"]])
    await database.close()
  }

  @Test func twoReadsRunBesideEachOther() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    let met = Monitor(0)
    // Each waits for the other, so this ends only if both run at once.
    let both: @Sendable (ReadTransaction) throws -> Bool = { _ in
      met.change { $0 += 1 }
      return met.wait(atMost: Milliseconds(60_000)) { $0 == 2 ? true : nil } ?? false
    }
    async let first = database.read(both)
    async let second = database.read(both)
    #expect(try await [first, second] == [true, true])
    await database.close()
  }

  @Test func aReadStartedAfterAWriteReturnedSeesIt() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    for number in 1...200 {
      try await database.add("x")
      #expect(try await database.words().count == number)
    }
    await database.close()
  }
}
