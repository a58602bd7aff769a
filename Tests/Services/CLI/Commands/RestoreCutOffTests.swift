import System
import Glibc
import Messages
import Model
import ServiceKit
import TestSupport
import Testing

@testable import lunara

/// A restore during which a service starts, a restore that is interrupted, and files that are links or lie in the way.
@Suite struct RestoreCutOffTests {
  private let fixture = BackupFixture()
  private var database: String { "\(fixture.home)/library.sqlite" }
  private var marker: String { "\(fixture.home)/\(HomeFolder.restoring)" }

  /// A backup of one word, and a home folder whose database holds another.
  private func prepare() async throws {
    try await fixture.fill("library", ["old"])
    #expect(await fixture.run("backup", fixture.file).0 == .done)
    try await fixture.fill("library", ["new"])
  }

  /// Restores, while a service starts right after the check that none runs.
  private func restoreMeanwhile() async {
    let (asked, home) = (Count(), fixture.home)
    let restoration = BackupRestore(
      home: home, settings: fixture.settings, keys: "\(fixture.folder.path)/key", environment: Environment(),
      progress: { _ in }, processUsing: { _ in asked.next() > 1 ? 4711 : nil })
    let error = await #expect(throws: LunaraError.self) { try await restoration.restore(fixture.file) }
    #expect(error?.code == "backup.householdRuns")
  }

  private final class Count {
    private var number = 0
    func next() -> Int {
      number += 1
      return number
    }
  }

  @Test func aServiceThatStartedMeanwhileKeepsItsData() async throws {
    try await prepare()
    await restoreMeanwhile()
    #expect(!Files.exists(marker))
    #expect(!fixture.names(in: fixture.home).contains { $0.hasPrefix("before-restore") || $0.hasPrefix(".restore") })
    #expect(try await fixture.words("library") == ["old", "new"])
  }

  @Test func afterACutNoServiceMayStartThoughOneRuns() async throws {
    try await prepare()
    try fixture.write("before-restore-x", to: marker)
    await restoreMeanwhile()
    #expect(try fixture.text(of: marker) == "before-restore-x")
  }

  /// The files that were moved aside, or put in place, before the interruption.
  @Test(arguments: [[".start"], [".start", ""], [".start", "", "new.start"], [".start", "", "new.start", "new"]])
  func whatWasSetAsideBeforeACutIsNotOverwritten(_ done: [String]) async throws {
    try await prepare()
    let aside = "\(fixture.home)/before-restore-x"
    try BackupFiles.make(aside)
    try fixture.write("before-restore-x", to: marker)
    let former = try fixture.bytes(of: database)
    // Its start number is far ahead of the backup's, as after an earlier restore.
    try fixture.write("mine 5000000\n", to: "\(database).start")
    for step in done where !step.hasPrefix("new") {
      try BackupFiles.move(database + step, to: "\(aside)/library.sqlite\(step)")
    }
    if done.contains("new.start") { try fixture.write("restored 6000000 1\n", to: "\(database).start") }
    if done.contains("new") { try fixture.write("half", to: database) }
    let (status, printed) = await fixture.run("restore", fixture.file)
    #expect(status == .done && printed.output.contains("before-restore-x"), "\(printed.errors)")
    #expect(try fixture.bytes(of: "\(aside)/library.sqlite") == former)
    #expect(try fixture.text(of: "\(aside)/library.sqlite.start") == "mine 5000000\n")
    // The files that the interrupted restore had put in place are kept as well, under other names.
    #expect(Files.exists("\(aside)/library.sqlite.2") == done.contains("new"))
    #expect(Files.exists("\(aside)/library.sqlite.2.start") == done.contains("new.start"))
    let start = try fixture.text(of: "\(database).start").split(separator: " ")
    #expect(start.count == 3 && Int(start[1]).map { $0 > 5_000_000 } == true)
    #expect(fixture.names(in: fixture.home).filter { $0.hasPrefix("before-restore") } == ["before-restore-x"])
    #expect(!Files.exists(marker))
    #expect(try await fixture.words("library") == ["old"])
  }

  @Test func aMarkerThatNamesNoFolderOfOursIsNotFollowed() async throws {
    try await prepare()
    try fixture.write("../elsewhere", to: marker)
    #expect(await fixture.run("restore", fixture.file).0 == .done)
    #expect(!Files.exists("\(fixture.folder.path)/elsewhere"))
    #expect(fixture.names(in: fixture.home).contains { $0.hasPrefix("before-restore-2") })
  }

