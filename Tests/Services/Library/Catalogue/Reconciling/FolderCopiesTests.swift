import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Catalogue
@testable import People
@testable import Records
@testable import Sources

/// Copies and parts of albums in several folders.
@Suite(.timeLimit(.minutes(3)))
struct FolderCopiesTests {
  private let blue = ["ALBUM=Blue", "ALBUMARTIST=Joni", "DATE=1971"]

  /// Writes the tracks of an album as FLAC files, each with the title that `mp3` gives it too.
  private func flac(
    _ tree: MusicTree, _ folder: String, _ tags: [String], _ numbers: ClosedRange<Int> = 1...3, seconds: Double = 180,
    quality: FLACFile.Quality = .init()
  ) throws {
    for number in numbers {
      try tree.flac(
        "\(folder)/0\(number).flac", tags + ["TITLE=Song \(number)", "TRACKNUMBER=\(number)"], seconds: seconds,
        quality: quality)
    }
  }

  private func mp3(_ tree: MusicTree, _ folder: String, _ numbers: ClosedRange<Int> = 1...3, title: String = "Song")
    throws
  {
    for number in numbers {
      try tree.mp3(
        "\(folder)/0\(number).mp3",
        [
          ("TALB", "Blue"), ("TPE2", "Joni"), ("TPE1", "Joni"), ("TDRC", "1971"), ("TIT2", "\(title) \(number)"),
          ("TRCK", "\(number)"),
        ])
    }
  }

  /// The paths of the files that play, below the music folder.
  private func played(_ catalogue: TestCatalogue) async throws -> [String] {
    let all = Library.ListPlayable(ids: [Catalogue.everything])
    let tracks = try await catalogue.database.read { try Catalogue.playable(all, host: "here", $0).tracks }
    let root = catalogue.tree.root.count + 1
    return tracks.compactMap { $0.path.map { String(decoding: $0.bytes.dropFirst(root), as: UTF8.self) } }
  }

  private func expectConsistent(_ catalogue: TestCatalogue, _ place: SourceLocation = #_sourceLocation) async throws {
    try await catalogue.expectWholeIndex(place)
    try await catalogue.expectSameFromScratch(place)
  }

  @Test func oneAlbumInTwoFormatsInTwoFoldersIsOneAndTheBetterCopyPlays() async throws {
    let catalogue = try TestCatalogue()
    try mp3(catalogue.tree, "a mp3", 1...4)
    try flac(catalogue.tree, "b flac", blue)
    try await catalogue.refresh()
    try await expectConsistent(catalogue)
    #expect(try await catalogue.albums().map(\.trackCount) == [4])
    #expect(try await played(catalogue) == ["b flac/01.flac", "b flac/02.flac", "b flac/03.flac", "a mp3/04.mp3"])
    let track = try #require(try await catalogue.tracks().first)
    let detail = try await catalogue.database.read { try Catalogue.track(.init(id: track.id), $0) }
    #expect(detail.copies.map { $0.audio?.codec } == ["flac", "mp3"])
    // The better copies go: the others play, and the album keeps its id.
    let id = try await catalogue.album("Blue").id
    try catalogue.tree.remove("b flac")
    try await catalogue.refresh(accepting: true)
    try await expectConsistent(catalogue)
    #expect(try await catalogue.albums().map(\.id) == [id])
    #expect(try await played(catalogue).map { $0.prefix(5) } == ["a mp3", "a mp3", "a mp3", "a mp3"])
  }

  @Test func twoFormatsInOneFolderAreOneAlbum() async throws {
    let catalogue = try TestCatalogue()
    try flac(catalogue.tree, "blue", blue)
    try catalogue.tree.write([1, 2, 3], to: "blue/cover.jpg")
    try await catalogue.refresh()
    let (id, art) = (try await catalogue.album("Blue").id, try await catalogue.album("Blue").art)
    try mp3(catalogue.tree, "blue")
    try await catalogue.refresh()
    try await expectConsistent(catalogue)
    let album = try await catalogue.album("Blue")
    #expect(album.id == id && album.trackCount == 3 && album.quality == "FLAC 16/44.1" && album.art == art)
    #expect(try await played(catalogue) == ["blue/01.flac", "blue/02.flac", "blue/03.flac"])
  }

