import Bus
import Glibc
import Messages
import Model
import ServiceKit
import Storage
import System
import TestSupport
import Testing

@testable import lunara

/// `lunara backup` and `lunara restore`.
@Suite struct BackupCommandTests {
  private let fixture = BackupFixture()

  @Test func whatWasBackedUpIsRestoredElsewhereAndGoesOnAsAnotherJournal() async throws {
    let identity = try await fixture.fill("library", ["one", "two"])
    try await fixture.fill("playback-den", ["queue"])
    let (status, printed) = await fixture.run("backup", fixture.file, "--json")
    #expect(status == .done && printed.output.contains(#""name":"home/library.sqlite""#), "\(printed.errors)")
    #expect(fixture.mode(fixture.file) == 0o600)
    #expect(fixture.names(in: fixture.home).filter { $0.hasPrefix(".backup") || $0.hasSuffix(".lock") }.isEmpty)

    let other = "\(fixture.folder.path)/other"
    let (restored, words) = await fixture.run("restore", fixture.file, "--home", other)
    #expect(restored == .done && !words.output.contains("What was there before"), "\(words.errors)")
    #expect(try await fixture.words("library", in: other) == ["one", "two"])
    #expect(try await fixture.words("playback-den", in: other) == ["queue"])
    let database = try fixture.open("library", in: other)
    let journal = try await Journal(database)
    #expect(journal.identity != identity)
    await database.close()
    #expect(fixture.mode("\(other)/library.sqlite") == 0o600)
  }

  @Test func aDatabaseIsTakenWholeWhileItsServiceWrites() async throws {
    let database = try fixture.open("scrobble")
    let writing = Task {
      for number in 1...300 {
        try await database.write {
          _ = try $0.execute("INSERT INTO word (text) VALUES (?)", "a\(number)")
          _ = try $0.execute("INSERT INTO word (text) VALUES (?)", "b\(number)")
        }
      }
    }
    let (status, printed) = await fixture.run("backup", fixture.file)
    #expect(status == .done, "\(printed.errors)")
    try await writing.value
    await database.close()
    #expect(await fixture.run("restore", fixture.file, "--home", "\(fixture.folder.path)/other").0 == .done)
    let words = try await fixture.words("scrobble", in: "\(fixture.folder.path)/other")
    #expect(words.count.isMultiple(of: 2) && words == (0..<words.count / 2).flatMap { ["a\($0 + 1)", "b\($0 + 1)"] })
  }

  @Test func secretsAreLeftOutUnlessAskedFor() async throws {
    try await fixture.fill("library", ["x"])
    try fixture.writeSecrets()
    #expect(await fixture.run("backup", fixture.file).0 == .done)
    let plain = try fixture.unpacked(fixture.file)
    #expect(!plain.contains { $0.contains("hush") })
    #expect(plain.contains { $0.contains("LUNARA_ROOM=den") && $0.contains("LUNARA_PLEX_TOKEN is secret") })
    let (status, printed) = await fixture.run("backup", "\(fixture.file)2", "--with-secrets", "--json")
    #expect(status == .done && printed.output.contains(#""secrets":true"#))
    #expect(try fixture.unpacked("\(fixture.file)2").filter { $0.contains("hush") }.count == 3)
  }

  @Test func secretSettingsThatAreThereStayAndThoseThatAreNotAreNamed() async throws {
    try await fixture.fill("library", ["x"])
    try fixture.writeSecrets()
    #expect(await fixture.run("backup", fixture.file).0 == .done)
    try fixture.write("LUNARA_PLEX_TOKEN=hush2\nLUNARA_ROOM=attic\n", to: fixture.settings)
    let (status, printed) = await fixture.run("restore", fixture.file, "--json")
    #expect(status == .done && printed.output.contains(#""missing":["LUNARA_SUBSONIC_URL"]"#), "\(printed.output)")
    let text = try fixture.text(of: fixture.settings)
    #expect(text.contains("LUNARA_PLEX_TOKEN=hush2") && text.contains("LUNARA_ROOM=den"))
    // A backup without secrets leaves the credentials of this machine alone.
    #expect(try fixture.text(of: "\(fixture.home)/credentials/plex.json").contains("hush"))
    let aside = try #require(fixture.names(in: fixture.home).first { $0.hasPrefix("before-restore-") })
    #expect(try fixture.text(of: "\(fixture.home)/\(aside)/lunara.env").contains("attic"))
  }

  @Test func pluginsAreAPartOfEveryBackup() async throws {
    try await fixture.fill("library", ["x"])
    let folder = "\(fixture.home)/plugins"
    try Files.makeFolder(folder)
    try fixture.write("{\"one\": 1}", to: "\(folder)/own.axe")
    #expect(await fixture.run("backup", fixture.file).0 == .done)
    try fixture.write("{\"two\": 2}", to: "\(folder)/own.axe")
    let (status, printed) = await fixture.run("restore", "--yes", fixture.file)
    #expect(status == .done, "\(printed.errors)")
    #expect(try fixture.text(of: "\(folder)/own.axe") == "{\"one\": 1}")
    let aside = try #require(fixture.names(in: fixture.home).first { $0.hasPrefix("before-restore-") })
    #expect(try fixture.text(of: "\(fixture.home)/\(aside)/plugins/own.axe").contains("two"))
  }

