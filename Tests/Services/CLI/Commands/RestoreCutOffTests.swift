import System
import Glibc
import Messages
import Model
import ServiceKit
import TestSupport
import Testing

@testable import lunara

/// A restore that meets a service, or that was cut off, and what becomes of files that are not simply there.
@Suite struct RestoreCutOffTests {
  private let stage = BackupStage()
  private var database: String { "\(stage.home)/library.sqlite" }
  private var marker: String { "\(stage.home)/\(HomeFolder.restoring)" }

  /// A backup of one word, and a home folder with another.
  private func prepare() async throws {
    try await stage.fill("library", ["old"])
    #expect(await stage.run("backup", stage.file).0 == .done)
    try await stage.fill("library", ["new"])
  }

  /// Restores, while a service starts as soon as it was seen that none runs.
  private func restoreMeanwhile() {
    let (asked, home) = (Count(), stage.home)
    let restoration = BackupRestore(
      home: home, settings: stage.settings, keys: "\(stage.folder.path)/key", environment: Environment(),
      progress: { _ in }, user: { _ in asked.next() > 1 ? 4711 : nil })
    let error = #expect(throws: LunaraError.self) { try restoration.restore(stage.file) }
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
    restoreMeanwhile()
    #expect(!BackupFiles.isThere(marker))
    #expect(!stage.names(in: stage.home).contains { $0.hasPrefix("before-restore") || $0.hasPrefix(".restore") })
    #expect(try await stage.words("library") == ["old", "new"])
  }

  @Test func afterACutNoServiceMayStartThoughOneRuns() async throws {
    try await prepare()
    try stage.write("before-restore-x", to: marker)
    restoreMeanwhile()
    #expect(try stage.text(of: marker) == "before-restore-x")
  }

  /// What was moved aside, or put in place, before the cut.
  @Test(arguments: [[".start"], [".start", ""], [".start", "", "new.start"], [".start", "", "new.start", "new"]])
  func whatWasSetAsideBeforeACutIsNotOverwritten(_ done: [String]) async throws {
    try await prepare()
    let aside = "\(stage.home)/before-restore-x"
    try BackupFiles.make(aside)
    try stage.write("before-restore-x", to: marker)
    let former = try stage.bytes(of: database)
    // Far ahead of the backup's, as after an earlier restore.
    try stage.write("mine 5000000\n", to: "\(database).start")
    for step in done where !step.hasPrefix("new") {
      try BackupFiles.move(database + step, to: "\(aside)/library.sqlite\(step)")
    }
    if done.contains("new.start") { try stage.write("restored 6000000 1\n", to: "\(database).start") }
    if done.contains("new") { try stage.write("half", to: database) }
    let (status, printed) = await stage.run("restore", stage.file)
    #expect(status == .done && printed.output.contains("before-restore-x"), "\(printed.errors)")
    #expect(try stage.bytes(of: "\(aside)/library.sqlite") == former)
    #expect(try stage.text(of: "\(aside)/library.sqlite.start") == "mine 5000000\n")
    // What the cut one had put in place is kept as well, under other names.
    #expect(BackupFiles.isThere("\(aside)/library.sqlite.2") == done.contains("new"))
    #expect(BackupFiles.isThere("\(aside)/library.sqlite.2.start") == done.contains("new.start"))
    let start = try stage.text(of: "\(database).start").split(separator: " ")
    #expect(start.count == 3 && Int(start[1]).map { $0 > 5_000_000 } == true)
    #expect(stage.names(in: stage.home).filter { $0.hasPrefix("before-restore") } == ["before-restore-x"])
    #expect(!BackupFiles.isThere(marker))
    #expect(try await stage.words("library") == ["old"])
  }

  @Test func aMarkerThatNamesNoFolderOfOursIsNotFollowed() async throws {
    try await prepare()
    try stage.write("../elsewhere", to: marker)
    #expect(await stage.run("restore", stage.file).0 == .done)
    #expect(!BackupFiles.isThere("\(stage.folder.path)/elsewhere"))
    #expect(stage.names(in: stage.home).contains { $0.hasPrefix("before-restore-2") })
  }

