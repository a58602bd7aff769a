import Glibc
import Model
import TestSupport
import Testing

@testable import ServiceKit

/// Changes to the configuration file, which belongs to a person.
@Suite struct SettingsFileTests {
  private let folder = TemporaryDirectory()
  private var path: String { "\(folder.path)/config/lunara.env" }

  @Test func otherLinesStayUnchanged() {
    let text = "# Music\n\nLUNARA_MUSIC=/m # not a remark\n  LUNARA_SEEDS = old\nLUNARA_ROOM=\"den\""
    #expect(
      Settings.changing(text, [("LUNARA_ROOM", "attic"), ("LUNARA_LISTEN", "tcp://*")])
        == "# Music\n\nLUNARA_MUSIC=/m # not a remark\n  LUNARA_SEEDS = old\nLUNARA_ROOM=attic\nLUNARA_LISTEN=tcp://*\n"
    )
  }

  @Test func everyLineOfANameIsChanged() {
    #expect(Settings.changing("LUNARA_WEB=1\nLUNARA_WEB=2\n", [("LUNARA_WEB", "3")]) == "LUNARA_WEB=3\nLUNARA_WEB=3\n")
    #expect(Settings.changing("#LUNARA_WEB=1\n", [("LUNARA_WEB", "3")]) == "#LUNARA_WEB=1\nLUNARA_WEB=3\n")
    #expect(Settings.changing("", [("LUNARA_WEB", "3")]) == "LUNARA_WEB=3\n")
  }

  @Test func linesThatAnotherSystemEndedStayToo() {
    let text = "# Music\r\nLUNARA_MUSIC=/m\r\nLUNARA_ROOM=den\r\n\r\nLUNARA_WEB=1"
    #expect(
      Settings.changing(text, [("LUNARA_ROOM", "attic"), ("LUNARA_SEEDS", "a")])
        == "# Music\r\nLUNARA_MUSIC=/m\r\nLUNARA_ROOM=attic\r\n\r\nLUNARA_WEB=1\r\nLUNARA_SEEDS=a\r\n")
  }

  @Test func aNewFileIsItsOwnersOnlyAndIsReadAgain() throws {
    try Settings.change(path, [("LUNARA_SEEDS", "a,b")])
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o7777 == 0o600)
    #expect(try Settings(environment: ["LUNARA_CONFIG": path]).seeds == ["a", "b"])
  }

  @Test func modeAndLinkStay() throws {
    try Settings.change(path, [("LUNARA_ROOM", "den")])
    chmod(path, 0o640)
    let link = "\(folder.path)/link"
    #expect(symlink(path, link) == 0)
    try Settings.change(link, [("LUNARA_ROOM", "attic")])
    var status = stat()
    #expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(stat(path, &status) == 0 && status.st_mode & 0o7777 == 0o640)
    #expect(try Settings(environment: ["LUNARA_CONFIG": path]).room.rawValue == "attic")
  }

  @Test func aFailedWriteIsReportedAndChangesNothing() throws {
    func refused(_ path: String) -> String? {
      do {
        try Settings.change(path, [("LUNARA_ROOM", "den")])
        return nil
      } catch { return LunaraError(error).code }
    }
    #expect(refused("/dev/null/lunara.env") != nil)
    #expect(refused("/proc/lunara/lunara.env") == "settings.fileUnwritable")
  }
}
