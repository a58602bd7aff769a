import Glibc
import Messages
import Model
import TestSupport
import Testing

@testable import lunara_nowplaying

struct CoverFolderTests {
  private let place = TemporaryDirectory()
  private let cover = ArtID(source: "files", native: "c1")
  private var path: String { "\(place.path)/deep/covers" }

  private func names() -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  @Test func aPictureIsAFileThatOnlyThisPersonCanRead() async throws {
    let folder = CoverFolder(path)
    let file = try await folder.keep([1, 2, 3], for: cover, search: 1)
    var status = stat()
    #expect(lstat(file.description, &status) == 0 && status.st_size == 3 && status.st_mode & 0o777 == 0o600)
    #expect(try await folder.read(.file(file)) == [1, 2, 3])
    #expect(names().count == 1)
  }

  @Test func theFileOfALateSearchDoesNotTouchTheOneThatIsShown() async throws {
    let folder = CoverFolder(path)
    let shown = try await folder.keep([2], for: cover, search: 2)
    let late = try await folder.keep([1], for: cover, search: 1)
    #expect(shown != late)
    await folder.remove(late)
    #expect(try await folder.read(.file(shown)) == [2])
  }

  @Test func theFolderGoesWithItsLastFile() async throws {
    let folder = CoverFolder(path)
    let file = try await folder.keep([1], for: cover, search: 1)
    await folder.remove(file)
    #expect(access(path, F_OK) != 0)
  }

  @Test func whatAKilledRunLeftIsRemoved() async throws {
    _ = try await CoverFolder(path).keep([1], for: cover, search: 1)
    await CoverFolder(path).clear()
    #expect(access(path, F_OK) != 0)
  }

  @Test func whatIsNoPictureIsRefused() async throws {
    let folder = CoverFolder(path)
    for place in ["/nowhere", "/dev/zero", self.place.path] {
      let error = await #expect(throws: LunaraError.self) { try await folder.read(.file(LocalPath(place))) }
      #expect(error?.code == "nowplaying.noCover")
    }
  }

  @Test func aFolderThatCannotBeMadeIsSaid() async throws {
    let error = await #expect(throws: LunaraError.self) {
      _ = try await CoverFolder("/proc/covers").keep([1], for: cover, search: 1)
    }
    #expect(error?.code == "nowplaying.noCover")
  }

  @Test func eachPictureHasANameOfItsOwn() {
    let covers = ["c1", "c2", "/library/metadata/1/thumb/17", "../../x", "ä", String(repeating: "a", count: 500)]
    let names = covers.map { CoverName.of(ArtID(source: "plex", native: $0), search: 1) }
    #expect(Set(names).count == covers.count)
    for name in names { #expect(name.utf8.count == 22 && !name.contains("/") && name.hasSuffix("-1.jpg")) }
  }
}
