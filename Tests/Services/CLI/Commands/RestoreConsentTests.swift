import Messages
import Model
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
