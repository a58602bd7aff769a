import Glibc
import ListFiles
import Messages
import Model
import ServiceKit
import Storage
import TestSupport
import Testing

@testable import Catalogue
@testable import People
@testable import Records

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
    _ = try await EntryLinker(database: catalogue.database, folders: MusicFolders([catalogue.tree.root]), log: .quiet)
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

  @Test func entriesThatAreNotHereAreAProblemOfTheListFile() async throws {
    let catalogue = try await album()
    let text = "#EXTM3U\n01.flac\n#EXTINF:60,Ada - Gone\nold/gone.flac\nother.flac\nhttp://radio.example/live\n"
    try catalogue.tree.write(Array(text.utf8), to: "a/x.m3u")
    try catalogue.tree.write(Array("a/02.flac\n".utf8), to: "y.m3u")
    try await refresh(catalogue)
    let list = LocalPath(bytes: catalogue.tree.path("a/x.m3u"))
    func problems(_ folder: String?) async throws -> [Library.Problem] {
      let request = Library.ListProblems(folder: folder.map { LocalPath(bytes: catalogue.tree.path($0)) })
      return try await catalogue.database.read { try Catalogue.problems(request, $0) }.items
    }
    let found = try await problems(nil)
    #expect(
      found.map(\.problem.message) == [
        "2 entries of \(list) are not in the library. The first: Ada – Gone, old/gone.flac. Put the music back, or correct the list."
      ])
    #expect(found.first?.path == list && found.first?.problem.code == "library.listEntriesMissing")
    #expect(try await problems("a").count == 1)
    try catalogue.tree.flac("a/other.flac", ["TITLE=O", "ALBUM=Tides", "ARTIST=Amber Vale"])
    try catalogue.tree.flac("a/old/gone.flac", ["TITLE=G", "ALBUM=Tides", "ARTIST=Amber Vale"])
    try await refresh(catalogue)
    #expect(try await problems(nil).isEmpty)
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

    try catalogue.tree.write(Array("../a/03.flac\n".utf8), to: "Lists/Other.m3u")
    try await refresh(catalogue)
    try catalogue.tree.remove("Lists/Slow.m3u")
    try await refresh(catalogue)
    #expect(try await lists(catalogue).map(\.title) == ["Other"])
    try await catalogue.expectWholeIndex()
  }

  @Test func aFolderOfListsThatIsSuddenlyEmptyKeepsThemUntilAPersonAgrees() async throws {
    let catalogue = try await album()
    for name in ["One", "Two"] { try catalogue.tree.write(Array("../a/01.flac\n".utf8), to: "Lists/\(name).m3u") }
    try await refresh(catalogue)
    let before = try await lists(catalogue)
    for path in ["Lists/One.m3u", "Lists/Two.m3u", "Lists"] {
      try catalogue.tree.remove(path)
      if path == "Lists/One.m3u" { continue }
      for _ in 1...3 {
        try await refresh(catalogue)
        #expect(try await lists(catalogue) == before)
        #expect(try await catalogue.problems() == ["library.listsHeld"])
      }
    }
    try await catalogue.refresh(accepting: true)
    #expect(try await lists(catalogue).isEmpty)
    #expect(try await catalogue.problems() == [])
    // They get their ids back when they return.
    for name in ["One", "Two"] { try catalogue.tree.write(Array("../a/01.flac\n".utf8), to: "Lists/\(name).m3u") }
    try await refresh(catalogue)
    #expect(try await lists(catalogue).map(\.id) == before.map(\.id))
    try await catalogue.expectWholeIndex()
  }

  @Test func aListThatIsRenamedOrMovedKeepsItsID() async throws {
    let catalogue = try await album()
    try catalogue.tree.write(Array("/else/a/01.flac\n".utf8), to: "Slow.m3u")
    try await refresh(catalogue)
    let before = try await lists(catalogue).map(\.id)
    try catalogue.tree.move("Slow.m3u", to: "Slower.m3u")
    try await refresh(catalogue)
    #expect(try await lists(catalogue).map(\.title) == ["Slower"])
    try catalogue.tree.make(folder: catalogue.tree.path("Lists"))
    try catalogue.tree.move("Slower.m3u", to: "Lists/Slower.m3u")
    try await refresh(catalogue)
    #expect(try await lists(catalogue).map(\.id) == before)
    #expect(try await catalogue.problems() == [])
    try await catalogue.expectWholeIndex()
  }

  @Test func listsStayWhileTheirMusicFolderHasLostAllItsMusic() async throws {
    let catalogue = try await album()
    try catalogue.tree.write(Array("a/01.flac\n".utf8), to: "Slow.m3u")
    try catalogue.tree.write(Array("01.flac\n".utf8), to: "a/Fast.m3u")
    try await refresh(catalogue)
    let before = try await lists(catalogue)
    try catalogue.tree.remove("a")
    try catalogue.tree.remove("Slow.m3u")
    try await refresh(catalogue)
    #expect(try await lists(catalogue) == before)
    #expect(try await catalogue.problems() == ["library.folderEmpty"])
    try await catalogue.refresh(accepting: true)
    #expect(try await lists(catalogue).isEmpty)
  }

  @Test func listsBesideTracksThatWaitForAPersonStayWithTheirEntries() async throws {
    let catalogue = try await album()
    for name in ["b", "c", "d", "e", "f"] {
      try catalogue.tree.album(name, ["ALBUM=\(name)", "ARTIST=Mara Stein"])
      try catalogue.tree.write(Array("01.flac\n02.flac\nnone.flac\n".utf8), to: "\(name)/\(name).m3u")
    }
    try catalogue.tree.write(Array("b/03.flac\na/01.flac\n".utf8), to: "All.m3u")
    try await refresh(catalogue)
    let before = try await lists(catalogue)
    var entries: [[String]] = []
    for list in before { entries.append(try await titles(catalogue, list)) }
    #expect(before.count == 6 && entries.contains(["Song 3 of b", "Song 1 of a"]))
    // Two folders lose only their music, one its list as well, and the others are gone as a whole.
    for name in ["b", "c", "d"] { for number in 1...3 { try catalogue.tree.remove("\(name)/0\(number).flac") } }
    for path in ["d/d.m3u", "e", "f"] { try catalogue.tree.remove(path) }
    for _ in 1...2 {
      try await refresh(catalogue)
      #expect(try await catalogue.problems() == ["library.deletionsHeld"])
      #expect(try await lists(catalogue) == before)
      for (list, had) in zip(before, entries) { #expect(try await titles(catalogue, list) == had) }
    }
    // A list that leaves such a folder is the same one elsewhere.
    try catalogue.tree.move("b/b.m3u", to: "Lists/b.m3u")
    try await refresh(catalogue)
    #expect(try await lists(catalogue) == before)
    try await catalogue.expectWholeIndex()
    try await catalogue.refresh(accepting: true)
    #expect(try await catalogue.problems() == [])
    #expect(try await lists(catalogue).map(\.title).sorted() == ["All", "b", "c"])
    try await catalogue.expectWholeIndex()
  }

  @Test func listsThatComeBackWithTracksThatWaitedAreTheSame() async throws {
    let catalogue = try await album()
    for name in ["b", "c", "d", "e", "f"] {
      try catalogue.tree.album(name, ["ALBUM=\(name)", "ARTIST=Mara Stein"])
      try catalogue.tree.write(Array("01.flac\n".utf8), to: "\(name)/\(name).m3u")
    }
    try await refresh(catalogue)
    let (before, tracks) = (try await lists(catalogue), try await catalogue.tracks())
    for name in ["b", "c", "d", "e", "f"] { try catalogue.tree.move(name, to: "../away/\(name)") }
    try await refresh(catalogue)
    #expect(try await catalogue.problems() == ["library.deletionsHeld"])
    for name in ["b", "c", "d", "e", "f"] { try catalogue.tree.move("../away/\(name)", to: name) }
    try await refresh(catalogue)
    #expect(try await catalogue.problems() == [])
    #expect(try await lists(catalogue) == before)
    #expect(try await catalogue.tracks() == tracks)
  }

  @Test func anAlbumThatIsRemovedTakesItsListAlong() async throws {
    let catalogue = try await album()
    try catalogue.tree.album("b", ["ALBUM=Else", "ARTIST=Mara Stein"])
    try catalogue.tree.write(Array("01.flac\n".utf8), to: "b/b.m3u")
    try await refresh(catalogue)
    try catalogue.tree.remove("b")
    try await refresh(catalogue)
    #expect(try await lists(catalogue).isEmpty)
    #expect(try await catalogue.problems() == [])
  }

  @Test func aDeletedListThatIsBroughtBackBecomesOneOfTheLibrary() async throws {
    let catalogue = try await album()
    for name in ["One", "Two"] { try catalogue.tree.write(Array("a/01.flac\n".utf8), to: "\(name).m3u") }
    try await refresh(catalogue)
    let list = try #require(try await lists(catalogue).first)
    try catalogue.tree.remove("One.m3u")
    try await refresh(catalogue)
    let back = try await catalogue.edit { try $0.undo(.init(id: list.id)) }
    #expect(back.isEditable == true && back.id.native == list.id.native && back.id.source == "lunara")
    #expect(try await titles(catalogue, back) == ["Song 1 of a"])
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

  @Test func aLinkShowsNoTextFromOutsideTheMusicFolders() async throws {
    let catalogue = try await album()
    let secret = catalogue.tree.beside("key.m3u8")
    try catalogue.tree.write(Array("the key of the household\n".utf8), to: Array(secret.utf8))
    try catalogue.tree.write(Array("a/01.flac\n".utf8), to: "good.m3u8")
    try catalogue.tree.link("within.m3u8", to: "good.m3u8")
    try catalogue.tree.link("evil.m3u8", to: secret)
    try catalogue.tree.link("a/evil.nsp", to: secret)
    // Opening a pipe must not block.
    try #require(mkfifo(catalogue.tree.path("pipe.m3u").cString, 0o600) == 0)
    try await refresh(catalogue)
    #expect(try await lists(catalogue).map(\.title) == ["good", "within"])
    #expect(try await catalogue.problems() == ["library.outsideFolders", "library.outsideFolders"])
    // A file that becomes such a link loses its text, too.
    try catalogue.tree.remove("good.m3u8")
    try catalogue.tree.remove("within.m3u8")
    try catalogue.tree.link("good.m3u8", to: secret)
    try catalogue.tree.link("within.m3u8", to: secret)
    try await refresh(catalogue)
    #expect(try await lists(catalogue).isEmpty)
    let entries: Int? = try await catalogue.database.read { try $0.value("SELECT count(*) FROM playlist_entries") }
    #expect(entries == 0)
  }

  @Test func listsOfAFolderThatIsALinkAreRead() async throws {
    let catalogue = try await album()
    let elsewhere = catalogue.tree.beside("elsewhere")
    try catalogue.tree.write(Array("none.flac\n".utf8), to: Array("\(elsewhere)/x.m3u".utf8))
    try catalogue.tree.link("linked", to: elsewhere)
    try await refresh(catalogue)
    #expect(try await lists(catalogue).map(\.title) == ["x"])
  }

  @Test func listsAreNoChangeOfTheMusic() async throws {
    let catalogue = try await album()
    try await refresh(catalogue)
    let before = try await catalogue.state()
    try catalogue.tree.write(Array("a/01.flac\n".utf8), to: "x.m3u8")
    try await refresh(catalogue)
    let after = try await catalogue.state()
    #expect(after.generation == before.generation && after.lists ?? 0 > before.lists ?? 0)
    let own = try await catalogue.edit { try $0.create(.init(title: "Mine")) }
    let edited = try await catalogue.state()
    #expect(edited.generation == before.generation && edited.lists ?? 0 > after.lists ?? 0)
    #expect(try await catalogue.search("mine").playlists?.map(\.id) == [own.id])
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