  @Test func whatARestoreWouldRefuseIsLeftOutOfABackupAndSaid() async throws {
    try await stage.fill("library", ["x"])
    try await stage.fill("my music", ["y"])
    try stage.writeSecrets()
    try stage.write("{}", to: "\(stage.home)/credentials/plex (copy).json")
    let (status, printed) = await stage.run("backup", "--with-secrets", stage.file, "--json")
    #expect(status == .done)
    #expect(
      printed.output.contains(#""leftOut":["my music.sqlite","credentials/plex (copy).json"]"#), "\(printed.output)")
    #expect(await stage.run("backup", "\(stage.file)2").1.errors.contains("my music.sqlite"))
    #expect(await stage.run("restore", stage.file, "--home", "\(stage.folder.path)/other").0 == .done)
  }

  @Test func whatLiesBesideABackupStays() async throws {
    try await stage.fill("library", ["x"])
    try stage.write("mine", to: "\(stage.file).partial")
    #expect(await stage.run("backup", stage.file).0 == .done)
    #expect(try stage.text(of: "\(stage.file).partial") == "mine")
    #expect(
      stage.names(in: stage.folder.path).filter { $0.hasPrefix("backup") }.sorted() == [
        "backup.tar", "backup.tar.partial",
      ])
    // One that comes into being while it is made stays, too.
    let made = "\(stage.folder.path)/made"
    try stage.write("two", to: made)
    let error = #expect(throws: LunaraError.self) { try BackupFiles.publish(made, as: "\(stage.file).partial") }
    #expect(error?.code == "backup.fileThere")
    #expect(try stage.text(of: "\(stage.file).partial") == "mine")
  }

  @Test func settingsThatAreALinkStayOne() async throws {
    try await stage.fill("library", ["x"])
    let real = "\(stage.folder.path)/dotfiles/env"
    try stage.write("LUNARA_ROOM=den\n", to: real)
    try BackupFiles.make(Files.folder(of: stage.settings))
    #expect(symlink(real, stage.settings) == 0)
    #expect(await stage.run("backup", stage.file).0 == .done)
    try stage.write("LUNARA_ROOM=attic\n", to: real)
    chmod(real, 0o640)
    #expect(await stage.run("restore", stage.file).0 == .done)
    #expect(Files.status(stage.settings, followingLinks: false)?.kind == .symbolicLink && stage.mode(real) == 0o640)
    #expect(try stage.text(of: real) == "LUNARA_ROOM=den\n")
    unlink(real)
    let (status, printed) = await stage.run("restore", stage.file, "--json")
    #expect(status == .failed && printed.errors.contains("backup.cannotRead"))
    #expect(!BackupFiles.isThere(marker))
  }

  @Test(.enabled(if: geteuid() == 0, "needs root: only root gives files away"))
  func whatTheSuperuserRestoresBelongsToTheOwnerOfTheData() async throws {
    try await prepare()
    try stage.writeSecrets()
    #expect(await stage.run("backup", "--with-secrets", "\(stage.file)2").0 == .done)
    try stage.write("LUNARA_ROOM=attic\n", to: stage.settings)
    for path in all() { #expect(lchown(path, 4711, 4712) == 0) }
    #expect(unlink("\(stage.folder.path)/config/lunara/household.key") == 0)
    #expect(await stage.run("restore", "\(stage.file)2").0 == .done)
    let paths = all()
    #expect(
      paths.contains { $0.hasSuffix("/credentials/plex.json") } && paths.contains { $0.hasSuffix("household.key") })
    for path in paths {
      var status = stat()
      #expect(lstat(path, &status) == 0 && status.st_uid == 4711 && status.st_gid == 4712, "\(path)")
    }
  }

  /// All of the home folder and of the settings'.
  private func all() -> [String] {
    func below(_ folder: String) -> [String] {
      [folder]
        + stage.names(in: folder).filter { $0 != "." && $0 != ".." }.flatMap { below("\(folder)/\($0)") }
    }
    return below(stage.home) + below("\(stage.folder.path)/config")
  }
}
