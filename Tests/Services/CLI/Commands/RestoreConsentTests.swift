import Messages
import Model
import Storage
import System
import TestSupport
import Testing

@testable import lunara

/// A restore asks before it opens this machine to others, and unpacks no more than a backup can hold.
@Suite struct RestoreConsentTests {
  private let fixture = BackupFixture()

  private func code(_ words: String...) async -> String {
    let (status, printed) = await fixture.run(words + ["--json"])
    return status == .failed ? printed.errors : "done"
  }

  @Test func settingsThatOpenSomethingAreLeftOutUnlessAgreedTo() async throws {
    try await fixture.fill("library", ["x"])
    let opening = """
      LUNARA_WEB=0.0.0.0:8787
      LUNARA_YT_DLP=/tmp/program
      LUNARA_HOME=/tmp/elsewhere
      LUNARA_LISTEN=tcp://*
      LUNARA_AUDIO=pcm:/root/.profile\n
      """
    try fixture.write("LUNARA_ROOM=den\nLUNARA_CACHE=9\n\(opening)", to: fixture.settings)
    #expect(await fixture.run("backup", fixture.file).0 == .done)
    try fixture.write("LUNARA_WEB=127.0.0.1:9000\n", to: fixture.settings)
    let (status, printed) = await fixture.run("restore", fixture.file, "--json")
    #expect(status == .done, "\(printed.errors)")
    let names = ["LUNARA_WEB", "LUNARA_YT_DLP", "LUNARA_HOME", "LUNARA_LISTEN", "LUNARA_AUDIO"]
    #expect(printed.output.contains(#""declined":\#(names)"#.filter { $0 != " " }), "\(printed.output)")
    let lines = try fixture.text(of: fixture.settings).split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(lines == ["LUNARA_ROOM=den", "LUNARA_CACHE=9", "LUNARA_WEB=127.0.0.1:9000"])

    #expect(await fixture.run("restore", "--yes", fixture.file).0 == .done)
    #expect(try fixture.text(of: fixture.settings).contains(opening))
    // Settings that this machine already has need no consent.
    let again = await fixture.run("restore", fixture.file, "--json")
    #expect(again.1.output.contains(#""declined":[]"#), "\(again.1.output)")
  }

  @Test func pluginsThatAreNotHereAreLeftOutUnlessAgreedTo() async throws {
    try await fixture.fill("library", ["x"])
    try fixture.write("{\"one\": 1}", to: "\(fixture.home)/plugins/own.axe")
    #expect(await fixture.run("backup", fixture.file).0 == .done)
    let same = await fixture.run("restore", fixture.file, "--json")
    #expect(same.1.output.contains(#""declined":[]"#))
    let other = "\(fixture.folder.path)/other"
    let (_, printed) = await fixture.run("restore", fixture.file, "--home", other, "--json")
    #expect(printed.output.contains(#""declined":["own.axe"]"#), "\(printed.output)")
    #expect(!Files.exists("\(other)/plugins/own.axe"))
    #expect(await fixture.run("restore", "--yes", fixture.file, "--home", other).0 == .done)
    #expect(try fixture.text(of: "\(other)/plugins/own.axe") == "{\"one\": 1}")
  }

  /// Stores a plugin's row of the resolver. `more` are members of the consent besides those that all have.
  private func grant(_ more: String, isEnabled: Bool = true, subjects: [String] = []) async throws {
    let plugins = Migration(
      "resolver-1", "CREATE TABLE plugins (id TEXT PRIMARY KEY, consent BLOB, is_enabled INTEGER NOT NULL) STRICT")
    let sharing = Migration(
      "resolver-sharing-2",
      "CREATE TABLE sharing (plugin TEXT NOT NULL, subject TEXT NOT NULL, since INTEGER NOT NULL) STRICT")
    try BackupFiles.make(fixture.home)
    let database = try Database(at: "\(fixture.home)/resolver.sqlite", migrations: [plugins, sharing])
    let consent = #"{"digest":"d1","version":"1.0.0",\#(more)}"#
    try await database.write { transaction in
      try transaction.execute(
        "INSERT OR REPLACE INTO plugins VALUES ('own', ?, ?)", Array(consent.utf8), isEnabled)
      try transaction.execute("DELETE FROM sharing")
      for subject in subjects { try transaction.execute("INSERT INTO sharing VALUES ('own', ?, 1)", subject) }
    }
    await database.close()
  }

  /// Returns the consent and the subjects of the plugin on this machine.
  private func granted() throws -> String {
    try DatabaseSnapshot(of: "\(fixture.home)/resolver.sqlite").read { reader in
      let consent: [UInt8]? = try reader.value("SELECT consent FROM plugins WHERE id = 'own'")
      let isEnabled: Bool = try reader.value("SELECT is_enabled FROM plugins") ?? false
      let subjects: [String] = try reader.values("SELECT subject FROM sharing ORDER BY subject")
      return "\(String(decoding: consent ?? [], as: UTF8.self)) \(isEnabled) \(subjects)"
    }
  }

