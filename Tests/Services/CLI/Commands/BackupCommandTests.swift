import Bus
import Glibc
import Messages
import Model
import ServiceKit
import Storage
import TestSupport
import Testing

@testable import lunara

/// `lunara backup` and `lunara restore`.
@Suite struct BackupCommandTests {
  private let stage = BackupStage()

  @Test func whatWasBackedUpIsRestoredElsewhereAndGoesOnAsAnotherJournal() async throws {
    let identity = try await stage.fill("library", ["one", "two"])
    try await stage.fill("playback-den", ["queue"])
    let (status, printed) = await stage.run("backup", stage.file, "--json")
    #expect(status == .done && printed.output.contains(#""name":"home/library.sqlite""#), "\(printed.errors)")
    #expect(stage.mode(stage.file) == 0o600)
    #expect(stage.names(in: stage.home).filter { $0.hasPrefix(".backup") || $0.hasSuffix(".lock") }.isEmpty)

    let other = "\(stage.folder.path)/other"
    let (restored, words) = await stage.run("restore", stage.file, "--home", other)
    #expect(restored == .done && !words.output.contains("What was there before"), "\(words.errors)")
    #expect(try await stage.words("library", in: other) == ["one", "two"])
    #expect(try await stage.words("playback-den", in: other) == ["queue"])
    let database = try stage.open("library", in: other)
    let journal = try await Journal(database)
    #expect(journal.identity != identity)
    await database.close()
    #expect(stage.mode("\(other)/library.sqlite") == 0o600)
  }

  @Test func aDatabaseIsTakenWholeWhileItsServiceWrites() async throws {
    let database = try stage.open("scrobble")
    let writing = Task {
      for number in 1...300 {
        try await database.write {
          _ = try $0.execute("INSERT INTO word (text) VALUES (?)", "a\(number)")
          _ = try $0.execute("INSERT INTO word (text) VALUES (?)", "b\(number)")
        }
      }
    }
    let (status, printed) = await stage.run("backup", stage.file)
    #expect(status == .done, "\(printed.errors)")
    try await writing.value
    await database.close()
    #expect(await stage.run("restore", stage.file, "--home", "\(stage.folder.path)/other").0 == .done)
    let words = try await stage.words("scrobble", in: "\(stage.folder.path)/other")
    #expect(words.count.isMultiple(of: 2) && words == (0..<words.count / 2).flatMap { ["a\($0 + 1)", "b\($0 + 1)"] })
  }

  @Test func secretsAreLeftOutUnlessAskedFor() async throws {
    try await stage.fill("library", ["x"])
    try stage.writeSecrets()
    #expect(await stage.run("backup", stage.file).0 == .done)
    let plain = try stage.unpacked(stage.file)
    #expect(!plain.contains { $0.contains("hush") })
    #expect(plain.contains { $0.contains("LUNARA_ROOM=den") && $0.contains("LUNARA_PLEX_TOKEN is secret") })
    let (status, printed) = await stage.run("backup", "\(stage.file)2", "--with-secrets", "--json")
    #expect(status == .done && printed.output.contains(#""secrets":true"#))
    #expect(try stage.unpacked("\(stage.file)2").filter { $0.contains("hush") }.count == 3)
  }

  @Test func secretSettingsThatAreThereStayAndThoseThatAreNotAreNamed() async throws {
    try await stage.fill("library", ["x"])
    try stage.writeSecrets()
    #expect(await stage.run("backup", stage.file).0 == .done)
    try stage.write("LUNARA_PLEX_TOKEN=hush2\nLUNARA_ROOM=attic\n", to: stage.settings)
    let (status, printed) = await stage.run("restore", stage.file, "--json")
    #expect(status == .done && printed.output.contains(#""missing":["LUNARA_SUBSONIC_URL"]"#), "\(printed.output)")
    let text = try stage.text(of: stage.settings)
    #expect(text.contains("LUNARA_PLEX_TOKEN=hush2") && text.contains("LUNARA_ROOM=den"))
    // The sign-ins of this machine are none of a backup without secrets.
    #expect(try stage.text(of: "\(stage.home)/credentials/plex.json").contains("hush"))
    let aside = try #require(stage.names(in: stage.home).first { $0.hasPrefix("before-restore-") })
    #expect(try stage.text(of: "\(stage.home)/\(aside)/lunara.env").contains("attic"))
  }

  @Test func withSecretsAnotherMachineHasAllItNeeds() async throws {
    try await stage.fill("library", ["x"])
    try stage.writeSecrets()
    #expect(await stage.run("backup", stage.file, "--with-secrets").0 == .done)
    let config = "\(stage.folder.path)/config2"
    let (status, printed) = await stage.run(
      "restore", stage.file, "--home", "\(stage.folder.path)/other", environment: ["XDG_CONFIG_HOME": config])
    #expect(status == .done, "\(printed.errors)")
    #expect(try stage.text(of: "\(stage.folder.path)/other/credentials/plex.json").contains("hush"))
    #expect(try stage.text(of: "\(config)/lunara/lunara.env").contains("LUNARA_PLEX_TOKEN=hush"))
    #expect(stage.mode("\(config)/lunara/lunara.env") == 0o600)
    #expect(try stage.text(of: "\(config)/lunara/household.key").contains("hush"))
  }

  @Test func whatIsThereIsSetAsideAndNotLost() async throws {
    try await stage.fill("library", ["old"])
    #expect(await stage.run("backup", stage.file).0 == .done)
    try await stage.fill("library", ["new"])
    try await stage.fill("playback-attic", ["mine"])
    let (status, printed) = await stage.run("restore", stage.file)
    #expect(status == .done)
    #expect(try await stage.words("library") == ["old"])
    let aside = try #require(stage.names(in: stage.home).first { $0.hasPrefix("before-restore-") })
    #expect(printed.output.contains(aside))
    #expect(try await stage.words("library", in: "\(stage.home)/\(aside)") == ["old", "new"])
    // What the backup says nothing of stays.
    #expect(try await stage.words("playback-attic") == ["mine"])
  }

  @Test func aFileIsNeverOverwrittenAndWithoutDataThereIsNone() async throws {
    #expect(await stage.run("backup", stage.file, "--json").1.errors.contains("backup.nothingThere"))
    try await stage.fill("library", ["x"])
    try stage.write("mine", to: stage.file)
    let (status, printed) = await stage.run("backup", stage.file, "--json")
    #expect(status == .failed && printed.errors.contains("backup.fileThere"))
    #expect(try stage.text(of: stage.file) == "mine")
    #expect(await stage.run("backup", "\(stage.folder.path)/none/x", "--json").1.errors.contains("backup.cannotWrite"))
    #expect(stage.names(in: stage.home).filter { $0.hasPrefix(".backup") }.isEmpty)
  }
}
