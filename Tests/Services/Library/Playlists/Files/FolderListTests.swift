import ListFiles
import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import lunara_library

/// List files in music folders, which are shown as playlists that follow them.
@Suite(.timeLimit(.minutes(2)))
struct FolderListTests {
  /// A catalogue of the album `a` with three tracks, whose files are `a/01.flac` and so on.
  private func album() async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("a", ["ALBUM=Tides", "ARTIST=Amber Vale"])
    return catalogue
  }

  /// Refreshes as the service does.
  private func refresh(_ catalogue: TestCatalogue) async throws {
    let counts = try await catalogue.refresh()
    _ = try await EntryLinker(database: catalogue.database, folders: MusicFolders([catalogue.tree.root]))
      .run(isCatalogueChanged: counts[0] + counts[1] > 0)
  }

  private func lists(_ catalogue: TestCatalogue) async throws -> [Playlist] {
    try await catalogue.database.read { try Catalogue.playlists(.init(), $0) }.items
  }

  /// Returns the titles of the entries, those that are not here in brackets.
  private func titles(_ catalogue: TestCatalogue, _ list: Playlist) async throws -> [String] {
    let page = try await catalogue.database.read { try Catalogue.playlist(.init(id: list.id), $0) }
    var tracks = page.tracks.makeIterator()
    return (page.entries ?? []).map { entry in
      if let described = entry.described { return "(\(described.title)\(described.location ?? ""))" }
      return tracks.next()?.title ?? "no track"
    }
  }

  @Test func namesWithASignAndFoldersAreFoundOnTheDisk() async throws {
    let catalogue = try await album()
    try catalogue.tree.flac("a/#1 Hits/one.flac", ["TITLE=Hit", "ALBUM=Hits", "ARTIST=B"])
    let text = "#1 Hits/one.flac\n# 03.flac\n../elsewhere\n\"02.flac\"\n03.flac?x=1\n"
    try catalogue.tree.write(Array(text.utf8), to: "a/x.m3u")
    try catalogue.tree.write([0], to: "elsewhere/no.flac")
    try await refresh(catalogue)
    let list = try #require(try await lists(catalogue).first)
    #expect(
      try await titles(catalogue, list) == [
        "Hit", "(../elsewhere)", "Song 2 of a", "Song 3 of a",
      ])
  }

  @Test func aFolderInAListIsItsFiles() async throws {
    let catalogue = try await album()
    try catalogue.tree.write(Array("a/\na\n".utf8), to: "x.m3u")
    try await refresh(catalogue)
    let list = try #require(try await lists(catalogue).first)
    let songs = (1...3).map { "Song \($0) of a" }
    #expect(try await titles(catalogue, list) == songs + songs)
  }

  @Test func aListInAMusicFolderFollowsItsFile() async throws {
    let catalogue = try await album()
    try catalogue.tree.write(Array("../a/02.flac\n../a/01.flac\nnone.flac\n".utf8), to: "Lists/Slow.m3u")
    try await refresh(catalogue)
    let list = try #require(try await lists(catalogue).first)
    #expect(list.title == "Slow" && list.id.source == "files" && list.isEditable == false && list.trackCount == 3)
    #expect(try await titles(catalogue, list) == ["Song 2 of a", "Song 1 of a", "(none.flac)"])
    let order = try await catalogue.order(list.id)

    try catalogue.tree.write(Array("#PLAYLIST:Slower\n../a/01.flac\n../a/03.flac\n".utf8), to: "Lists/Slow.m3u")
    try await refresh(catalogue)
    let changed = try #require(try await lists(catalogue).first)
    #expect(changed.id == list.id && changed.title == "Slower")
    #expect(try await titles(catalogue, changed) == ["Song 1 of a", "Song 3 of a"])
    // The entry that stayed is the same one.
    #expect(try await catalogue.order(list.id).first == order[1])
    #expect(try await catalogue.search("slower").playlists?.map(\.id) == [list.id])

    try catalogue.tree.remove("Lists")
    try await refresh(catalogue)
    #expect(try await lists(catalogue).isEmpty)
    try await catalogue.expectWholeIndex()
  }

  @Test func aListIsNotReadAgainWhileItStaysTheSame() async throws {
    let catalogue = try await album()
    try catalogue.tree.write(Array("a/01.flac\n".utf8), to: "x.m3u8")
    try await refresh(catalogue)
    let first = try await lists(catalogue)
    #expect(try await catalogue.refresh() == [0, 0, 3, 0])
    #expect(try await lists(catalogue) == first)
  }

  @Test func musicThatComesLaterIsFound() async throws {
    let catalogue = try await album()
    try catalogue.tree.write(
      Array("#EXTM3U\n#EXTINF:180,Mara Stein - Song 1 of b\nD:\\Musik\\b\\01.flac\n".utf8), to: "a/x.m3u")
    try await refresh(catalogue)
    let list = try #require(try await lists(catalogue).first)
    #expect(try await titles(catalogue, list) == ["(Song 1 of bD:\\Musik\\b\\01.flac)"])
    try catalogue.tree.album("b", ["ALBUM=Else", "ARTIST=Mara Stein"])
    try await refresh(catalogue)
    #expect(try await titles(catalogue, list) == ["Song 1 of b"])
  }

  @Test func aFileThatIsNoListIsNamedAndItsPlaylistStays() async throws {
    let catalogue = try await album()
    try catalogue.tree.write(Array("a/01.flac\n".utf8), to: "x.m3u")
    try await refresh(catalogue)
    try catalogue.tree.write([0, 1, 2, 3, 0xFF], to: "x.m3u")
    try await refresh(catalogue)
    #expect(try await catalogue.problems() == ["library.badListFile"])
    #expect(try await lists(catalogue).map(\.trackCount) == [1])
    try catalogue.tree.write(Array("a/02.flac\n".utf8), to: "x.m3u")
    try await refresh(catalogue)
    #expect(try await catalogue.problems().isEmpty)
    #expect(try await titles(catalogue, try #require(try await lists(catalogue).first)) == ["Song 2 of a"])
  }

  @Test func aListReachesNothingOutsideTheMusicFolders() async throws {
    let catalogue = try await album()
    try catalogue.tree.write(Array("../../../../../etc/passwd\n/etc/passwd\n".utf8), to: "a/x.m3u")
    try await refresh(catalogue)
    let list = try #require(try await lists(catalogue).first)
    #expect(try await titles(catalogue, list) == ["(../../../../../etc/passwd)", "(/etc/passwd)"])
  }

  @Test func aCopyOfAListHasAllItsEntries() async throws {
    let catalogue = try await album()
    try catalogue.tree.write(Array("01.flac\nnone.flac\n".utf8), to: "a/x.m3u")
    try await refresh(catalogue)
    let list = try #require(try await lists(catalogue).first)
    let copy = try await catalogue.edit { try $0.create(.init(title: "Mine", copyOf: list.id)) }
    #expect(try await titles(catalogue, copy) == ["Song 1 of a", "(none.flac)"])
    let exported = try await catalogue.database.read { try Catalogue.export(.init(id: copy.id), $0) }
    let path = LocalPath(bytes: catalogue.tree.path("a/01.flac")).description
    #expect(exported.tracks.map(\.location) == [path, "none.flac"])
  }
}
