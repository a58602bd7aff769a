import System
import Bus
import Messages
import Model
import ServiceKit
import Storage
import TestSupport
import Testing

@testable import lunara

/// When `lunara restore` does nothing, and that it then changes nothing.
@Suite struct RestoreRefusalTests {
  private let stage = BackupStage()

  /// A backup of one word, and a home folder with another.
  private func prepared() async throws {
    try await stage.fill("library", ["old"])
    #expect(await stage.run("backup", stage.file).0 == .done)
    try await stage.fill("library", ["new"])
  }

  private func isUntouched() async throws -> Bool {
    let names = stage.names(in: stage.home)
    return try await stage.words("library") == ["old", "new"]
      && !names.contains { $0.hasPrefix("before-restore") || $0.hasPrefix(".restore") || $0 == HomeFolder.restoring }
  }

  private func code(_ words: String...) async -> String {
    let (status, printed) = await stage.run(words + ["--json"])
    return status == .failed ? printed.errors : "done"
  }

  @Test func whileTheHouseholdRuns() async throws {
    try await prepared()
    let lock = try NodeLock(at: "\(stage.home)/up.lock") { _ in LunaraError("test", "") }
    #expect(await code("restore", stage.file).contains("backup.householdRuns"))
    lock.release(forgetting: true)
    #expect(try await isUntouched())
  }

  @Test func whatIsNoBackupOrIsCutShort() async throws {
    try await prepared()
    let bytes = try stage.bytes(of: stage.file)
    let other = "\(stage.file).other"
    #expect(await code("restore", "\(stage.folder.path)/none").contains("backup.notABackup"))
    try stage.write("just some words, and some more of them", to: other)
    #expect(await code("restore", other).contains("backup.notABackup"))
    for length in [0, 1, bytes.count / 2, bytes.count - 1] {
      try stage.write(Array(bytes.prefix(length)), to: other)
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
      let answer = await code("restore", try stage.changed(change))
      #expect(answer.contains("backup.damaged"), "\(answer)")
    }
    #expect(await code("restore", try stage.changed { $0.format = 2 }).contains("backup.newer"))
    #expect(try await isUntouched())
  }

  @Test func whatANewerVersionWrote() async throws {
    try await stage.fill("library", ["old"], and: [Migration("library-of-tomorrow", "CREATE TABLE more (a)")])
    #expect(await stage.run("backup", stage.file).0 == .done)
    let answer = await code("restore", stage.file, "--home", "\(stage.folder.path)/other")
    #expect(answer.contains("backup.newer") && answer.contains("library-of-tomorrow"))
    #expect(stage.names(in: "\(stage.folder.path)/other").allSatisfy { !$0.hasSuffix(".sqlite") })
  }

  @Test func aRestoreThatWasCutOffIsDoneAgainAndNoServiceStartsMeanwhile() async throws {
    try await prepared()
    try stage.write("before-restore-x", to: "\(stage.home)/\(HomeFolder.restoring)")
    let refusal = #expect(throws: LunaraError.self) { try HomeFolder(stage.home) }
    #expect(refusal?.code == "settings.restoreUnfinished" && refusal?.cause?.contains("before-restore-x") == true)
    #expect(await stage.run("restore", stage.file).0 == .done)
    _ = try HomeFolder(stage.home)
    #expect(try await stage.words("library") == ["old"])
  }

  @Test func aDamagedDatabaseIsNotBackedUpInSilence() async throws {
    try await stage.fill("library", (0..<300).map { "\($0) " + String(repeating: "x", count: 200) })
    var bytes = try stage.bytes(of: "\(stage.home)/library.sqlite")
    for offset in bytes.count - 8192..<bytes.count { bytes[offset] = 0xff }
    try stage.write(bytes, to: "\(stage.home)/library.sqlite")
    #expect(await code("backup", stage.file).contains("backup.sourceDamaged"))
    #expect(!BackupFiles.isThere(stage.file))
  }
}
