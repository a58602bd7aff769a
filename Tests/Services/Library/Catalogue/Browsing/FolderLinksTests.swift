import Glibc
import Messages
import Model
import Storage
import Testing

@testable import Catalogue
@testable import People
@testable import Records
@testable import Sources

/// Symbolic links in music folders: what is behind them is shown and played under their names, and is there once.
@Suite(.timeLimit(.minutes(2)))
struct FolderLinksTests {
  /// Links to folders and files, out of the music folder, twice to the same, back, and to nothing.
  private func catalogue() async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    let tree = catalogue.tree
    try tree.album("All/Larch/Ring", ["ALBUM=Ring", "ARTIST=Larch"], tracks: 2)
    try tree.link("All/Larch/back", to: "..")
    try tree.link("self", to: ".")
    try tree.link("Genres/Folk/Larch", to: "../../All/Larch")
    try tree.link("Best/My favourite.flac", to: "../All/Larch/Ring/02.flac")
    try tree.write(
      FLACFile.bytes(["ALBUM=Far", "ARTIST=Larch", "TITLE=Away", "TRACKNUMBER=1"], seconds: 60),
      to: Array(tree.beside("outside/Far/01.flac").utf8))
    try tree.link("more", to: tree.beside("outside"))
    try tree.link("Picked/x.flac", to: tree.beside("outside/Far/01.flac"))
    try tree.link("dead.flac", to: "nowhere")
    try tree.link("deadloop", to: "deadloop")
    #expect(try await catalogue.refresh() == [3, 0, 0, 0])
    return catalogue
  }

  private func page(
    _ catalogue: TestCatalogue, _ folder: String, after: String? = nil, limit: Int = 100
  ) async throws -> Library.FolderPage {
    let root = catalogue.tree.root
    let path = LocalPath(bytes: folder.isEmpty ? root : catalogue.tree.path(folder))
    return try await catalogue.database.read {
      try Catalogue.folder(.init(path: path, after: after, limit: limit), roots: [root], $0)
    }
  }

  /// Returns the folders and files on all pages of a folder, folders with a slash.
  private func names(_ catalogue: TestCatalogue, _ folder: String, limit: Int = 100) async throws -> [String] {
    var (names, after): ([String], String?) = ([], nil)
    repeat {
      let page = try await page(catalogue, folder, after: after, limit: limit)
      let path = folder.isEmpty ? catalogue.tree.root : catalogue.tree.path(folder)
      #expect(page.path?.bytes == path)
      #expect(page.folders.allSatisfy { FilePath.parent($0.path.bytes) == path })
      names += page.folders.map { $0.name + "/" } + page.tracks.map(\.name)
      after = page.next
    } while after != nil
    return names
  }

  /// Returns the titles of the tracks that a folder plays, read in parts.
  private func played(_ catalogue: TestCatalogue, _ folder: String, limit: Int = 100) async throws -> [String] {
    let path = folder.isEmpty ? catalogue.tree.root : catalogue.tree.path(folder)
    return try await catalogue.database.read { transaction in
      var titles: [String] = []
      while true {
        let items = try Catalogue.items(ofFolder: path, from: Int64(titles.count), limit: limit, transaction)
        #expect(items.map(\.position) == items.indices.map { Int64(titles.count + $0) })
        if items.isEmpty { return titles }
        for item in items {
          titles.append(try transaction.value("SELECT title FROM tracks WHERE id = ?", item.item.number) ?? "")
        }
      }
    }
  }

  private func isUnknown(_ catalogue: TestCatalogue, _ folder: String) async throws -> Bool {
    do {
      _ = try await page(catalogue, folder)
      return false
    } catch let error as LunaraError where error.code == "library.unknownFolder" {
      return true
    }
  }

  @Test func aFolderOfLinksShowsWhatIsBehindThemUnderTheirNames() async throws {
    let catalogue = try await catalogue()
    for limit in [2, 3, 100] {
      #expect(try await names(catalogue, "", limit: limit) == ["All/", "Best/", "Genres/", "Picked/", "more/"])
      #expect(try await names(catalogue, "Genres", limit: limit) == ["Folk/"])
      #expect(try await names(catalogue, "Genres/Folk", limit: limit) == ["Larch/"])
      #expect(try await names(catalogue, "Genres/Folk/Larch", limit: limit) == ["Ring/"])
      #expect(try await names(catalogue, "Genres/Folk/Larch/Ring", limit: limit) == ["01.flac", "02.flac"])
      #expect(try await names(catalogue, "Best", limit: limit) == ["My favourite.flac"])
      #expect(try await names(catalogue, "Picked", limit: limit) == ["x.flac"])
      #expect(try await names(catalogue, "more", limit: limit) == ["Far/"])
      // Links that lead back are not shown.
      #expect(try await names(catalogue, "All/Larch", limit: limit) == ["Ring/"])
    }
    #expect(try await page(catalogue, "Best").tracks.map(\.track.title) == ["Song 2 of All/Larch/Ring"])
    #expect(try await page(catalogue, "Best").albums.map(\.title) == ["Ring"])
    #expect(try await isUnknown(catalogue, "Genres/Folk/Larch/None"))
    #expect(try await catalogue.albums().map(\.title) == ["Far", "Ring"])
    #expect(try await catalogue.refresh() == [0, 0, 3, 0])
  }

  @Test func aFolderOfLinksPlaysEachFileOnce() async throws {
    let catalogue = try await catalogue()
    let ring = ["Song 1 of All/Larch/Ring", "Song 2 of All/Larch/Ring"]
    for limit in [1, 2, 100] {
      #expect(try await played(catalogue, "Genres", limit: limit) == ring)
      #expect(try await played(catalogue, "Genres/Folk/Larch/Ring", limit: limit) == ring)
      #expect(try await played(catalogue, "Best", limit: limit) == [ring[1]])
      #expect(try await played(catalogue, "Picked", limit: limit) == ["Away"])
      #expect(try await played(catalogue, "", limit: limit) == ring + ["Away"])
    }
    let id = try #require(try await page(catalogue, "Genres/Folk").folders.first?.id)
    let tracks = try await catalogue.database.read { try Catalogue.playable(.init(ids: [id]), host: "h", $0).tracks }
    #expect(
      tracks.map { $0.path?.bytes } == ["01", "02"].map { catalogue.tree.path("All/Larch/Ring/\($0).flac") })
  }

  @Test func linksThatLeadIntoEachOtherEnd() async throws {
    let catalogue = try TestCatalogue()
    let tree = catalogue.tree
    for name in ["a", "b"] { try tree.album("\(name)/x", ["ALBUM=\(name)", "ARTIST=A"], tracks: 1) }
    try tree.link("a/over", to: "../b")
    try tree.link("b/over", to: "../a")
    try tree.link("c/again", to: "../a")
    try tree.link("c/once", to: "../a/x")
    try await catalogue.refresh()
    #expect(try await played(catalogue, "a") == ["Song 1 of b/x", "Song 1 of a/x"])
    #expect(try await played(catalogue, "c") == ["Song 1 of b/x", "Song 1 of a/x"])
    #expect(try await names(catalogue, "a/over/over/over/over") == ["over/", "x/"])
    #expect(try await names(catalogue, "c") == ["again/", "once/"])
  }

  @Test func linksFollowTheirFolders() async throws {
    let catalogue = try await catalogue()
    let tree = catalogue.tree
    func refresh(_ folder: String) async throws {
      let changes = ChangedFolders([tree.path(folder)])
      let counts = try await catalogue.source().refresh(only: changes, progress: RefreshProgress())
      if counts == nil { try await catalogue.refresh() }
    }
    // Only this folder is visited.
    try tree.remove("Best/My favourite.flac")
    try await refresh("Best")
    #expect(try await names(catalogue, "Best").isEmpty)
    try tree.link("Genres/Folk/Ring again", to: "../../All/Larch/Ring")
    try await refresh("Genres/Folk")
    #expect(try await names(catalogue, "Genres/Folk") == ["Larch/", "Ring again/"])
    try tree.remove("Genres/Folk")
    try await refresh("Genres/Folk")
    #expect(try await isUnknown(catalogue, "Genres"))
    // Another folder takes the place of a link.
    try tree.remove("Picked/x.flac")
    try tree.link("Picked/Larch", to: "../All/Larch")
    try await catalogue.refresh()
    #expect(try await names(catalogue, "Picked") == ["Larch/"])
    // The target of a link goes.
    try tree.move("All/Larch", to: "All/Fir")
    try await catalogue.refresh()
    #expect(try await names(catalogue, "") == ["All/", "more/"])
    #expect(try await names(catalogue, "All") == ["Fir/"])
  }

  @Test func linksStayWhileTheirMusicFolderIsAway() async throws {
    let catalogue = try await catalogue()
    let (root, away) = (catalogue.tree.root, Array(catalogue.tree.beside("away").utf8))
    try #require(rename(root.cString, away.cString) == 0)
    try await catalogue.refresh()
    #expect(try await names(catalogue, "Genres/Folk/Larch/Ring") == ["01.flac", "02.flac"])
    // The mount point is there, and empty.
    try catalogue.tree.make(folder: root)
    try await catalogue.refresh()
    #expect(try await names(catalogue, "Best") == ["My favourite.flac"])
    try #require(rmdir(root.cString) == 0)
    try #require(rename(away.cString, root.cString) == 0)
    #expect(try await catalogue.refresh() == [0, 0, 3, 0])
    #expect(try await names(catalogue, "Genres/Folk") == ["Larch/"])
  }

  @Test func aLinkedFolderNarrowsAndIsReadAgainByItsName() async throws {
    let catalogue = try await catalogue()
    let path = catalogue.tree.path("Genres/Folk/Larch")
    let tag = Library.Tag(kind: .folder, name: LocalPath(bytes: path).description)
    let albums = try await catalogue.database.read {
      try Catalogue.albums(.init(limit: 9, tags: [tag]), randomSeed: 1, $0).items.map(\.title)
    }
    #expect(albums == ["Ring"])
    try await catalogue.database.write { try Catalogue.readAgain(path, $0) }
    let marked: Int? = try await catalogue.database.read { try $0.value("SELECT count(*) FROM files WHERE reader = 0") }
    #expect(marked == 2)
  }
}