  @Test func aHigherResolutionComesFirstAmongFolders() async throws {
    let catalogue = try TestCatalogue()
    try flac(catalogue.tree, "a", blue)
    try flac(catalogue.tree, "b", blue, quality: .init(sampleRate: 96_000, bitDepth: 24))
    try flac(catalogue.tree, "c", blue, quality: .init(sampleRate: 48_000, bitDepth: 24))
    try await catalogue.refresh()
    try await expectConsistent(catalogue)
    #expect(try await catalogue.albums().map(\.quality) == ["FLAC 24/96"])
    #expect(try await played(catalogue) == ["b/01.flac", "b/02.flac", "b/03.flac"])
    let track = try #require(try await catalogue.tracks().first)
    let copies = try await catalogue.database.read { try Catalogue.copies(of: track.id, $0) }
    #expect(copies.map(\.audio.sampleRate) == [96_000, 48_000, 44_100])
  }

  @Test func discsInFoldersOfOtherNamesAreOneAlbum() async throws {
    let catalogue = try TestCatalogue()
    try flac(catalogue.tree, "Blue first", blue + ["DISCNUMBER=1"])
    try flac(catalogue.tree, "Blue second", blue + ["DISCNUMBER=2"])
    try await catalogue.refresh()
    try await expectConsistent(catalogue)
    let album = try await catalogue.album("Blue")
    #expect(try await catalogue.albums().count == 1 && album.trackCount == 6 && album.folder == nil)
    #expect(try await catalogue.tracks(of: album).map(\.disc) == [1, 1, 1, 2, 2, 2])
  }

  @Test func albumsOfOneNameThatDoNotPairStayApartAndAreTold() async throws {
    let catalogue = try TestCatalogue()
    try flac(catalogue.tree, "blue", blue)
    try mp3(catalogue.tree, "other", title: "Another song")
    try await catalogue.refresh()
    try await expectConsistent(catalogue)
    let albums = try await catalogue.albums()
    #expect(albums.map(\.trackCount) == [3, 3] && albums.map(\.editionCount) == [nil, nil])
    #expect(albums.map { $0.folder?.split(separator: "/").last } == ["blue", "other"])
    #expect(albums.map(\.quality) == ["FLAC 16/44.1", "MP3 128"])
    #expect(try await catalogue.search("blue").albums.map(\.folder) == albums.map(\.folder))
    // A rating is of one of them only.
    let rated = PlayableID(source: "files", native: albums[1].id.native)
    try await catalogue.database.write { transaction in
      let plan = try RatingPlan(rated, SourceKinds([FilesSource.descriptor]), transaction)
      try Ratings.write(plan, Rating(rawValue: 8), at: catalogue.time, nil, transaction)
    }
    try await catalogue.refresh()
    try await expectConsistent(catalogue)
    #expect(try await catalogue.albums().map { $0.rating?.rawValue } == [nil, 8])
  }

  @Test func copiesThatBecomeOthersComeApartAndMeetAgain() async throws {
    let catalogue = try TestCatalogue()
    try flac(catalogue.tree, "a", blue)
    try flac(catalogue.tree, "b", blue)
    try await catalogue.refresh()
    let id = try await catalogue.album("Blue").id
    #expect(try await catalogue.albums().count == 1)
    try flac(catalogue.tree, "b", blue, seconds: 200)
    try await catalogue.refresh()
    try await expectConsistent(catalogue)
    #expect(try await catalogue.albums().map(\.trackCount) == [3, 3])
    try flac(catalogue.tree, "b", blue, seconds: 181)
    try await catalogue.refresh()
    try await expectConsistent(catalogue)
    let albums = try await catalogue.albums()
    #expect(albums.map(\.id) == [id] && albums.map(\.trackCount) == [3])
  }