  @Test func whatARestoreWouldRefuseIsLeftOutOfABackupAndSaid() async throws {
    try await fixture.fill("library", ["x"])
    try await fixture.fill("my music", ["y"])
    try fixture.writeSecrets()
    try fixture.write("{}", to: "\(fixture.home)/credentials/plex (copy).json")
    let (status, printed) = await fixture.run("backup", "--with-secrets", fixture.file, "--json")
    #expect(status == .done)
    #expect(
      printed.output.contains(#""leftOut":["my music.sqlite","credentials/plex (copy).json"]"#), "\(printed.output)")
    #expect(await fixture.run("backup", "\(fixture.file)2").1.errors.contains("my music.sqlite"))
    #expect(await fixture.run("restore", fixture.file, "--home", "\(fixture.folder.path)/other").0 == .done)
  }

  @Test func filesBesideABackupStay() async throws {
    try await fixture.fill("library", ["x"])
    try fixture.write("mine", to: "\(fixture.file).partial")
    #expect(await fixture.run("backup", fixture.file).0 == .done)
    #expect(try fixture.text(of: "\(fixture.file).partial") == "mine")
    #expect(
      fixture.names(in: fixture.folder.path).filter { $0.hasPrefix("backup") }.sorted() == [
        "backup.tar", "backup.tar.partial",
      ])
    // A file that is created there while the backup is made stays, too.
    let made = "\(fixture.folder.path)/made"
    try fixture.write("two", to: made)
    let error = #expect(throws: LunaraError.self) { try BackupFiles.publish(made, as: "\(fixture.file).partial") }
    #expect(error?.code == "backup.fileThere")
    #expect(try fixture.text(of: "\(fixture.file).partial") == "mine")
  }

  @Test func settingsThatAreALinkStayOne() async throws {
    try await fixture.fill("library", ["x"])
    let real = "\(fixture.folder.path)/dotfiles/env"
    try fixture.write("LUNARA_ROOM=den\n", to: real)
    try BackupFiles.make(Files.folder(of: fixture.settings))
    #expect(symlink(real, fixture.settings) == 0)
    #expect(await fixture.run("backup", fixture.file).0 == .done)
    try fixture.write("LUNARA_ROOM=attic\n", to: real)
    chmod(real, 0o640)
    #expect(await fixture.run("restore", fixture.file).0 == .done)
    #expect(Files.status(fixture.settings, followingLinks: false)?.kind == .symbolicLink && fixture.mode(real) == 0o640)
    #expect(try fixture.text(of: real) == "LUNARA_ROOM=den\n")
    unlink(real)
    let (status, printed) = await fixture.run("restore", fixture.file, "--json")
    #expect(status == .failed && printed.errors.contains("backup.cannotRead"))
    #expect(!Files.exists(marker))
  }

  @Test(.enabled(if: geteuid() == 0, "only the superuser gives files away"))
  func whatTheSuperuserRestoresBelongsToTheOwnerOfTheData() async throws {
    try await prepare()
    try fixture.writeSecrets()
    #expect(await fixture.run("backup", "--with-secrets", "\(fixture.file)2").0 == .done)
    try fixture.write("LUNARA_ROOM=attic\n", to: fixture.settings)
    for path in all() { #expect(lchown(path, 4711, 4712) == 0) }
    #expect(unlink("\(fixture.folder.path)/config/lunara/household.key") == 0)
    #expect(await fixture.run("restore", "\(fixture.file)2").0 == .done)
    let paths = all()
    #expect(
      paths.contains { $0.hasSuffix("/credentials/plex.json") } && paths.contains { $0.hasSuffix("household.key") })
    for path in paths {
      var status = stat()
      #expect(lstat(path, &status) == 0 && status.st_uid == 4711 && status.st_gid == 4712, "\(path)")
    }
  }

  /// Returns all files of the home folder and of the settings folder.
  private func all() -> [String] {
    func below(_ folder: String) -> [String] {
      [folder]
        + fixture.names(in: folder).filter { $0 != "." && $0 != ".." }.flatMap { below("\(folder)/\($0)") }
    }
    return below(fixture.home) + below("\(fixture.folder.path)/config")
  }
}
