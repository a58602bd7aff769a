import System
import Bus
import Messages
import Model
import ServiceKit
import Storage
import TestSupport
import Testing

@testable import lunara

/// `lunara restore` refuses a backup that it cannot restore, and then changes nothing.
@Suite struct RestoreRefusalTests {
  private let fixture = BackupFixture()

  /// A backup of one word, and a home folder whose database holds another.
  private func prepared() async throws {
    try await fixture.fill("library", ["old"])
    #expect(await fixture.run("backup", fixture.file).0 == .done)
    try await fixture.fill("library", ["new"])
  }

  private func isUntouched() async throws -> Bool {
    let names = fixture.names(in: fixture.home)
    return try await fixture.words("library") == ["old", "new"]
      && !names.contains { $0.hasPrefix("before-restore") || $0.hasPrefix(".restore") || $0 == HomeFolder.restoring }
  }

  private func code(_ words: String...) async -> String {
    let (status, printed) = await fixture.run(words + ["--json"])
    return status == .failed ? printed.errors : "done"
  }

  @Test func whileTheHouseholdRuns() async throws {
    try await prepared()
    let lock = try NodeLock(at: "\(fixture.home)/up.lock") { _ in LunaraError("test", "") }
    #expect(await code("restore", fixture.file).contains("backup.householdRuns"))
    lock.release(forgetting: true)
    #expect(try await isUntouched())
  }

  @Test func whatIsNoBackupOrIsCutShort() async throws {
    try await prepared()
    let bytes = try fixture.bytes(of: fixture.file)
    let other = "\(fixture.file).other"
    #expect(await code("restore", "\(fixture.folder.path)/none").contains("backup.notABackup"))
    try fixture.write("just some words, and some more of them", to: other)
    #expect(await code("restore", other).contains("backup.notABackup"))
    for length in [0, 1, bytes.count / 2, bytes.count - 1] {
      try fixture.write(Array(bytes.prefix(length)), to: other)
      let answer = await code("restore", other)
      #expect(answer.contains("backup."), "\(length): \(answer)")
    }
    #expect(try await isUntouched())
  }

  @Test func whatIsNotWhatTheManifestSays() async throws {
    try await prepared()
    typealias Change = @Sendable (inout BackupManifest) -> Void
    let damages: [Change] = [
      { $0.files[0].sha256 = String(repeating: "0", count: 64) }, { $0.files[0].size += 1 },
      { $0.files[0].name = "home/../../library.sqlite" }, { $0.files[0].name = "home/other.sqlite" },
      { $0.files.append($0.files[0]) }, { $0.files[0].migrations = nil },
    ]
    for change in damages {
      let answer = await code("restore", try fixture.changed(change))
      #expect(answer.contains("backup.damaged"), "\(answer)")
    }
    #expect(await code("restore", try fixture.changed { $0.format = 2 }).contains("backup.newer"))
    #expect(try await isUntouched())
  }

  @Test(
    arguments: ["library", "scrobble", "playback-kitchen"],
    [
      "CREATE TRIGGER extra AFTER INSERT ON word BEGIN DELETE FROM word; END",
      "CREATE VIEW extra AS SELECT * FROM word",
    ])
  func aDatabaseWithATriggerOrAView(name: String, statement: String) async throws {
    try await prepared()
    let forged = "\(fixture.folder.path)/forged"
    let database = try fixture.open(name, in: forged)
    _ = try await Journal(database)
    try await database.write { _ = try $0.execute(statement) }
    await database.close()
    let made = await fixture.run("backup", fixture.file + "2", environment: ["LUNARA_HOME": forged])
    #expect(made.0 == .done, "\(made.1.errors)")
    let answer = await code("restore", "--yes", fixture.file + "2")
    #expect(answer.contains("backup.damaged") && answer.contains("\(name).sqlite"), "\(answer)")
    #expect(answer.contains("trigger extra") || answer.contains("view extra"), "\(answer)")
    #expect(try await isUntouched())
  }

  @Test func whatANewerVersionWrote() async throws {
    try await fixture.fill("library", ["old"], and: [Migration("library-of-tomorrow", "CREATE TABLE more (a)")])
    #expect(await fixture.run("backup", fixture.file).0 == .done)
    let answer = await code("restore", fixture.file, "--home", "\(fixture.folder.path)/other")
    #expect(answer.contains("backup.newer") && answer.contains("library-of-tomorrow"))
    #expect(fixture.names(in: "\(fixture.folder.path)/other").allSatisfy { !$0.hasSuffix(".sqlite") })
  }

  @Test func aRestoreThatWasCutOffIsDoneAgainAndNoServiceStartsMeanwhile() async throws {
    try await prepared()
    try fixture.write("before-restore-x", to: "\(fixture.home)/\(HomeFolder.restoring)")
    let refusal = #expect(throws: LunaraError.self) { try HomeFolder(fixture.home) }
    #expect(refusal?.code == "settings.restoreUnfinished" && refusal?.cause?.contains("before-restore-x") == true)
    #expect(await fixture.run("restore", fixture.file).0 == .done)
    _ = try HomeFolder(fixture.home)
    #expect(try await fixture.words("library") == ["old"])
  }

  @Test func aDamagedDatabaseIsNotBackedUpInSilence() async throws {
    try await fixture.fill("library", (0..<300).map { "\($0) " + String(repeating: "x", count: 200) })
    var bytes = try fixture.bytes(of: "\(fixture.home)/library.sqlite")
    for offset in bytes.count - 8192..<bytes.count { bytes[offset] = 0xff }
    try fixture.write(bytes, to: "\(fixture.home)/library.sqlite")
    #expect(await code("backup", fixture.file).contains("backup.sourceDamaged"))
    #expect(!Files.exists(fixture.file))
  }
}
