import Messages
import Model
import Storage
import TestSupport
import Testing
import Text

@testable import Catalogue
@testable import People

/// Pages of albums, artists and tracks.
@Suite(.timeLimit(.minutes(2)))
struct PageTests {
  /// 60 albums by 20 artists, some with the same title and some without a year.
  private func catalogue() async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    for number in 0..<60 {
      let year = number % 7 == 0 ? [] : ["DATE=\(1960 + number % 13)"]
      try catalogue.tree.flac(
        "\(number)/1.flac", ["TITLE=T", "ALBUM=Album \(number % 30)", "ARTIST=The Artist \(number % 20)"] + year)
    }
    try await catalogue.refresh()
    return catalogue
  }

  private func pages(_ catalogue: TestCatalogue, _ sort: Library.Sort, limit: Int, seed: Int64? = nil) async throws
    -> [Album]
  {
    var albums: [Album] = []
    var after: String?
    repeat {
      let request = Library.ListAlbums(after: after, limit: limit, sort: sort, seed: seed)
      let page = try await catalogue.database.read { try Catalogue.albums(request, randomSeed: 99, $0) }
      #expect(page.items.count <= limit && (page.next == nil || page.items.count == limit))
      albums += page.items
      after = page.next
    } while after != nil
    return albums
  }

  @Test(arguments: [Library.Sort.name, .added, .year, .played, .random], [1, 7, 59, 60, 61])
  func pagesHoldEveryAlbumOnceInOrder(_ sort: Library.Sort, _ limit: Int) async throws {
    let catalogue = try await catalogue()
    let whole = try await pages(catalogue, sort, limit: 200, seed: 5)
    let paged = try await pages(catalogue, sort, limit: limit, seed: 5)
    #expect(paged == whole)
    #expect(Set(paged.map(\.id)).count == 60)
  }

  @Test func namesAreSortedByArtistThenTitleWithoutArticleCaseAndMarks() async throws {
    let catalogue = try TestCatalogue()
    for (artist, album) in [
      ("The Zombies", "a"), ("émile", "B"), ("Emile", "a"), ("Björk", "x"), ("bjork", "The Album"), ("ABBA", "Z"),
      ("Die Ärzte", "q"), ("DJ Zed", "y"), ("10cc", "w"),
    ] { try catalogue.tree.flac("\(artist) \(album)/1.flac", ["TITLE=T", "ALBUM=\(album)", "ARTIST=\(artist)"]) }
    try await catalogue.refresh()
    let order = try await catalogue.albums().map { "\($0.artist)/\($0.title)" }
    #expect(
      order == [
        "10cc/w", "ABBA/Z", "Die Ärzte/q", "bjork/The Album", "Björk/x", "DJ Zed/y", "Emile/a", "émile/B",
        "The Zombies/a",
      ])
    #expect(try await catalogue.artists().map(\.name).first == "10cc")
  }

  @Test func sortNamesGoBeforeNames() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac(
      "a/1.flac", ["TITLE=T", "ALBUM=x", "ALBUMARTIST=Nick Drake", "ALBUMARTISTSORT=Drake, Nick", "ARTIST=n"])
    try catalogue.tree.flac("b/1.flac", ["TITLE=T", "ALBUM=y", "ARTIST=Enya"])
    try await catalogue.refresh()
    #expect(try await catalogue.albums().map(\.artist) == ["Nick Drake", "Enya"])
  }

  @Test func yearsGoFromTheNewestAndUnknownOnesLast() async throws {
    let years = try await catalogue().albums(.year).map(\.year)
    #expect(years.compactMap { $0 } == years.compactMap { $0 }.sorted(by: >))
    let firstUnknown = try #require(years.firstIndex(of: nil))
    #expect(years[firstUnknown...].allSatisfy { $0 == nil })
  }

  @Test func arrivalsGoFromTheNewest() async throws {
    let catalogue = try TestCatalogue()
    for number in 1...3 {
      try catalogue.tree.album("\(number)", ["ALBUM=\(number)", "ARTIST=A"], tracks: 1)
      try await catalogue.refresh()
      catalogue.wait(seconds: 10)
    }
    #expect(try await catalogue.albums(.added).map(\.title) == ["3", "2", "1"])
  }

  @Test func aSeedGivesOneOrderAndAnotherSeedAnother() async throws {
    let catalogue = try await catalogue()
    let one = try await pages(catalogue, .random, limit: 10, seed: 1).map(\.id)
    #expect(try await pages(catalogue, .random, limit: 13, seed: 1).map(\.id) == one)
    #expect(try await pages(catalogue, .random, limit: 10, seed: 2).map(\.id) != one)
    // Without a seed the first page draws one, and the following pages keep it.
    #expect(Set(try await pages(catalogue, .random, limit: 10)).count == 60)
  }

  @Test func albumsThatComeAndGoBetweenPagesHideNoOthers() async throws {
    let catalogue = try await catalogue()
    let before = try await catalogue.albums()
    let first = try await catalogue.database.read { try Catalogue.albums(.init(limit: 30), randomSeed: 0, $0) }
    // One album of the first page is removed, and another one comes before it.
    let gone = try #require(first.items.last)
    let number = try #require(try await catalogue.tracks(of: gone).first)
    let path = try await catalogue.database.read { try Catalogue.path(of: number.id, $0) }
    try catalogue.tree.remove(path.bytes)
    try catalogue.tree.album("0new", ["ALBUM=A", "ARTIST=Aaa"], tracks: 1)
    try await catalogue.refresh()
    let rest = try await catalogue.database.read {
      try Catalogue.albums(.init(after: first.next, limit: 200), randomSeed: 0, $0)
    }
    #expect(first.items + rest.items == before)
  }

  @Test(arguments: ["", "x", "!!!!", "bmFtZR8x", "bmFtZR8fHzE", "ZZZZ_-ZZZZ"])
  func aCursorOfSomethingElseIsRefused(_ cursor: String) async throws {
    let catalogue = try await catalogue()
    await #expect {
      try await catalogue.database.read { try Catalogue.albums(.init(after: cursor, sort: .year), randomSeed: 0, $0) }
    } throws: { ($0 as? LunaraError)?.code == "library.badCursor" }
    await #expect { try await catalogue.database.read { try Catalogue.artists(.init(after: cursor), $0) } } throws: {
      ($0 as? LunaraError)?.code == "library.badCursor"
    }
  }

  @Test func artistsComeInPages() async throws {
    let catalogue = try await catalogue()
    var names: [String] = []
    var after: String?
    repeat {
      let request = Library.ListArtists(after: after, limit: 6)
      let page = try await catalogue.database.read { try Catalogue.artists(request, $0) }
      names += page.items.map(\.name)
      after = page.next
    } while after != nil
    #expect(names.count == 20 && Set(names).count == 20)
    #expect(names == names.sorted { SortKey.of($0) < SortKey.of($1) })
  }

  @Test func aLongAlbumComesInPages() async throws {
    let catalogue = try TestCatalogue()
    for number in 1...450 {
      try catalogue.tree.flac(
        "x/\(number).flac", ["ALBUM=X", "ARTIST=A", "TITLE=\(number)", "TRACKNUMBER=\(number % 50)"])
    }
    try await catalogue.refresh()
    let album = try await catalogue.album("X")
    var tracks: [Track] = []
    var after: String?
    repeat {
      let request = Library.ReadAlbum(id: album.id, after: after)
      let page = try await catalogue.database.read { try Catalogue.album(request, $0) }
      #expect(page.album == album && page.tracks.count <= 200)
      tracks += page.tracks
      after = page.next
    } while after != nil
    #expect(Set(tracks.map(\.id)).count == 450 && tracks.count == 450)
    // The numbers 50, 100 … are 0 here, which counts as no number: those tracks come last.
    let numbers = tracks.map { $0.number ?? 1000 }
    #expect(numbers == numbers.sorted())
  }

  @Test func noAnswerIsLargerThanTheBusCarries() async throws {
    let catalogue = try TestCatalogue()
    // Quotes take two bytes in JSON; these titles are as long as titles can be.
    let long = String(repeating: "\"", count: 990)
    for number in 0..<150 {
      try catalogue.tree.flac(
        "\(number)/1.flac", ["TITLE=\(long)\(number)", "ALBUM=\(long)\(number)", "ARTIST=\(long)", "GENRE=\(long)"])
    }
    try await catalogue.refresh()
    var count = 0
    var after: String?
    repeat {
      let request = Library.ListAlbums(after: after, limit: 200)
      let page = try await catalogue.database.read { try Catalogue.albums(request, randomSeed: 0, $0) }
      #expect(try MessageCoding.encode(page).count < 200_000)
      count += page.items.count
      after = page.next
    } while after != nil
    #expect(count == 150)
    let ids = try await catalogue.albums().map { PlayableID(source: $0.id.source, native: $0.id.native) }
    var tracks = 0
    repeat {
      let request = Library.ListPlayable(ids: ids, after: after)
      let page = try await catalogue.database.read { try Catalogue.playable(request, host: "h", $0) }
      #expect(try MessageCoding.encode(page).count < 200_000)
      tracks += page.tracks.count
      after = page.next
    } while after != nil
    #expect(tracks == ids.count)
  }
}
