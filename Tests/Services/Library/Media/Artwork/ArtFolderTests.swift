import Glibc
import HTTP
import Model
import System
import TestSupport
import Testing

@testable import Media

/// The folder of pictures, and what marking a picture as used leaves alone.
struct ArtFolderTests {
  private let directory = TemporaryDirectory()

  private func folder(capacity: Int64 = 1 << 20) -> ArtFolder {
    ArtFolder(path: directory.path + "/artwork", capacity: capacity)
  }

  /// Sets both times of a file to a second since 1970.
  private func setTimes(of file: LocalPath, to second: Int) throws {
    let time = timespec(tv_sec: second, tv_nsec: 0)
    try #require(utimensat(AT_FDCWD, file.description, [time, time], 0) == 0)
  }

  @Test func aPictureThatIsBeingSentCanBeUsedAgain() throws {
    let folder = folder()
    let file = try folder.insert([1, 2, 3], as: "cover")
    try setTimes(of: file, to: 1_000_000)
    let sent = try #require(OpenFile(file))
    #expect(folder.find("cover") == file)
    #expect(sent.head(3) == [1, 2, 3])
    let status = try FileStatus(file, followingLinks: false)
    #expect(status.modified == 1_000_000 * 1_000_000_000 && status.accessed > status.modified)
  }

  @Test func thePictureThatWasUsedLongestAgoMakesRoom() throws {
    let folder = folder(capacity: 100)
    for (second, name) in ["first", "second", "third"].enumerated() {
      try setTimes(of: try folder.insert([UInt8](repeating: 0, count: 30), as: name), to: second + 1)
    }
    #expect(folder.find("first") != nil)
    _ = try folder.insert([UInt8](repeating: 0, count: 30), as: "fourth")
    #expect(folder.find("second") == nil)
    #expect(folder.find("first") != nil && folder.find("third") != nil && folder.find("fourth") != nil)
  }

  @Test func aPictureThatIsNotThereIsNotFound() {
    #expect(folder().find("none") == nil)
  }
}
