import Messages
import Model
import Storage
import Testing

@testable import Catalogue
@testable import People

/// Folders as the disk has them.
@Suite(.timeLimit(.minutes(2)))
struct FolderQueriesTests {
  private func catalogue() async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    for (folder, count) in [
      ("Jazz", 1), ("Jazz/Blue", 2), ("Jazz!", 1), ("Jazz and Blues/Deep/Deeper", 1), ("Jazz-Rock", 1),
      ("Rock/CD 1", 2),
      ("Rock/CD 2", 1),
    ] { try catalogue.tree.album(folder, ["ALBUM=\(folder)", "ARTIST=A"], tracks: count) }
    try await catalogue.refresh()
    return catalogue
  }

  private func page(
    _ catalogue: TestCatalogue, _ folder: String?, after: String? = nil, limit: Int = 100
  ) async throws -> Library.FolderPage {
    let root = catalogue.tree.root
    let path = folder.map { LocalPath(bytes: $0.isEmpty ? root : catalogue.tree.path($0)) }
    return try await catalogue.database.read {
      try Catalogue.folder(.init(path: path, after: after, limit: limit), roots: [root], $0)
    }
  }

  /// Returns the folders, albums and files on all pages of a folder.
  private func contents(_ catalogue: TestCatalogue, _ folder: String, limit: Int) async throws -> [[String]] {
    var found: [[String]] = [[], [], []]
    var after: String?
    repeat {
      let page = try await page(catalogue, folder, after: after, limit: limit)
      #expect(page.folders.count + page.tracks.count <= limit)
      found[0] += page.folders.map(\.name)
      found[1] += page.albums.map(\.title)
      found[2] += page.tracks.map(\.name)
      after = page.next
    } while after != nil
    return found
  }

  @Test func aFolderShowsItsFoldersAlbumsAndFiles() async throws {
    let catalogue = try await catalogue()
    let roots = try await page(catalogue, nil)
    #expect(roots.path == nil && roots.folders.map(\.path.bytes) == [catalogue.tree.root])
    for limit in [2, 3, 4, 100] {
      let root = try await contents(catalogue, "", limit: limit)
      // A name that sorts between a folder and what is in it neither hides nor repeats one.
      #expect(root[0].sorted() == ["Jazz", "Jazz and Blues", "Jazz!", "Jazz-Rock", "Rock"], "\(limit)")
      #expect(root[1].isEmpty && root[2].isEmpty)
      #expect(try await contents(catalogue, "Jazz", limit: limit) == [["Blue"], ["Jazz"], ["01.flac"]], "\(limit)")
      #expect(
        try await contents(catalogue, "Jazz/Blue", limit: limit) == [[], ["Jazz/Blue"], ["01.flac", "02.flac"]])
      #expect(try await contents(catalogue, "Jazz and Blues", limit: limit) == [["Deep"], [], []])
    }
    await #expect {
      _ = try await page(catalogue, "Jaz")
    } throws: {
      ($0 as? LunaraError)?.code == "library.unknownFolder"
    }
  }

  @Test func aFolderIsPlayedWithEverythingBelowIt() async throws {
    let catalogue = try await catalogue()
    let rock = try #require(try await page(catalogue, "").folders.first { $0.name == "Rock" })
    let played = try await catalogue.database.read {
      try Catalogue.playable(.init(ids: [rock.id]), host: "h", $0)
    }
    #expect(
      played.tracks.compactMap { $0.path?.bytes } == [
        catalogue.tree.path("Rock/CD 1/01.flac"), catalogue.tree.path("Rock/CD 1/02.flac"),
        catalogue.tree.path("Rock/CD 2/01.flac"),
      ])
    let unknown = Catalogue.playableID(ofFolder: catalogue.tree.path("Jaz"))
    await #expect {
      _ = try await catalogue.database.read { try Catalogue.playable(.init(ids: [unknown]), host: "h", $0) }
    } throws: {
      ($0 as? LunaraError)?.code == "library.unknownID"
    }
  }
}
