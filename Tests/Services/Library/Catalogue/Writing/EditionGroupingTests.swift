import Model
import Testing

@testable import Catalogue
@testable import Records

/// Editions of one release group, by names and ids.
struct EditionGroupingTests {
  private typealias Album = (mergeKey: String, isReleased: Bool, releaseGroup: String?, number: Int64)

  /// Titles, what is left of each, and the edition.
  private static let titles: [(written: String, title: String, edition: String?)] = [
    ("Blue", "Blue", nil), ("Blue (Deluxe Edition)", "Blue", "Deluxe Edition"),
    ("Blue [2011 Remaster]", "Blue", "2011 Remaster"), ("Blue (Expanded) [Remastered]", "Blue", "Expanded, Remastered"),
    ("Blue (1999 version)", "Blue", "1999 version"), ("Red (Taylor's Version)", "Red (Taylor's Version)", nil),
    ("Blue (Live)", "Blue (Live)", nil), ("(Deluxe)", "(Deluxe)", nil), ("Blue (Part 2)", "Blue (Part 2)", nil),
    ("Sgt. Pepper (Super-Deluxe)", "Sgt. Pepper", "Super-Deluxe"), ("Blue (Mono)", "Blue", "Mono"),
    ("The Remaster", "The Remaster", nil), ("Blue ()", "Blue ()", nil), (")", ")", nil),
  ]

  @Test(arguments: titles)
  func bracketsThatNameAnEditionAreNoPartOfTheTitle(_ title: (written: String, title: String, edition: String?)) {
    let found = EditionTitle.split(title.written)
    #expect(found.title == title.title && found.edition == title.edition)
  }

  @Test func aReleaseGroupTakesInTheAlbumsOfItsName() {
    let albums: [Album] = [("a", true, "g", 1), ("b", false, nil, 2), ("c", true, nil, 3)]
    #expect(EditionGrouping.groupKeys(of: albums, "n") == ["rg:g", "rg:g", "rg:g"])
  }

  @Test func ofTwoReleaseGroupsNeitherTakesInAnAlbumWithout() {
    let albums: [Album] = [("a", true, "g", 1), ("b", true, "h", 2), ("c", false, nil, 3)]
    #expect(EditionGrouping.groupKeys(of: albums, "n") == ["rg:g", "rg:h", "name:n"])
  }

  @Test func strangersOfOneNameAreNoEditions() {
    let albums: [Album] = [("a", false, nil, 1), ("a", false, nil, 2), ("b", false, nil, 3)]
    #expect(EditionGrouping.groupKeys(of: albums, "n") == ["name:n", "album:2", "name:n"])
    let released: [Album] = [("a", false, nil, 1), ("a", true, nil, 2), ("a", true, nil, 3)]
    #expect(EditionGrouping.groupKeys(of: released, "n") == ["album:1", "name:n", "name:n"])
  }

  @Test func theChoiceIsByWhatMattersMost() {
    typealias Candidate = EditionChoice.Candidate
    let plain = Candidate(number: 2, isLossless: true, date: PartialDate("1990"), tracks: 10)
    func changed(_ change: (inout Candidate) -> Void) -> Candidate {
      var candidate = plain
      candidate.number = 1
      change(&candidate)
      return candidate
    }
    let worse: [Candidate] = [
      changed { $0.isOfficial = false }, changed { $0.isLossless = false }, changed { $0.hasGaps = true },
      changed { $0.date = PartialDate("1991") }, changed { $0.date = nil }, changed { $0.tracks = 9 },
    ]
    for candidate in worse { #expect(plain < candidate, "\(candidate)") }
    #expect(changed { _ in } < plain)
    // An edition with gaps is listed where it has more tracks; else the oldest whole one is.
    func best(_ others: Candidate...) -> Int64? { EditionChoice([plain] + others).best }
    #expect(best(changed { ($0.hasGaps, $0.tracks, $0.date) = (true, 11, nil) }) == 1)
    #expect(best(changed { ($0.hasGaps, $0.tracks) = (true, 10) }) == 2)
    #expect(best(changed { ($0.tracks, $0.date) = (15, PartialDate("2011")) }) == 2)
    #expect(changed { ($0.isOfficial, $0.isPreferred) = (false, true) } < plain)
    #expect(changed { ($0.sampleRate, $0.bitDepth, $0.date) = (96_000, 24, PartialDate("1991")) } > plain)
  }

  @Test func editionsShareAPlaceAndNoFolder() {
    func parts(_ albums: (folders: Set<String>, places: Set<String>)...) -> [[Int64]] {
      EditionParts.parts(
        of: albums.enumerated().map { index, album in
          EditionParts.Album(number: Int64(index + 1), folders: album.folders, places: album.places)
        })
    }
    #expect(parts((["a"], ["1.1", "1.2"]), (["b"], ["1.2"])) == [[1, 2]])
    #expect(parts((["a"], ["1.1", "1.2"]), (["a"], ["1.2"])) == [[1], [2]])
    #expect(parts((["a"], ["1.1", "1.2"]), (["b"], ["2.1"])) == [[1], [2]])
    #expect(parts((["a"], ["1.1"]), (["a"], ["1.1"]), (["b"], ["1.1"])) == [[1, 3], [2]])
    #expect(parts(([], ["1.1", "1.2"]), ([], ["1.1"]), ([], ["1.2"])) == [[1, 2, 3]])
  }

  /// The numbers that are there, how many the tags promise, and those that are missing.
  private static let numbers: [(there: Set<Int>, total: Int?, missing: [Int])] = [
    ([1, 2, 3], nil, []), ([1, 3], nil, [2]), ([1, 2, 3], 5, [4, 5]), ([1], 9, []), ([], 3, []), ([2, 3], 3, [1]),
    ([1, 2, 3], 2, []), ([7], nil, []), ([1, 5000], nil, []),
  ]

  @Test(arguments: numbers)
  func missingNumbersAreNamed(_ disc: (there: Set<Int>, total: Int?, missing: [Int])) {
    #expect(Catalogue.missing(among: disc.there, total: disc.total) == disc.missing)
  }
}