  @Test func aFlaggedCompilationIsOneOverItsFolders() async throws {
    let catalogue = try TestCatalogue()
    for (number, artist) in ["Ann", "Bob", "Cid"].enumerated() {
      try catalogue.tree.flac(
        "\(artist)/Hits/0\(number + 1).flac",
        ["ALBUM=Hits", "ARTIST=\(artist)", "TITLE=By \(artist)", "TRACKNUMBER=\(number + 1)", "COMPILATION=1"])
    }
    try await catalogue.refresh()
    try await expectConsistent(catalogue)
    let album = try await catalogue.album("Hits")
    #expect(try await catalogue.albums().count == 1 && album.trackCount == 3 && album.artist == "Various Artists")
    #expect(try await catalogue.tracks(of: album).map(\.artist) == ["Ann", "Bob", "Cid"])
  }

  @Test func anOldDatabaseKeepsItsAlbumIDs() async throws {
    let catalogue = try TestCatalogue()
    try flac(catalogue.tree, "b", blue)
    try await catalogue.refresh()
    let before = try await catalogue.album("Blue")
    try mp3(catalogue.tree, "a")
    try await catalogue.refresh()
    // Version 1 had one row for all folders, with the merge key as its key, and showed each track twice.
    try await catalogue.write(
      "UPDATE tracks SET album = 1, shelf = 1, shown = id", "DELETE FROM albums WHERE id <> 1",
      "DELETE FROM album_artists WHERE album <> 1", "UPDATE albums SET key = merge_key", "UPDATE files SET reader = 0")
    try await catalogue.refresh()
    try await expectConsistent(catalogue)
    #expect(try await catalogue.albums().map(\.id) == [before.id])
    #expect(try await played(catalogue) == ["b/01.flac", "b/02.flac", "b/03.flac"])
    let rows = try await catalogue.database.read { try $0.values("SELECT key FROM albums ORDER BY id") as [String] }
    #expect(rows.count == 2 && rows.allSatisfy { $0.hasSuffix("|joni|blue|1971") && $0.count > 20 })
  }

  @Test(arguments: 1...8)
  func randomFoldersShowTheSameAsARebuild(_ seed: UInt64) async throws {
    var random = Seeded(seed)
    let catalogue = try TestCatalogue()
    var made: Set<String> = []
    for _ in 0..<8 {
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let folder = ["a", "b", "c", "d/CD 1", "d/CD 2"].randomElement(using: &random) ?? "a"
        let first = Int.random(in: 1...3, using: &random)
        let isRemoved = Int.random(in: 0..<4, using: &random) == 0
        guard !isRemoved else {
          if made.remove(folder) != nil { try catalogue.tree.remove(folder) }
          continue
        }
        made.insert(folder)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: try mp3(catalogue.tree, folder, first...4)
        case 1: try flac(catalogue.tree, folder, blue, first...3, seconds: [180, 181, 190][Int(seed) % 3])
        default:
          try flac(
            catalogue.tree, folder, blue + ["MUSICBRAINZ_ALBUMID=\(TestID.musicBrainz("r\(first)"))"], first...2 + first
          )
        }
      }
      try await catalogue.refresh(accepting: true)
      try await expectConsistent(catalogue)
    }
    let model = try await catalogue.database.read { transaction in
      try transaction.row(
        """
        SELECT (SELECT count(*) FROM files), (SELECT sum(tracks) FROM albums WHERE shelf = id),
          (SELECT count(*) FROM tracks WHERE shelf IS NULL)
        """
      ) { [try $0.value(0) as Int, try $0.value(1) as Int? ?? 0, try $0.value(2)] }
    }
    #expect(model.map { $0[0] == $0[1] + $0[2] } == true)
  }
}
