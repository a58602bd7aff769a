import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Catalogue
@testable import People

/// Words that are spelt a little differently from those of the catalogue.
@Suite(.timeLimit(.minutes(2)))
struct SpellingCorrectionTests {
  private static let albums = [
    ("Radiohead", "The Bends"), ("Portishead", "Dummy"), ("Fleetwood Mac", "Rumours"),
    ("Massive Attack", "Protection"), ("Thelonious Monk", "Misterioso"), ("Joni Mitchell", "Hejira"),
    ("Stevie Wonder", "Innervisions"), ("Sigur Rós", "Takk"), ("Björk", "Post"), ("Miles Davis", "Kind of Blue"),
    ("Bob Seger", "Night Moves"), ("Elton John", "Goodbye Yellow Brick Road"),
    ("Johann Sebastian Bach", "Orchestra and Symphony"),
  ]

  private func catalogue() async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    for (artist, album) in Self.albums {
      try catalogue.tree.flac("\(artist)/1.flac", ["TITLE=One", "ARTIST=\(artist)", "ALBUM=\(album)"])
    }
    try await catalogue.refresh()
    return catalogue
  }

  private static let misspelt: [(String, String)] = [
    ("nigth", "night"), ("nihgt", "night"), ("nght", "night"), ("nightt", "night"), ("Radiohaed", "radiohead"),
    ("radohead", "radiohead"), ("radiohed", "radiohead"), ("raidohead", "radiohead"), ("qadiohead", "radiohead"),
    ("adiohead", "radiohead"), ("ardiohead", "radiohead"), ("portishaed", "portishead"), ("potrishead", "portishead"),
    ("fletwood mac", "fleetwood mac"), ("fleetwod mac", "fleetwood mac"), ("masive atack", "massive attack"),
    ("thelonius", "thelonious"), ("michell", "mitchell"), ("stevei", "stevie"), ("wondre", "wonder"),
    ("symphoney", "symphony"), ("simphony", "symphony"), ("orchestar", "orchestra"), ("sebastain", "sebastian"),
    ("yelow brick", "yellow brick"), ("rumuors", "rumours"), ("rumors", "rumours"), ("protecton", "protection"),
    ("bjrok", "bjork"), ("dvais", "davis"), ("miels davis", "miles davis"), ("siguur", "sigur"), ("jonni", "joni"),
    ("kidn of blue", "kind of blue"), ("bcah", "bach"),
  ]

  @Test func wordsThatAreSpeltAlikeAreFound() async throws {
    let catalogue = try await catalogue()
    for (words, meant) in Self.misspelt {
      let found = try await catalogue.search(words)
      #expect(found.searchedWords == meant, "\(words)")
      var expected = try await catalogue.search(meant)
      #expect(expected.searchedWords == nil && !expected.albums.isEmpty, "\(meant)")
      expected.searchedWords = meant
      #expect(found == expected, "\(words)")
    }
  }

  @Test(arguments: ["radio", "Night", "xyz", "mca", "qqqqqq", "wonderland of nothing", "blue rós", "night davis"])
  func wordsThatFitOrAreLikeNoneAreLeftAsTheyAre(_ words: String) async throws {
    #expect(try await catalogue().search(words).searchedWords == nil)
  }

  @Test func genresAreSpeltAlikeToo() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac("x/1.flac", ["TITLE=T", "ARTIST=A", "ALBUM=X", "GENRE=Shoegaze"])
    try await catalogue.refresh()
    let found = try await catalogue.search("shoegase")
    #expect(found.searchedWords == "shoegaze" && found.tags?.map(\.name) == ["Shoegaze"] && found.albums.isEmpty)
  }

  @Test func notesAreSearchedByTheWordsAsTheyAre() async throws {
    let catalogue = try await catalogue()
    let found = try await catalogue.database.read {
      try Catalogue.search(.init(words: "nigth", inNotes: true), keeping: SearchCache(.ofPeople()), $0)
    }
    #expect(found.searchedWords == "night" && found.notes == [])
  }

  @Test func resultsOfMisspeltWordsArePlayed() async throws {
    let catalogue = try await catalogue()
    let request = Library.ListPlayable(ids: [PlayableID(source: "library", native: "search:radiohaed")])
    let page = try await catalogue.database.read { try Catalogue.playable(request, host: "h", $0) }
    #expect(page.tracks.map(\.track.artist) == ["Radiohead"])
  }

  @Test func aCorrectionIsKeptForTheNextPageUntilTheCatalogueChanges() async throws {
    let catalogue = try await catalogue()
    let cache = SearchCache(.none)
    func found() async throws -> String? {
      try await catalogue.database.read { try Catalogue.found(by: "radiohaed", keeping: cache, $0)?.query }
    }
    func vocabulary() async throws -> SearchVocabulary {
      try await catalogue.database.read { try cache.vocabulary($0) }
    }
    let query = try await found()
    let kept = try await vocabulary()
    #expect(query != nil)
    #expect(try await found() == query)
    #expect(try await vocabulary() === kept)
    try catalogue.tree.flac("New/1.flac", ["TITLE=Radiohaed", "ARTIST=New", "ALBUM=New"])
    try await catalogue.refresh()
    #expect(try await found() != query)
  }

  @Test func hostileWordsFindNothingAndHarmNothing() async throws {
    let catalogue = try await catalogue()
    let words = [
      "\u{0}", "\"*'", "NEAR(a b)", "night\"OR\"x", "%_%_%_", "'; DROP TABLE search; --", "\u{10FFFF}\u{10FFFF}",
      "\u{202E}thgin", "🎷🎷🎷🎷🎷", "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}", "東京東京東京",
      String(repeating: "nigth", count: 5000), String(repeating: "nigth ", count: 500),
      String(repeating: "\u{300}", count: 2000), "AND OR NOT", "-----", "a:b:c:d:e:f", "{rowid} : night",
    ]
    for words in words {
      let found = try await catalogue.search(words)
      #expect(found.tracks.count <= 13 && found.best.map { $0.id.source.isEmpty } != true)
    }
    try await catalogue.expectWholeIndex()
  }
}
