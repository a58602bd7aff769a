import Glibc
import Messages
import Model
import System
import TestSupport
import Testing

@testable import lunara_nowplaying

struct CoverFolderTests {
  private let place = TemporaryDirectory()
  private let cover = ArtID(source: "files", native: "c1")
  private var path: String { "\(place.path)/deep/covers" }

  @Test func aPictureIsAFileThatOnlyThisPersonCanRead() async throws {
    let folder = CoverFolder(path)
    let file = try await folder.write([1, 2, 3], for: cover, lookup: 1)
    var status = stat()
    #expect(lstat(file.description, &status) == 0 && status.st_size == 3 && status.st_mode & 0o777 == 0o600)
    #expect(try await folder.read(.file(file)) == [1, 2, 3])
    #expect(try Files.names(in: path).count == 1)
  }

  @Test func theFileOfALateSearchDoesNotTouchTheOneThatIsShown() async throws {
    let folder = CoverFolder(path)
    let shown = try await folder.write([2], for: cover, lookup: 2)
    let late = try await folder.write([1], for: cover, lookup: 1)
    #expect(shown != late)
    await folder.remove(late)
    #expect(try await folder.read(.file(shown)) == [2])
  }

  @Test func theFolderGoesWithItsLastFile() async throws {
    let folder = CoverFolder(path)
    let file = try await folder.write([1], for: cover, lookup: 1)
    await folder.remove(file)
    #expect(access(path, F_OK) != 0)
  }

  @Test func filesOfAKilledRunAreRemoved() async throws {
    _ = try await CoverFolder(path).write([1], for: cover, lookup: 1)
    await CoverFolder(path).clear()
    #expect(access(path, F_OK) != 0)
  }

  @Test func aFileThatIsNoPictureIsRefused() async throws {
    let folder = CoverFolder(path)
    for place in ["/nowhere", "/dev/zero", self.place.path] {
      let error = await #expect(throws: LunaraError.self) { try await folder.read(.file(LocalPath(place))) }
      #expect(error?.code == "nowplaying.noCover")
    }
  }

  @Test func aFolderThatCannotBeMadeIsSaid() async throws {
    let error = await #expect(throws: LunaraError.self) {
      _ = try await CoverFolder("/proc/covers").write([1], for: cover, lookup: 1)
    }
    #expect(error?.code == "nowplaying.noCover")
  }

  @Test func eachPictureHasANameOfItsOwn() {
    let covers = ["c1", "c2", "/library/metadata/1/thumb/17", "../../x", "ä", String(repeating: "a", count: 500)]
    let names = covers.map { CoverFolder.fileName(of: ArtID(source: "plex", native: $0), lookup: 1) }
    #expect(Set(names).count == covers.count)
    for name in names { #expect(name.utf8.count == 22 && !name.contains("/") && name.hasSuffix("-1.jpg")) }
  }
}
