import Messages
import Model
import ServiceKit
import Storage
import System
import TestSupport
import Testing

@testable import lunara

/// A restore asks before a plugin gets permissions that it does not have here, whatever the tables of the backup are.
@Suite struct RestoredPermissionsTests {
  private let fixture = BackupFixture()
  private var database: String { "\(fixture.home)/resolver.sqlite" }

  static let narrow = #""hosts":["a.example"],"capabilities":[]"#

  @Test(
    arguments: [
      (#""hosts":["a.example","b.example"],"capabilities":[]"#, [], true),
      (#""hosts":["a.example"],"capabilities":["playbackTelemetry"]"#, [], true),
      (narrow + #","servers":[{"setting":"url","address":"http://192.168.1.5:80"}]"#, [], true),
      (narrow + #","agreed":["d0","d1"]"#, [], true), (narrow + #","addedHosts":["c.example"]"#, [], true),
      (narrow, ["history"], true), (narrow, [], false),
    ] as [(String, [String], Bool)])
  func furtherPermissionsOfAPluginThatIsHereAreLeftOutUnlessAgreedTo(
    consent: String, subjects: [String], isEnabledHere: Bool
  ) async throws {
    try await fixture.fill("library", ["x"])
    try fixture.write("{\"one\": 1}", to: "\(fixture.home)/plugins/own.axe")
    try await fixture.grant(consent, subjects: subjects)
    let wide = try fixture.granted()
    #expect(await fixture.run("backup", fixture.file).0 == .done)
    try await fixture.grant(Self.narrow, isEnabled: isEnabledHere)
    let narrow = try fixture.granted()
    let (status, printed) = await fixture.run("restore", fixture.file, "--json")
    #expect(status == .done, "\(printed.errors)")
    #expect(printed.output.contains(#""declined":["permissions of own"]"#), "\(printed.output)")
    #expect(try fixture.granted() == narrow && fixture.text(of: "\(fixture.home)/plugins/own.axe") == "{\"one\": 1}")
    #expect(try await fixture.words("library") == ["x"])

    #expect(await fixture.run("restore", "--yes", fixture.file).0 == .done)
    #expect(try fixture.granted() == wide)
    // The same permissions need no consent.
    let same = await fixture.run("restore", fixture.file, "--json")
    #expect(same.1.output.contains(#""declined":[]"#), "\(same.1.output)")
  }

  @Test func aPluginThatWasLeftOutKeepsNoPermissionsForALaterFile() async throws {
    try await fixture.fill("library", ["x"])
    try fixture.write("{\"one\": 1}", to: "\(fixture.home)/plugins/own.axe")
    try await fixture.grant(Self.narrow, subjects: ["plays"])
    #expect(await fixture.run("backup", fixture.file).0 == .done)
    try Files.removeTree(fixture.home)
    let (_, printed) = await fixture.run("restore", fixture.file, "--json")
    #expect(printed.output.contains(#""declined":["own.axe"]"#), "\(printed.output)")
    #expect(try fixture.granted() == BackupFixture.nothing)
  }

  @Test(
    arguments: [
      ("1.0.0", #""author":"B","origin":"https://a.example/list""#),
      ("1.0.0", #""author":"A","origin":"https://b.example/list""#),
      ("0.9.0", #""author":"A","origin":"https://a.example/list""#),
    ])
  func anotherMakerOfAPluginThatIsHereIsLeftOutUnlessAgreedTo(version: String, maker: String) async throws {
    try await fixture.grant("\(Self.narrow),\(maker)", version: version)
    let other = try fixture.granted()
    #expect(await fixture.run("backup", fixture.file).0 == .done)
    try await fixture.grant(#"\#(Self.narrow),"author":"A","origin":"https://a.example/list""#)
    let own = try fixture.granted()
    #expect(try await declined() == [Self.declined])
    #expect(try fixture.granted() == own)
    #expect(await fixture.run("restore", "--yes", fixture.file).0 == .done)
    #expect(try fixture.granted() == other)
  }

  @Test func anotherAddressOfUpdatesIsLeftOutUnlessAgreedTo() async throws {
    try await fixture.grant(Self.narrow, origin: "https://b.example/own.axe")
    #expect(await fixture.run("backup", fixture.file).0 == .done)
    try await fixture.grant(Self.narrow, origin: "https://a.example/own.axe")
    let own = try fixture.granted()
    #expect(own.contains("https://a.example/own.axe"))
    #expect(try await declined() == [Self.declined])
    #expect(try fixture.granted() == own)
    #expect(await fixture.run("restore", "--yes", fixture.file).0 == .done)
    #expect(try fixture.granted().contains("https://b.example/own.axe"))
  }

  // MARK: - Tables that the resolver did not create

  private static let others = "is_enabled INTEGER, place, last_error, failed_at, origin"

  @Test(
    arguments: [
      ["id TEXT, consent BLOB, \(others)"],
      ["id TEXT PRIMARY KEY, consent BLOB DEFAULT x'7b7d', \(others)"],
      ["id TEXT PRIMARY KEY, consent BLOB REFERENCES tracks (id) ON DELETE SET NULL, \(others)"],
      ["id TEXT PRIMARY KEY, consent BLOB AS (iif(place, x'7b7d', NULL)), \(others)"],
      ["id TEXT, consent BLOB, \(others)", "INSERT INTO plugins (id, is_enabled) VALUES ('own', 0), ('own', 1)"],
    ])
  func aTableThatCouldChangePermissionsLaterIsRefused(table: [String]) async throws {
    try await fixture.grant(Self.narrow)
    let own = try fixture.bytes(of: database)
    try await fixture.change("DROP TABLE plugins", "CREATE TABLE plugins (\(table[0]))")
    try await fixture.change(Array(table.dropFirst()))
    #expect(await fixture.run("backup", fixture.file).0 == .done)
    try fixture.write(own, to: database)
    let before = try fixture.granted()
    let (status, printed) = await fixture.run("restore", "--yes", fixture.file, "--json")
    #expect(status == .failed && printed.errors.contains("backup.damaged"), "\(printed.errors)")
    #expect(printed.errors.contains("table plugins"), "\(printed.errors)")
    #expect(try fixture.granted() == before)
  }

  @Test func aPluginWithTwoRowsIsRefused() async throws {
    try await fixture.grant(Self.narrow)
    // The key of the table tells these two spellings apart, and Swift does not.
    try await fixture.change("INSERT INTO plugins (id) VALUES (char(233)), (char(101, 769))")
    #expect(await fixture.run("backup", fixture.file).0 == .done)
    let (status, printed) = await fixture.run("restore", "--yes", fixture.file, "--json")
    #expect(status == .failed && printed.errors.contains("backup.damaged"), "\(printed.errors)")
    #expect(printed.errors.contains("twice"), "\(printed.errors)")
  }

  @Test func aTableInCapitalsIsReadAsTheResolverReadsIt() async throws {
    try await fixture.grant(Self.narrow)
    let own = try fixture.bytes(of: database)
    try await fixture.change(
      "DROP TABLE sharing",
      "CREATE TABLE SHARING (plugin TEXT NOT NULL, subject TEXT NOT NULL, since INTEGER, PRIMARY KEY (plugin, subject))",
      "INSERT INTO SHARING VALUES ('own', 'plays', 1)")
    #expect(await fixture.run("backup", fixture.file).0 == .done)
    try fixture.write(own, to: database)
    let before = try fixture.granted()
    #expect(try await declined() == [Self.declined])
    #expect(try fixture.granted() == before)
  }

  @Test func aTriggerDoesNotGiveBackWhatAPersonDeclined() async throws {
    let present = PluginGrants(presentIn: "\(fixture.folder.path)/none")
    try await fixture.grant(Self.narrow, subjects: ["plays"])
    try await fixture.change(
      "CREATE TRIGGER again AFTER UPDATE ON plugins BEGIN UPDATE plugins SET consent = old.consent, is_enabled = 1; END"
    )
    try await present.replace(["own"], in: database) { LunaraError("test", $0) }
    #expect(try fixture.granted() == BackupFixture.nothing)
  }

  // MARK: - Consents that cannot be decoded

  @Test func aConsentHereThatCannotBeDecodedCountsAsNone() async throws {
    try await fixture.grant(Self.narrow)
    #expect(await fixture.run("backup", fixture.file).0 == .done)
    try await fixture.change("UPDATE plugins SET consent = x'00'")
    #expect(try await declined() == [Self.declined])
    #expect(try fixture.granted().hasPrefix(" true"))
  }

  @Test func aConsentInABackupThatCannotBeDecodedIsRefused() async throws {
    try await fixture.grant(Self.narrow)
    try await fixture.change("UPDATE plugins SET consent = x'00'")
    #expect(await fixture.run("backup", fixture.file).0 == .done)
    let (status, printed) = await fixture.run("restore", "--yes", fixture.file, "--json")
    #expect(status == .failed && printed.errors.contains("backup.damaged"), "\(printed.errors)")
    #expect(printed.errors.contains("plugin own"), "\(printed.errors)")
  }

  // MARK: - Interrupted restores

  private var aside: String { "\(fixture.home)/before-restore-x" }

  /// Moves an entry of the home folder aside, as a restore does that is interrupted afterwards.
  private func interrupt(after entry: String) throws {
    try fixture.write("before-restore-x", to: "\(fixture.home)/\(HomeFolder.restoring)")
    try BackupFiles.make(aside)
    try BackupFiles.move("\(fixture.home)/\(entry)", to: "\(aside)/\(entry)")
  }

  @Test func permissionsThatAnInterruptedRestoreMovedAsideStay() async throws {
    try await fixture.grant(Self.narrow, subjects: ["plays"])
    #expect(await fixture.run("backup", fixture.file).0 == .done)
    let own = try fixture.granted()
    try interrupt(after: "resolver.sqlite")
    #expect(try await declined() == [])
    #expect(try fixture.granted() == own)
  }

  @Test func aPermissionWhoseEndIsInTheLogIsNotHereAfterAnInterruption() async throws {
    try await fixture.grant(Self.narrow, subjects: ["plays"])
    #expect(await fixture.run("backup", fixture.file).0 == .done)
    let open = try fixture.openPlugins()
    try await open.write { _ = try $0.execute("DELETE FROM sharing") }
    let files = try ["", "-wal"].map { (name: database + $0, bytes: try fixture.bytes(of: database + $0)) }
    await open.close()
    for file in files { try fixture.write(file.bytes, to: file.name) }
    // The interruption came between the database and its log.
    try interrupt(after: "resolver.sqlite")
    #expect(try await declined() == [Self.declined])
    #expect(try fixture.granted().hasSuffix(" []"))
  }

  @Test func pluginsThatAnInterruptedRestoreMovedAsideAreStillHere() async throws {
    let own = "\(fixture.home)/plugins/own.axe"
    try await fixture.grant(Self.narrow)
    try fixture.write("{\"one\": 1}", to: own)
    #expect(await fixture.run("backup", fixture.file).0 == .done)
    try interrupt(after: "plugins")
    #expect(try await declined() == [])
    #expect(try fixture.text(of: own) == "{\"one\": 1}")
    // Without consent to the backup's file, the one that was here comes back.
    try fixture.write("{\"two\": 2}", to: own)
    try Files.removeTree(aside)
    try interrupt(after: "plugins")
    #expect(try await declined() == ["own.axe"])
    #expect(try fixture.text(of: own) == "{\"two\": 2}")
  }

  // MARK: - Helpers

  private static let declined = "permissions of own"

  /// Restores without consent. Returns the names of the parts that were left out.
  private func declined() async throws -> [String] {
    struct Answer: Decodable { var declined: [String] }
    let (status, printed) = await fixture.run("restore", fixture.file, "--json")
    #expect(status == .done, "\(printed.errors)")
    return try MessageCoding.decode(Answer.self, from: Array(printed.output.utf8)).declined
  }
}
