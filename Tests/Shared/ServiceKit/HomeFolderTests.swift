import Glibc
import Model
import TestSupport
import Testing

@testable import ServiceKit

@Suite struct HomeFolderTests {
  let folder = TemporaryDirectory()

  private func refusal(of path: String) -> LunaraError? {
    do {
      _ = try HomeFolder(path)
      return nil
    } catch {
      return LunaraError(error)
    }
  }

  private func put(_ text: String, at path: String) {
    let descriptor = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0o600)
    #expect(write(descriptor, text, text.utf8.count) == text.utf8.count)
    close(descriptor)
  }

  @Test func aMissingFolderIsMadeForItsOwnerAndNothingIsLeftInIt() throws {
    let path = folder.path + "/a/b"
    _ = try HomeFolder(path)
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o700)
    #expect(rmdir(path) == 0)
  }

  @Test func aFolderToWhichOthersMayWriteIsRefusedWithWhatToDo() throws {
    for mode in [0o777, 0o1777, 0o702] as [mode_t] {
      #expect(chmod(folder.path, mode) == 0)
      let error = refusal(of: folder.path)
      #expect(error?.code == "settings.homeUnsafe" && error?.message.contains("chmod go-w \(folder.path)") == true)
    }
    for mode in [0o700, 0o755, 0o770] as [mode_t] {
      #expect(chmod(folder.path, mode) == 0)
      #expect(refusal(of: folder.path) == nil)
    }
  }

  @Test func aFolderOfAnotherUserIsRefused() throws {
    // Only root can give a folder away; other users have one of root.
    let path = geteuid() == 0 ? folder.path : "/usr"
    if geteuid() == 0 { #expect(chown(path, 4711, 4711) == 0) }
    let error = refusal(of: path)
    #expect(error?.code == "settings.homeUnsafe" && error?.message.contains("belongs to user") == true)
    guard geteuid() == 0 else { return }
    // Root restores a backup for its owner, and looks after the services of the system.
    _ = try HomeFolder(path, isForRestore: true)
    #expect(chown(path, 471, 471) == 0)
    #expect(refusal(of: path) == nil)
  }

  @Test func theHostKeepsItsNameWhoeverAsksFirst() async throws {
    let home = try HomeFolder(folder.path)
    let names = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<20 { group.addTask { try home.hostID() } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(names.count == 1)
    #expect(names.first?.utf8.count == 20)
    #expect(try HomeFolder(folder.path).hostID() == names.first)
  }

  @Test func anEmptyHostNameIsMadeAnew() throws {
    put("", at: folder.path + "/host-id")
    let home = try HomeFolder(folder.path)
    let name = try home.hostID()
    #expect(name.utf8.count == 20)
    #expect(try home.hostID() == name)
  }

  @Test func aFileInItsPlaceIsRefusedWithItsPath() {
    put("", at: folder.path + "/file")
    for path in ["/file", "/file/below"] {
      let error = refusal(of: folder.path + path)
      #expect(error?.code == "settings.homeUnusable")
      #expect(error?.message.contains(folder.path + path) == true)
    }
  }

  @Test func aReadOnlyAndAFullDiskAreToldApart() throws {
    // Root can write in spite of the mode, so it needs a full file system; other users test with the mode.
    guard geteuid() == 0 else {
      #expect(chmod(folder.path, 0o500) == 0)
      #expect(refusal(of: folder.path)?.code == "settings.homeUnusable")
      #expect(chmod(folder.path, 0o700) == 0)
      return
    }
    let path = folder.path + "/disk"
    #expect(mkdir(path, 0o700) == 0)
    try #require(mount("tmpfs", path, "tmpfs", 0, "size=64k,mode=700") == 0, "mounting needs CAP_SYS_ADMIN")
    defer { umount2(path, 2) }
    #expect(refusal(of: path) == nil)
    #expect(mount("tmpfs", path, "tmpfs", UInt(0x20 | 1), nil) == 0)
    #expect(refusal(of: path)?.cause?.contains("Read-only") == true)
    #expect(mount("tmpfs", path, "tmpfs", UInt(0x20), nil) == 0)
    let descriptor = open(path + "/fill", O_CREAT | O_WRONLY, 0o600)
    let block = [UInt8](repeating: 1, count: 4096)
    while write(descriptor, block, block.count) > 0 {}
    close(descriptor)
    let error = refusal(of: path)
    #expect(error?.code == "settings.homeUnusable")
    #expect(error?.message.contains("make room") == true)
  }
}
