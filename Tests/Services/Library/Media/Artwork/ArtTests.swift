import Glibc
import Messages
import Model
import TestSupport
import Testing

@testable import Media
@testable import Records

/// Covers in folders and in files.
@Suite(.timeLimit(.minutes(5)))
struct ArtTests {
  private let picture = Array("\u{89}PNG a picture".utf8)
  private let tags = ["ALBUM=X", "ARTIST=A"]

  private func store(_ catalogue: TestCatalogue, capacity: Int64 = 1 << 20) -> ArtStore {
    ArtStore(
      database: catalogue.database, folder: ArtFolder(path: catalogue.tree.beside("artwork"), capacity: capacity),
      files: catalogue.pictures)
  }

  private func bytes(_ path: LocalPath) throws -> [UInt8] {
    let descriptor = open(path.bytes.cString, O_RDONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    let count = read(descriptor, &buffer, buffer.count)
    return Array(buffer.prefix(count))
  }

  @Test func theCoverInTheFolderGoesBeforeTheOneInTheFile() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", tags, picture: [1, 2, 3])
    try catalogue.tree.write(picture, to: "x/Cover.JPG")
    try catalogue.tree.write([9], to: "x/front.png")
    try await catalogue.refresh()
    let art = try #require(try await catalogue.album("X").art)
    #expect(try await store(catalogue).locate(art) == LocalPath(bytes: catalogue.tree.path("x/Cover.JPG")))
    #expect(try await catalogue.tracks().allSatisfy { $0.art == art })
  }