  @Test func aServiceThatFewUseRunsOnceMoreAfterARestore() async throws {
    try await fixture.fill("discovery", ["x"])
    #expect(await fixture.run("backup", fixture.file).0 == .done)
    let other = "\(fixture.folder.path)/other"
    let (status, printed) = await fixture.run("restore", fixture.file, "--home", other)
    #expect(status == .done, "\(printed.errors)")
    #expect(Files.exists("\(other)/discovery") && !Files.exists("\(other)/plugins"))
  }

  @Test func withSecretsAnotherMachineHasAllItNeeds() async throws {
    try await fixture.fill("library", ["x"])
    try fixture.writeSecrets()
    #expect(await fixture.run("backup", fixture.file, "--with-secrets").0 == .done)
    let config = "\(fixture.folder.path)/config2"
    let (status, printed) = await fixture.run(
      "restore", "--yes", fixture.file, "--home", "\(fixture.folder.path)/other",
      environment: ["XDG_CONFIG_HOME": config])
    #expect(status == .done, "\(printed.errors)")
    #expect(try fixture.text(of: "\(fixture.folder.path)/other/credentials/plex.json").contains("hush"))
    #expect(try fixture.text(of: "\(config)/lunara/lunara.env").contains("LUNARA_PLEX_TOKEN=hush"))
    #expect(fixture.mode("\(config)/lunara/lunara.env") == 0o600)
    #expect(try fixture.text(of: "\(config)/lunara/household.key").contains("hush"))
  }

  @Test func aRestoreIntoAnotherHomeFolderLeavesTheSettingsInUseAlone() async throws {
    try await fixture.fill("library", ["x"])
    try fixture.writeSecrets()
    #expect(await fixture.run("backup", fixture.file, "--with-secrets").0 == .done)
    let key = "\(fixture.folder.path)/config/lunara/household.key"
    try fixture.write("LUNARA_ROOM=attic\n", to: fixture.settings)
    try fixture.write("mine\n", to: key)
    let other = "\(fixture.folder.path)/other"
    let (status, printed) = await fixture.run("restore", "--yes", fixture.file, "--home", other)
    #expect(status == .done && printed.errors.contains("LUNARA_CONFIG=\(other)/lunara.env"), "\(printed.errors)")
    #expect(try fixture.text(of: fixture.settings) == "LUNARA_ROOM=attic\n")
    #expect(try fixture.text(of: key) == "mine\n")
    #expect(try fixture.text(of: "\(other)/lunara.env").contains("LUNARA_ROOM=den"))
    #expect(try fixture.text(of: "\(other)/household.key").contains("hush"))
    // Named as a variable, that folder is the one of these settings, so they are restored as well.
    let again = await fixture.run("restore", "--yes", fixture.file, environment: ["LUNARA_HOME": other])
    #expect(again.0 == .done)
    #expect(try fixture.text(of: fixture.settings).contains("LUNARA_ROOM=den"))
  }

  @Test func aRestoredHomeFolderNamesTheHostWhoseDataItHas() async throws {
    try await fixture.fill("library", ["x"])
    try fixture.write("lost-host", to: "\(fixture.home)/host-id")
    #expect(await fixture.run("backup", fixture.file).0 == .done)
    let other = "\(fixture.folder.path)/other"
    for _ in 0..<2 { #expect(await fixture.run("restore", fixture.file, "--home", other).0 == .done) }
    let folder = try HomeFolder(other)
    #expect(try folder.formerHostIDs() == ["lost-host"])
    #expect(try folder.hostID() != "lost-host")
    // The same host needs no note.
    #expect(await fixture.run("restore", fixture.file).0 == .done)
    #expect(try HomeFolder(fixture.home).formerHostIDs() == [])
  }

  @Test func existingFilesAreMovedAside() async throws {
    try await fixture.fill("library", ["old"])
    #expect(await fixture.run("backup", fixture.file).0 == .done)
    try await fixture.fill("library", ["new"])
    try await fixture.fill("playback-attic", ["mine"])
    let (status, printed) = await fixture.run("restore", fixture.file)
    #expect(status == .done)
    #expect(try await fixture.words("library") == ["old"])
    let aside = try #require(fixture.names(in: fixture.home).first { $0.hasPrefix("before-restore-") })
    #expect(printed.output.contains(aside))
    #expect(try await fixture.words("library", in: "\(fixture.home)/\(aside)") == ["old", "new"])
    // Files that the backup does not hold stay.
    #expect(try await fixture.words("playback-attic") == ["mine"])
  }

  @Test func aBackupOverwritesNoFileAndNeedsData() async throws {
    #expect(await fixture.run("backup", fixture.file, "--json").1.errors.contains("backup.nothingThere"))
    try await fixture.fill("library", ["x"])
    try fixture.write("mine", to: fixture.file)
    let (status, printed) = await fixture.run("backup", fixture.file, "--json")
    #expect(status == .failed && printed.errors.contains("backup.fileThere"))
    #expect(try fixture.text(of: fixture.file) == "mine")
    #expect(
      await fixture.run("backup", "\(fixture.folder.path)/none/x", "--json").1.errors.contains("backup.cannotWrite"))
    #expect(fixture.names(in: fixture.home).filter { $0.hasPrefix(".backup") }.isEmpty)
  }
}
