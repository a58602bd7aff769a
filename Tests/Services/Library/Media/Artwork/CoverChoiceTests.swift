import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Catalogue
@testable import Media

/// The choice of an album's cover among the pictures of its folder and files.
@Suite(.timeLimit(.minutes(5)))
struct CoverChoiceTests {
  private let red = TestPicture.png(width: 40, height: 40) { _, _ in (200, 30, 30) }
  private let blue = TestPicture.png(width: 40, height: 40) { _, _ in (20, 20, 200) }
  private let broken = Array(TestPicture.png(width: 40, height: 40).prefix(12)) + [UInt8](repeating: 7, count: 40)

  private func store(_ catalogue: TestCatalogue) -> ArtStore {
    ArtStore(
      database: catalogue.database,
      folder: ArtFolder(path: catalogue.tree.beside("artwork"), capacity: 1 << 24), files: catalogue.pictures)
  }

  /// Returns the colour of the cover that is shown for the only album; nil without one.
  private func shown(_ catalogue: TestCatalogue, _ store: ArtStore) async throws -> String? {
    guard let art = try await catalogue.album("X").art else { return nil }
    _ = try await store.locate(art, size: 300)
    let colour = try #require(try await catalogue.album("X").palette?.first)
    let value = try #require(Int(colour.dropFirst(), radix: 16))
    let (red, green, blue) = (value >> 16, value >> 8 & 255, value & 255)
    return red > 2 * max(green, blue) ? "red" : blue > 2 * max(red, green) ? "blue" : colour
  }

  private func problems(_ catalogue: TestCatalogue) async throws -> [String] {
    try await catalogue.database.read { try Catalogue.problems(.init(only: .cover), $0) }.items.map {
      String("\($0.path?.description ?? "")".split(separator: "/").suffix(2).joined(separator: "/"))
    }
  }

