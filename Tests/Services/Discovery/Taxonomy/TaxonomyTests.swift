import FoundationEssentials
import Model
import TestSupport
import Testing

@testable import Discovery

/// The genres of tags, by the taxonomy's own file.
@Suite struct TaxonomyTests {
  private let taxonomy: Taxonomy

  init() throws { taxonomy = try TestAlbums.taxonomy() }

  private func ids(_ tags: String...) -> [String] {
    let set = taxonomy.match(tags).set
    let genres = set.genreIndices.compactMap { $0 < taxonomy.genres.count ? taxonomy.genres[$0].id : nil }
    return genres + set.subcategories.map { taxonomy.subcategories[$0].id }
  }

  @Test func thereAreNineGenresWithFiftySubcategoriesAndSixMore() {
    let core = taxonomy.genres.filter(\.isCore)
    #expect(core.count == 9 && core.reduce(0) { $0 + $1.subcategories.count } == 50)
    #expect(
      taxonomy.genres.filter { !$0.isCore }.map(\.id) == ["folk", "blues", "reggae", "soundtrack", "world", "other"])
    let all = taxonomy.genres.map(\.id) + taxonomy.subcategories.map(\.id)
    #expect(Set(all).count == all.count)
  }

  @Test(arguments: [
    ("Rock 'n' Roll", "rock and roll"), ("R&B", "r and b"), ("Hip-Hop/Rap", "hip hop rap"),
    ("Jazz+Funk", "jazz and funk"),
    ("  Drum ’n’ Bass ", "drum and bass"), ("P.Funk", "pfunk"), ("Musique Concrète", "musique concrete"),
    ("Mūsīqā", "musiqa"), ("K-Pop", "k pop"), ("80's", "80s"), ("…", ""),
  ])
  func aTagIsFolded(tag: String, folded: String) { #expect(TagFolding.fold(tag) == folded) }

  @Test func aWholeTagComesBeforeItsParts() {
    #expect(ids("Hip-Hop/Rap") == ["hiphop"] && ids("R&B/Soul") == ["rnb"])
    #expect(ids("Singer/Songwriter") == ["pop", "pop-singer-songwriter"])
    #expect(ids("Jazz; Country") == ["jazz", "country"])
    #expect(ids("Rock/Nonsense") == ["rock"])
  }

  @Test func theLongestNounAtTheEndStandsForATagThatIsNotKnown() {
    #expect(ids("Norwegian folk metal") == ["rock", "rock-metal"])
    #expect(ids("Bavarian Alternative Rock") == ["rock", "rock-alternative"])
    #expect(ids("Laptop") == [] && ids("Bebopper") == [])
  }

  @Test func nothingIsMatchedByContainment() {
    #expect(ids("Modern Country") == ["country", "country-contemporary"])
    #expect(ids("Alternative R&B") == ["rnb", "rnb-contemporary"])
    #expect(ids("Country Blues") == ["blues", "blues-country"])
    #expect(ids("Rocket Science") == [] && ids("Popcorn Makers") == [] && ids("Jazzercise Club Mix") == [])
    // A word within a tag never decides: only what the taxonomy names, or the noun at the end, does.
    for genre in taxonomy.genres { #expect(ids("\(TagFolding.fold(genre.name)) Zzyx") == [], "\(genre.name)") }
    for part in taxonomy.subcategories { #expect(ids("\(TagFolding.fold(part.name)) Zzyx") == [], "\(part.name)") }
  }

  @Test func tagsForRockAndPopTogetherCountOnlyWhereNothingElseMatches() {
    #expect(ids("Pop/Rock") == ["rock", "pop"])
    #expect(ids("Pop/Rock", "Heavy Metal") == ["rock", "rock-metal"])
    #expect(ids("Pop/Rock", "Nonsense") == ["rock", "pop"])
  }

  @Test func anAlbumIsInOtherOnlyIfItIsInNoOtherGenre() {
    #expect(ids("Christmas") == ["other"] && ids("Christmas", "Jazz") == ["jazz"])
  }

  @Test func numbersOfID3v1AreResolved() {
    #expect(ids("(17)") == ["rock"] && ids("(8)(14)") == ["rnb", "jazz"])
    #expect(ids("(4)Eurodisco") == ids("Disco", "Eurodisco"))
    #expect(taxonomy.match(["(999)"]).unmatched == ["(999)"])
  }

  @Test func anAlbumWithoutAGenreHasOneOfItsOwn() {
    let (set, unmatched) = taxonomy.match(["Nonsense", "Laptop"])
    #expect(set.genreIndices == [taxonomy.unsorted] && unmatched == ["Nonsense", "Laptop"])
    #expect(taxonomy.match([]).set.genreIndices == [taxonomy.unsorted])
  }

  @Test func aPersonsAssignmentComesFirst() throws {
    let own = try Taxonomy(Taxonomy.builtIn, assigned: [TagFolding.fold("Laptop"): "electronic-idm"])
    #expect(own.match(["LAPTOP"]).set.subcategories.map { own.subcategories[$0].id } == ["electronic-idm"])
    #expect(own.digest != taxonomy.digest)
  }

  @Test(arguments: [("musicbrainz-genres", 2000), ("discogs-styles", 400), ("id3v1-genres", 192)])
  func atLeast95PercentOfTheTagsOfPublicListsLandInAGenre(list: String, count: Int) throws {
    let path = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let text = try String(contentsOfFile: "\(path)/Support/TagLists/\(list).txt", encoding: .utf8)
    let tags = text.split(separator: "\n").map { String($0.split(separator: "\t").last ?? "") }
    #expect(tags.count >= count)
    let unmatched = tags.filter { taxonomy.set(ofTag: $0) == nil && !taxonomy.match([$0]).unmatched.isEmpty }
    #expect(Double(unmatched.count) <= 0.05 * Double(tags.count), "\(unmatched)")
  }

  @Test func aFileThatIsNoTaxonomyIsRefused() {
    for text in ["", "{}", #"{"genres":[{"id":"a"}]}"#, #"{"genres":[{"id":"a","name":"A"}]}"#] {
      #expect { try Taxonomy(Array(text.utf8)) } throws: { ($0 as? LunaraError)?.code == "discovery.badTaxonomy" }
    }
  }
}