  private static let narrow = #""hosts":["a.example"],"capabilities":[]"#

  @Test(
    arguments: [
      (#""hosts":["a.example","b.example"],"capabilities":[]"#, [], true),
      (#""hosts":["a.example"],"capabilities":["playbackTelemetry"]"#, [], true),
      (narrow + #","servers":[{"setting":"url","address":"http://192.168.1.5:80"}]"#, [], true),
      (narrow + #","agreed":["d0","d1"]"#, [], true), (narrow, ["history"], true), (narrow, [], false),
    ] as [(String, [String], Bool)])
  func furtherPermissionsOfAPluginThatIsHereAreLeftOutUnlessAgreedTo(
    consent: String, subjects: [String], isEnabledHere: Bool
  ) async throws {
    try await fixture.fill("library", ["x"])
    try fixture.write("{\"one\": 1}", to: "\(fixture.home)/plugins/own.axe")
    try await grant(consent, subjects: subjects)
    let wide = try granted()
    #expect(await fixture.run("backup", fixture.file).0 == .done)
    try await grant(Self.narrow, isEnabled: isEnabledHere)
    let narrow = try granted()
    let (status, printed) = await fixture.run("restore", fixture.file, "--json")
    #expect(status == .done, "\(printed.errors)")
    #expect(printed.output.contains(#""declined":["permissions of own"]"#), "\(printed.output)")
    #expect(try granted() == narrow && fixture.text(of: "\(fixture.home)/plugins/own.axe") == "{\"one\": 1}")
    #expect(try await fixture.words("library") == ["x"])

    #expect(await fixture.run("restore", "--yes", fixture.file).0 == .done)
    #expect(try granted() == wide)
    // The same permissions need no consent.
    let same = await fixture.run("restore", fixture.file, "--json")
    #expect(same.1.output.contains(#""declined":[]"#), "\(same.1.output)")
  }

  @Test func aPluginThatWasLeftOutKeepsNoPermissionsForALaterFile() async throws {
    try await fixture.fill("library", ["x"])
    try fixture.write("{\"one\": 1}", to: "\(fixture.home)/plugins/own.axe")
    try await grant(Self.narrow, subjects: ["plays"])
    #expect(await fixture.run("backup", fixture.file).0 == .done)
    try Files.removeTree(fixture.home)
    let (_, printed) = await fixture.run("restore", fixture.file, "--json")
    #expect(printed.output.contains(#""declined":["own.axe"]"#), "\(printed.output)")
    #expect(try granted() == " false []")
  }

  @Test func whatWouldFillTheDiskIsRefusedBeforeItIsUnpacked() async throws {
    try await fixture.fill("library", ["x"])
    #expect(await fixture.run("backup", fixture.file).0 == .done)
    let large = try fixture.changed { manifest in
      manifest.files.append(.init(name: "lunara.env", size: 6 << 30, sha256: "", migrations: nil))
    }
    #expect(await code("restore", large).contains("backup.tooLarge"))
    let many = try fixture.changed { manifest in
      manifest.files += (0..<5000).map { .init(name: "home/plugins/\($0).axe", size: 0, sha256: "", migrations: nil) }
    }
    #expect(await code("restore", many).contains("backup.tooLarge"))

    // Files that the list does not name, or with another size, are not unpacked.
    let folder = try fixture.unpack(fixture.file)
    try fixture.write([UInt8](repeating: 0, count: 15 << 20), to: "\(folder)/home/extra.sqlite")
    #expect(await code("restore", try fixture.packed(folder)) == "done")
    #expect(!Files.exists("\(fixture.home)/extra.sqlite"))
    for number in 0..<3 {
      try fixture.write([UInt8](repeating: 0, count: 15 << 20), to: "\(folder)/home/extra\(number).sqlite")
    }
    let answer = await code("restore", try fixture.packed(folder))
    #expect(answer.contains("backup.notABackup") && answer.contains("more than it lists"), "\(answer)")
    #expect(!fixture.names(in: fixture.home).contains { $0.hasPrefix(".restore") })
  }

  @Test func aDiskWithoutRoomIsNamedBeforeAnythingIsUnpacked() async throws {
    try await fixture.fill("library", ["x"])
    #expect(await fixture.run("backup", fixture.file).0 == .done)
    let folder = fixture.folder.path
    let reader = BackupReader(folder: folder, source: fixture.file, progress: { _ in })
    let unpacker = BackupUnpacker(
      reader: reader, environment: Environment(["PATH": "/usr/bin:/bin"]), free: { _ in 4096 })
    let error = #expect(throws: LunaraError.self) { try unpacker.unpack(into: folder) }
    #expect(error?.code == "backup.cannotWrite" && error?.cause?.contains("4.0 KiB are free") == true)
    #expect(!Files.exists("\(folder)/\(BackupManifest.folder)"))
  }
}
