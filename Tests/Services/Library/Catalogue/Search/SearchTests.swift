import Messages
import Model
import Storage
import TestSupport
import Testing
import Text

@testable import Catalogue
@testable import Records

/// Search results and their order.
@Suite(.timeLimit(.minutes(2)))
struct SearchTests {
  private func catalogue() async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    func add(_ artist: String, _ album: String, _ titles: String...) throws {
      for (index, title) in titles.enumerated() {
        try catalogue.tree.flac(
          "\(album.filter { $0 != "/" })/\(index).flac",
          ["TITLE=\(title)", "ARTIST=\(artist)", "ALBUM=\(album)", "TRACKNUMBER=\(index + 1)"])
      }
    }
    try add("Miles Davis", "Kind of Blue", "So What", "Blue in Green")
    try add("Sigur Rós", "Ágætis byrjun", "Svefn-g-englar", "Starálfur")
    try add("東京事変", "教育", "林檎の唄")
    try add("AC/DC", "Back in Black", "Hells Bells", "Don't")
    try add("!!!", "Thr!!!er", "One Girl / One Boy")
    try await catalogue.refresh()
    return catalogue
  }

  @Test func everyWordIsAPrefixOverTitleAndArtist() async throws {
    let catalogue = try await catalogue()
    #expect(try await catalogue.search("mil").artists.map(\.name) == ["Miles Davis"])
    #expect(try await catalogue.search("blue mil").albums.map(\.title) == ["Kind of Blue"])
    #expect(try await catalogue.search("blue").tracks.map(\.title) == ["Blue in Green"])
    #expect(try await catalogue.search("davis").tracks.map(\.title) == ["Blue in Green", "So What"])
    #expect(try await catalogue.search("so what miles").tracks.map(\.title) == ["So What"])
    #expect(try await catalogue.search("lue").albums.isEmpty)
    let nothing = Library.SearchResults(
      artists: [], albums: [], tracks: [], collections: [], playlists: [], tags: [], people: [])
    #expect(try await catalogue.search("blue rós") == nothing)
  }

  @Test func albumsAreFoundByTheirComposers() async throws {
    let catalogue = try TestCatalogue()
    func write(_ number: Int, album: String = "Goldberg Variations", _ composer: String?) throws {
      try catalogue.tree.flac(
        "x/\(number).flac",
        ["TITLE=\(number)", "ARTIST=Gould", "ALBUM=\(album)", "TRACKNUMBER=\(number)"]
          + (composer.map { ["COMPOSER=\($0)"] } ?? []))
    }
    func found(_ words: String) async throws -> [String] { try await catalogue.search(words).albums.map(\.title) }
    try write(1, nil)
    try await catalogue.refresh()
    #expect(try await found("bach") == [])
    try write(1, "Johann Sebastian Bach")
    try write(2, "Clara Schumann")
    try await catalogue.refresh()
    #expect(try await found("bach") == ["Goldberg Variations"])
    #expect(try await found("gould clara") == ["Goldberg Variations"])
    // A composer who is corrected or leaves with the track finds it no more, and one of another album that.
    try write(1, "Glenn Branca")
    try catalogue.tree.remove("x/2.flac")
    try await catalogue.refresh(accepting: true)
    #expect(try await found("bach") == [])
    #expect(try await found("clara") == [])
    #expect(try await found("branca") == ["Goldberg Variations"])
    try write(2, album: "Lieder", "Clara Schumann")
    try await catalogue.refresh()
    #expect(try await found("clara") == ["Lieder"])
    try write(2, "Clara Schumann")
    try await catalogue.refresh()
    #expect(try await found("clara") == ["Goldberg Variations"])
    try await catalogue.expectSameFromScratch()
  }

  @Test(arguments: ["sigur ros", "SIGUR RÓS", "agaetis", "Ágætis", "Sigur ágæ"])
  func caseAndMarksDoNotMatter(_ words: String) async throws {
    #expect(try await catalogue().search(words).albums.map(\.title) == ["Ágætis byrjun"])
  }

  @Test(arguments: ["東京", "事変", "京", "東京事変"])
  func scriptsWithoutBlanksAreFoundByCharacter(_ words: String) async throws {
    #expect(try await catalogue().search(words).artists.map(\.name) == ["東京事変"])
  }

  @Test(arguments: ["ac/dc", "acdc", "ac dc", "AC-DC"])
  func punctuationDoesNotMatter(_ words: String) async throws {
    #expect(try await catalogue().search(words).artists.map(\.name) == ["AC/DC"])
  }

  @Test func anApostropheMayBeLeftOut() async throws {
    let catalogue = try await catalogue()
    #expect(try await catalogue.search("dont").tracks.map(\.title) == ["Don't"])
    #expect(try await catalogue.search("don’t").tracks.map(\.title) == ["Don't"])
  }

  @Test func aNameOfPunctuationIsFound() async throws {
    #expect(try await catalogue().search("!!!").artists.map(\.name) == ["!!!"])
  }

  @Test func noWordsFindNothing() async throws {
    let catalogue = try await catalogue()
    for words in ["", "  ", "\u{0}", "\"", "*"] {
      #expect(try await catalogue.search(words).tracks.isEmpty, "\(words)")
    }
  }

  @Test func hitsAreSortedAndBounded() async throws {
    let catalogue = try TestCatalogue()
    for number in 0..<120 {
      try catalogue.tree.flac("x/\(number).flac", ["TITLE=Song \(number * 7919 % 1000)", "ARTIST=A", "ALBUM=X"])
    }
    try await catalogue.refresh()
    let few = try await catalogue.search("song", limit: 5).tracks.map(\.title)
    let many = try await catalogue.search("song", limit: 1000).tracks.map(\.title)
    #expect(many.count == 100)
    #expect(many == many.sorted { SortKey.of($0) < SortKey.of($1) })
    #expect(few == Array(many.prefix(5)))
  }

  @Test func aChangedTitleIsFoundInItsNewPlace() async throws {
    let catalogue = try TestCatalogue()
    for number in 0..<20 {
      try catalogue.tree.flac("x/\(number).flac", ["TITLE=Word \(10 + number)", "ARTIST=A", "ALBUM=X"])
    }
    try await catalogue.refresh()
    try catalogue.tree.flac("x/3.flac", ["TITLE=Another", "ARTIST=A", "ALBUM=X"], seconds: 4)
    try catalogue.tree.flac("x/99.flac", ["TITLE=Word 155", "ARTIST=A", "ALBUM=X"])
    try catalogue.tree.remove("x/5.flac")
    try await catalogue.refresh()
    let titles = try await catalogue.search("word").tracks.map(\.title)
    #expect(titles == titles.sorted { SortKey.of($0) < SortKey.of($1) } && titles.count == 19)
    #expect(titles.contains("Word 155") && !titles.contains("Word 13") && !titles.contains("Word 15"))
    #expect(try await catalogue.search("another").tracks.map(\.title) == ["Another"])
    try await catalogue.expectWholeIndex()
  }

  @Test func theIndexMakesRoomWhereItIsCrowded() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac("x/a.flac", ["TITLE=a", "ARTIST=A", "ALBUM=X"])
    try catalogue.tree.flac("x/z.flac", ["TITLE=z", "ARTIST=A", "ALBUM=X"])
    try await catalogue.refresh()
    // Each title sorts between the last one and `z`, so that each insertion halves the free space of the index.
    for number in 10..<40 {
      try catalogue.tree.flac("x/\(number).flac", ["TITLE=m\(number)", "ARTIST=A", "ALBUM=X"])
      try await catalogue.refresh()
    }
    try await catalogue.expectWholeIndex()
    #expect(try await catalogue.search("a", limit: 100).tracks.map(\.title).last == "z")
  }

  @Test func aFirstScanIndexesAsALaterOneDoes() async throws {
    let catalogue = try TestCatalogue()
    for number in 0..<520 {
      try catalogue.tree.flac(
        "many/\(number).flac", ["TITLE=Song \(number * 7919 % 260)", "ARTIST=Guest \(number % 9)", "ALBUM=Many"])
    }
    try catalogue.tree.album(
      "one", ["ALBUM=Blue", "ARTIST=Dvořák", "ALBUMARTIST=DVOŘÁK", "ARTISTSORT=Dvorak, Antonín"])
    try catalogue.tree.album("two", ["ALBUM=Blue", "ARTIST=R.E.M.", "ALBUMARTIST=Dvořák"])
    try await catalogue.refresh()
    try await catalogue.expectWholeIndex()
    let first = try await catalogue.words()
    #expect(first.count == 526)
    try await catalogue.database.write { transaction in
      var index = SearchIndex(transaction)
      for track: Int64 in try transaction.values("SELECT id FROM tracks") { index.mark(.track, track) }
      try index.finish()
    }
    #expect(try await catalogue.words() == first)
    try await catalogue.expectWholeIndex()
  }
}

extension TestCatalogue {
  /// The words in the index for each track.
  fileprivate func words() async throws -> [String] {
    try await database.read { transaction in
      try transaction.rows(
        """
        SELECT t.id || ' ' || t.title_sort || ': ' || s.words FROM tracks t JOIN search_rows r ON r.item = 3 << 56 | t.id
        JOIN search s ON s.rowid = r.position
        ORDER BY t.id
        """
      ) { try $0.value(0) }
    }
  }
}