  private func album(_ files: [(String, [UInt8])], embedded: [UInt8]? = nil) throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", ["ALBUM=X", "ARTIST=A"], tracks: 2, picture: embedded)
    for (name, bytes) in files { try catalogue.tree.write(bytes, to: "x/\(name)") }
    return catalogue
  }

  @Test(arguments: [
    ["IMG_0815.png"], ["Scans/Front.png"], ["artwork/front-1.png", "Artwork.txt"], ["Covers/front cover.png"],
    ["AlbumArtSmall.png"], ["album.png", "a.webp", "b.png"], ["Scans/front.png", "back.gif"],
  ])
  func theFirstOfTheseFilesIsTheCover(names: [String]) async throws {
    let catalogue = try album(names.enumerated().map { ($0.element, $0.offset == 0 ? red : blue) })
    try await catalogue.refresh()
    let store = store(catalogue)
    #expect(try await shown(catalogue, store) == "red")
    await store.stop()
  }

  @Test(arguments: [["a.png", "b.png"], ["artist.png"], ["Scans/back.png"], ["Other/front.png"]])
  func theseFilesAreNoCover(names: [String]) async throws {
    let catalogue = try album(names.map { ($0, red) })
    try await catalogue.refresh()
    #expect(try await catalogue.album("X").art == nil)
  }

  @Test func aLonePictureAboveDiscsIsTheirCover() async throws {
    let catalogue = try TestCatalogue()
    for disc in 1...2 { try catalogue.tree.album("x/CD \(disc)", ["ALBUM=X", "ARTIST=A", "DISCNUMBER=\(disc)"]) }
    try catalogue.tree.write(red, to: "x/whatever.png")
    try catalogue.tree.write(blue, to: "other.png")
    try await catalogue.refresh()
    let store = store(catalogue)
    #expect(try await shown(catalogue, store) == "red")
    await store.stop()
  }

  @Test func aSecondPictureEndsTheChoiceOfALoneOne() async throws {
    let catalogue = try album([("one.png", red)])
    try await catalogue.refresh()
    #expect(try await catalogue.album("X").art != nil)
    try catalogue.tree.write(blue, to: "x/two.png")
    try await catalogue.refresh()
    #expect(try await catalogue.album("X").art == nil)
  }

  @Test func aPictureOfNoKindGoesBeforeABackCover() async throws {
    let catalogue = try TestCatalogue()
    var file = FLACFile.bytes(["TITLE=T", "ALBUM=X", "ARTIST=A"], seconds: 5, picture: nil)
    for (bytes, kind) in [(red, 0), (blue, 4)] {
      let picture = FLACFile.picture(bytes, kind: kind)
      file.insert(contentsOf: [6] + FLACFile.big(picture.count).dropFirst() + picture, at: 42)
    }
    try catalogue.tree.write(file, to: "x.flac")
    try await catalogue.refresh()
    let store = store(catalogue)
    #expect(try await shown(catalogue, store) == "red")
    await store.stop()
  }

  @Test func aBrokenCoverGivesWayToAnotherOfTheFolder() async throws {
    let catalogue = try album([("cover.png", broken), ("folder.png", red)], embedded: blue)
    try await catalogue.refresh()
    let store = store(catalogue)
    #expect(try await shown(catalogue, store) == "red")
    #expect(try await problems(catalogue) == ["x/cover.png"])
    // The other sizes, the second time, and the whole picture are those of the good one, too.
    let art = try #require(try await catalogue.album("X").art)
    #expect(try await store.locate(art, size: 1024) != store.locate(art, size: 300))
    #expect(try await store.locate(art).description.hasSuffix("x/folder.png"))
    try await store.prune()
    #expect(try await problems(catalogue) == ["x/cover.png"])
    #expect(try await shown(catalogue, store) == "red")
    await store.stop()
  }

  @Test func brokenPicturesOfFolderAndFirstTrackGiveWayToThatOfAnother() async throws {
    let catalogue = try album([("cover.png", broken)], embedded: broken)
    try catalogue.tree.flac("x/09.flac", ["ALBUM=X", "ARTIST=A", "TITLE=Z", "TRACKNUMBER=9"], picture: red)
    try await catalogue.refresh()
    let store = store(catalogue)
    #expect(try await shown(catalogue, store) == "red")
    #expect(try await problems(catalogue).sorted() == ["x/01.flac", "x/02.flac", "x/cover.png"])
    try await store.prune()
    #expect(try await problems(catalogue).sorted() == ["x/01.flac", "x/02.flac", "x/cover.png"])
    await store.stop()
  }

  @Test func aBrokenEmbeddedPictureGivesWayToThatOfTheNextTrack() async throws {
    let catalogue = try album([], embedded: broken)
    try catalogue.tree.flac("x/09.flac", ["ALBUM=X", "ARTIST=A", "TITLE=Z", "TRACKNUMBER=9"], picture: red)
    try await catalogue.refresh()
    let store = store(catalogue)
    #expect(try await shown(catalogue, store) == "red")
    await store.stop()
  }

  /// Pictures that end in their middle: PNG, and JPEG as libjpeg shows it with a grey rest.
  private func cutPictures() async throws -> [[UInt8]] {
    let tree = try MusicTree()
    let large = TestPicture.png(width: 400, height: 400) { column, row in
      row < 390 ? (20, 20, 200) : (UInt8(column % 255), 9, 9)
    }
    try tree.write(large, to: "a.png")
    let paths = ["a.png", "a.jpg"].map { LocalPath(bytes: tree.path($0)).description }
    try await FFmpeg.run(["-i", paths[0], "-q:v", "2", paths[1]])
    return try ["a.png", "a.jpg"].map { name in
      let whole = try tree.bytes(of: name)
      return Array(whole.prefix(whole.count / 2))
    }
  }

  private func write(_ pictures: [(bytes: [UInt8], kind: Int)], to name: String, _ catalogue: TestCatalogue) throws {
    var file = FLACFile.bytes(["TITLE=\(name)", "ALBUM=X", "ARTIST=A"], seconds: 5)
    for (bytes, kind) in pictures {
      let picture = FLACFile.picture(bytes, kind: kind)
      file.insert(contentsOf: [6] + FLACFile.big(picture.count).dropFirst() + picture, at: 42)
    }
    try catalogue.tree.write(file, to: name)
  }

  @Test func aCutPictureGivesWayToAnotherInTheSameFile() async throws {
    for cut in try await cutPictures() + [Array("no picture at all".utf8)] {
      let catalogue = try TestCatalogue()
      try write([(cut, 3), (red, 4)], to: "x/1.flac", catalogue)
      try await catalogue.refresh()
      let store = store(catalogue)
      #expect(try await shown(catalogue, store) == "red")
      #expect(try await problems(catalogue) == ["x/1.flac"])
      #expect(try await shown(catalogue, store) == "red")
      await store.stop()
    }
  }

  @Test func aCutPictureGivesWayToThatOfAnotherFile() async throws {
    for cut in try await cutPictures() {
      let catalogue = try TestCatalogue()
      try write([(cut, 3)], to: "x/1.flac", catalogue)
      try write([(red, 3)], to: "x/2.flac", catalogue)
      try await catalogue.refresh()
      let store = store(catalogue)
      #expect(try await shown(catalogue, store) == "red")
      #expect(try await problems(catalogue) == ["x/1.flac"])
      await store.stop()
    }
  }

  @Test func aCutPictureWithoutAnotherIsShownAsFarAsItGoes() async throws {
    for cut in try await cutPictures() {
      let catalogue = try TestCatalogue()
      try write([(cut, 3)], to: "x/1.flac", catalogue)
      try await catalogue.refresh()
      let store = store(catalogue)
      for size in [300, 1024, 300] {
        _ = try await store.locate(try #require(try await catalogue.album("X").art), size: size)
      }
      #expect(try await catalogue.album("X").palette != nil)
      #expect(try await problems(catalogue) == ["x/1.flac"])
      try await store.prune()
      #expect(try await problems(catalogue) == ["x/1.flac"])
      await store.stop()
    }
  }

  @Test func aBrokenCoverWithoutAnotherStaysAProblem() async throws {
    let catalogue = try album([("cover.png", broken)])
    try await catalogue.refresh()
    let store = store(catalogue)
    await #expect { try await shown(catalogue, store) } throws: { LunaraError($0).code == "library.badPicture" }
    #expect(try await problems(catalogue) == ["x/cover.png"])
    try catalogue.tree.write(red, to: "x/cover.png")
    try await catalogue.refresh()
    #expect(try await shown(catalogue, store) == "red")
    #expect(try await problems(catalogue) == [])
    await store.stop()
  }
}