  @Test func thePictureInAFileIsTakenOutOnce() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", tags, picture: picture)
    try await catalogue.refresh()
    let art = try #require(try await catalogue.album("X").art)
    let store = store(catalogue)
    let path = try await store.locate(art)
    #expect(try bytes(path) == picture)
    var status = stat()
    #expect(stat(path.description, &status) == 0 && status.st_mode & 0o777 == 0o600)
    let inode = status.st_ino
    #expect(try await store.locate(art) == path)
    #expect(stat(path.description, &status) == 0 && status.st_ino == inode)
    // A picture whose file is missing is extracted again.
    try #require(unlink(path.description) == 0)
    #expect(try await bytes(store.locate(art)) == picture)
  }

  @Test func manyAskForOnePictureAtOnce() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", tags, picture: picture)
    try await catalogue.refresh()
    let art = try #require(try await catalogue.album("X").art)
    let store = store(catalogue)
    let paths = try await withThrowingTaskGroup(of: LocalPath.self) { group in
      for _ in 0..<20 { group.addTask { try await store.locate(art) } }
      return try await group.reduce(into: Set<LocalPath>()) { $0.insert($1) }
    }
    #expect(paths.count == 1)
    #expect(try bytes(try #require(paths.first)) == picture)
  }

  @Test func aChangedPictureHasAnotherReference() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", tags, picture: picture)
    try await catalogue.refresh()
    let embedded = try await catalogue.album("X").art
    try catalogue.tree.album("x", tags, picture: picture + [1])
    try await catalogue.refresh()
    let changed = try await catalogue.album("X").art
    #expect(changed != embedded && changed != nil)
    try catalogue.tree.write([1], to: "x/folder.png")
    #expect(try await catalogue.refresh() == [0, 0, 3, 0])
    let folder = try await catalogue.album("X").art
    #expect(folder != changed && folder?.native.hasPrefix("c") == true)
    #expect(try await catalogue.state().generation == 3)
    try catalogue.tree.write([1, 2], to: "x/folder.png")
    try await catalogue.refresh()
    #expect(try await catalogue.album("X").art != folder)
    try catalogue.tree.remove("x/folder.png")
    try await catalogue.refresh()
    #expect(try await catalogue.album("X").art == changed)
  }

  @Test func aFolderOfManyAlbumsHasNoCoverForAllWhereTheyHaveTheirOwn() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.write([1], to: "all/cover.jpg")
    try catalogue.tree.flac("all/1.flac", ["TITLE=a", "ALBUM=One", "ARTIST=A"], picture: picture)
    try catalogue.tree.flac("all/2.flac", ["TITLE=b", "ALBUM=Two", "ARTIST=A"])
    try await catalogue.refresh()
    #expect(try await catalogue.album("One").art?.native.hasPrefix("e") == true)
    #expect(try await catalogue.album("Two").art?.native.hasPrefix("c") == true)
  }

  @Test func discsShareTheCoverOfTheSet() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac("Set/CD1/1.flac", ["TITLE=a", "ALBUM=Set", "ARTIST=A", "DISCNUMBER=1"])
    try catalogue.tree.flac("Set/CD2/1.flac", ["TITLE=b", "ALBUM=Set", "ARTIST=A", "DISCNUMBER=2"])
    try catalogue.tree.write(picture, to: "Set/cover.png")
    try await catalogue.refresh()
    let art = try #require(try await catalogue.album("Set").art)
    #expect(try await store(catalogue).locate(art) == LocalPath(bytes: catalogue.tree.path("Set/cover.png")))
  }

  @Test func theFolderOfPicturesStaysWithinItsBound() async throws {
    let catalogue = try TestCatalogue()
    let big = [UInt8](repeating: 7, count: 4000)
    for number in 1...5 {
      try catalogue.tree.album("\(number)", ["ALBUM=\(number)", "ARTIST=A"], tracks: 1, picture: big + [UInt8(number)])
    }
    try await catalogue.refresh()
    let store = store(catalogue, capacity: 9000)
    try catalogue.tree.write([1], to: Array((catalogue.tree.beside("artwork") + "/.new-left").utf8))
    var paths: [LocalPath] = []
    for album in try await catalogue.albums() {
      paths.append(try await store.locate(try #require(album.art)))
      // Used again and again, the first picture is never the one that was unused for longest.
      _ = try await store.locate(try #require(try await catalogue.album("1").art))
    }
    let kept = paths.map { access($0.description, F_OK) == 0 }
    #expect(kept == [true, false, false, false, true])
    #expect(access(catalogue.tree.beside("artwork") + "/.new-left", F_OK) != 0)
  }

  @Test(arguments: ["files:c99.x", "files:e99.x", "files:zzz", "plex:c1.x", "files:c1"])
  func anUnknownPictureIsRefused(_ id: String) async throws {
    let catalogue = try TestCatalogue()
    try await catalogue.refresh()
    let art = try #require(ArtID(id))
    await #expect { try await store(catalogue).locate(art) } throws: {
      ($0 as? LunaraError)?.code == "library.unknownID"
    }
  }

  @Test func aPictureThatIsGoneIsRefusedWithWhatToDo() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", tags)
    try catalogue.tree.write(picture, to: "x/cover.png")
    try catalogue.tree.album("y", ["ALBUM=Y", "ARTIST=A"], picture: picture)
    try await catalogue.refresh()
    let arts = try await catalogue.albums().compactMap(\.art)
    try catalogue.tree.remove("x/cover.png")
    try catalogue.tree.remove("y")
    #expect(arts.count == 2)
    for art in arts {
      await #expect { try await store(catalogue).locate(art) } throws: { error in
        let error = error as? LunaraError
        return error?.code == "library.fileMissing" && error?.message.contains("lunara sync") == true
      }
    }
  }

  @Test(arguments: ["a.mp3", "a.m4a", "a.flac"])
  func picturesAreFoundInWhatFFmpegWrites(_ name: String) async throws {
    let catalogue = try TestCatalogue()
    let cover = catalogue.tree.beside("cover.png")
    let sound = catalogue.tree.beside(name)
    try await FFmpeg.picture(cover)
    try await FFmpeg.sine(sound, ["-metadata", "album=X", "-metadata", "artist=A"])
    try await FFmpeg.run([
      "-i", sound, "-i", cover, "-map", "0", "-map", "1", "-c", "copy", "-disposition:v", "attached_pic",
      String(decoding: catalogue.tree.path(name), as: UTF8.self),
    ])
    try await catalogue.refresh()
    let art = try #require(try await catalogue.album("X").art)
    #expect(try await bytes(store(catalogue).locate(art)) == bytes(LocalPath(cover)))
  }

  @Test(arguments: ["a.ogg", "a.opus"])
  func picturesInOggCommentsAreFound(_ name: String) async throws {
    let catalogue = try TestCatalogue()
    let block = Base64.text(FLACFile.picture(picture))
    try await FFmpeg.sine(
      String(decoding: catalogue.tree.path(name), as: UTF8.self),
      ["-metadata", "album=X", "-metadata", "METADATA_BLOCK_PICTURE=\(block)"])
    try await catalogue.refresh()
    let art = try #require(try await catalogue.album("X").art)
    #expect(try await bytes(store(catalogue).locate(art)) == picture)
  }

  @Test func picturesInWavPackTagsAreFound() async throws {
    let catalogue = try TestCatalogue()
    try await FFmpeg.sine(String(decoding: catalogue.tree.path("a.wv"), as: UTF8.self))
    let tag = APETag.bytes(text: [("Album", "X")], picture: picture)
    try catalogue.tree.write(try catalogue.tree.bytes(of: "a.wv") + tag, to: "b.wv")
    try await catalogue.refresh()
    let art = try #require(try await catalogue.album("X").art)
    #expect(try await bytes(store(catalogue).locate(art)) == picture)
  }

  @Test func theFrontCoverIsChosenAmongSeveral() async throws {
    let catalogue = try TestCatalogue()
    var file = FLACFile.bytes(tags, seconds: 5, picture: picture)
    // A back cover before the front one: block 6 with kind 4, right behind the 38 bytes of stream information.
    let back = FLACFile.picture([4, 4, 4], kind: 4)
    file.insert(contentsOf: [6] + FLACFile.big(back.count).dropFirst() + back, at: 42)
    try catalogue.tree.write(file, to: "x.flac")
    try await catalogue.refresh()
    let art = try #require(try await catalogue.album("X").art)
    #expect(try await bytes(store(catalogue).locate(art)) == picture)
  }
}
