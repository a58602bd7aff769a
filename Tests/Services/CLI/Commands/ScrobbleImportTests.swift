import FoundationEssentials
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara

/// Imports of files that are damaged in parts, or have listens that no one can have heard yet.
@Suite(.timeLimit(.minutes(1)))
struct ScrobbleImportTests {
  private let folder = TemporaryDirectory()

  private func line(_ title: String, at seconds: Int64 = 1_600_000_000) -> String {
    #"{"listened_at":\#(seconds),"track_metadata":{"artist_name":"Ada","track_name":"\#(title)"}}"# + "\n"
  }

  private func write(_ text: String, _ name: String) throws {
    try text.write(toFile: "\(folder.path)/\(name)", atomically: false, encoding: .utf8)
  }

  enum Damage: CaseIterable { case ofItsKind, ofItsBytes }

  @Test(arguments: Damage.allCases) func theOtherFilesOfADamagedArchiveAreImported(_ damage: Damage) async throws {
    let fixture = try CommandFixture()
    try await fixture.accounts()
    var bytes = Array(try #require(Data(base64Encoded: ListenReaderTests.archive)))
    // The first file is packed, and begins behind its header and name.
    switch damage {
    case .ofItsKind: bytes[try #require(bytes.firstRange(of: [0x50, 0x4B, 1, 2])).lowerBound + 10] = 9
    case .ofItsBytes: bytes[30 + "listens/2020/1.jsonl".utf8.count] = 0xFF
    }
    try Data(bytes).write(to: URL(filePath: "\(folder.path)/a.zip"))
    let (status, printed) = await fixture.run("scrobbles", "import", "\(folder.path)/a.zip")
    #expect(status == .failed && printed.errors.contains("damaged ZIP file"), "\(printed.errors)")
    #expect(printed.errors.contains("1 are new, 0 were known."))
    #expect(fixture.asked.withLock { $0 } == ["history U true"])
    await fixture.close()
  }

  @Test func everyDamagedFileIsNamed() async throws {
    let fixture = try CommandFixture()
    try await fixture.accounts()
    try write(String(line("One").dropLast(3)), "1.jsonl")
    try write(line("Two"), "2.jsonl")
    try write(line("Three") + line("Four").dropLast(3), "3.jsonl")
    let (status, printed) = await fixture.run("scrobbles", "import", folder.path)
    #expect(status == .failed)
    #expect(printed.errors.contains("1.jsonl breaks off in line 1"), "\(printed.errors)")
    #expect(printed.errors.contains("3.jsonl breaks off in line 2"))
    #expect(printed.errors.contains("2 are new, 0 were known."))
    #expect(fixture.asked.withLock { $0 } == ["history Two,Three true"])
    await fixture.close()
  }

  @Test func listensOfTheFutureAreLeftOutAndNamed() async throws {
    let fixture = try CommandFixture()
    try await fixture.accounts()
    let now = Timestamp.now().seconds
    // The times of an export may be those of another time zone.
    let soon = line("Soon", at: now + 12 * 3600)
    try write(line("One") + line("Late", at: now + 2 * 86_400) + soon + line("Later", at: 99_999_999_999), "1.jsonl")
    let (status, printed) = await fixture.run("scrobbles", "import", "\(folder.path)/1.jsonl")
    #expect(status == .done && printed.output == "2 are new, 0 were known.\n")
    #expect(printed.errors.contains("2 entries with a time in the future left out; the first is “Late” by Ada."))
    let (_, json) = await fixture.run("scrobbles", "import", "\(folder.path)/1.jsonl", "--json")
    #expect(json.output == "{\"added\":2,\"known\":0,\"leftOut\":2}\n")
    #expect(fixture.asked.withLock { $0 } == ["history One,Soon true", "history One,Soon true"])
    try write(line("Late", at: now + 2 * 86_400), "2.jsonl")
    #expect(await fixture.run("scrobbles", "import", "\(folder.path)/2.jsonl").1.output == "0 are new, 0 were known.\n")
    await fixture.close()
  }
}
