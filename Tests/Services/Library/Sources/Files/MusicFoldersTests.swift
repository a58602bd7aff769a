import Model
import Testing

@testable import lunara_library

struct MusicFoldersTests {
  private func normalised(_ paths: String...) -> [String] {
    MusicFolders.normalised(paths.map { LocalPath($0) }, workingDirectory: Array("/home/me".utf8))
      .map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func pathsGetOneForm() {
    #expect(normalised("/music/", "//srv//more/.") == ["/music", "/srv/more"])
    #expect(normalised("Music", "./x") == ["/home/me/Music", "/home/me/x"])
    #expect(normalised("/") == ["/"])
    #expect(normalised("").isEmpty)
  }

  @Test func aFolderWithinAnotherIsNotTakenTwice() {
    #expect(normalised("/music/jazz", "/music", "/music/", "/musical") == ["/music", "/musical"])
    #expect(normalised("/", "/music") == ["/"])
  }
}
