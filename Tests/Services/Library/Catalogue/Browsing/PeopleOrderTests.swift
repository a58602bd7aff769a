import Messages
import Model
import Storage
import Testing
import Text

@testable import Catalogue

/// The orders of artists and of people in roles, in both directions and page by page.
@Suite(.timeLimit(.minutes(2)))
struct PeopleOrderTests {
  static let roles: [CreditRole?] = [nil, .albumArtist, .artist, .composer]

  /// Seven artists with one to three albums each, and three composers.
  private func catalogue() async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    let names = ["The Zombies", "émile", "Björk", "10cc", "ABBA", "東京", "Ärzte"]
    for (index, name) in names.enumerated() {
      for album in 0...index % 3 {
        try catalogue.tree.flac(
          "a\(index)-\(album)/1.flac",
          [
            "TITLE=One \(name) \(album)", "TRACKNUMBER=1", "ALBUM=\(name) \(album)", "ARTIST=\(name)",
            "COMPOSER=\(["Bach", "Clara", "Zoë"][(index + album) % 3])",
          ])
      }
    }
    try await catalogue.refresh()
    return catalogue
  }

  private func people(
    _ catalogue: TestCatalogue, _ role: CreditRole?, _ sort: Library.TagSort?, startingAt: String? = nil,
    isReversed: Bool? = nil, limit: Int = 200
  ) async throws -> [Artist] {
    var people: [Artist] = []
    var after: String?
    repeat {
      let request = Library.ListArtists(
        after: after, limit: limit, startingAt: startingAt, role: role, sort: sort, isReversed: isReversed)
      let page = try await catalogue.database.read { try Catalogue.artists(request, $0) }
      people += page.items
      after = page.next
    } while after != nil
    return people
  }

  @Test(arguments: PeopleOrderTests.roles)
  func anOppositeOrderIsTheListBackwards(_ role: CreditRole?) async throws {
    let catalogue = try await catalogue()
    for sort in [Library.TagSort.name, .albums] {
      let forwards = try await people(catalogue, role, sort)
      #expect(forwards.count == (role == .composer ? 3 : 7) && Set(forwards.map(\.id)).count == forwards.count)
      for limit in [1, 2, 200] {
        #expect(try await people(catalogue, role, sort, limit: limit) == forwards)
        let backwards = try await people(catalogue, role, sort, isReversed: true, limit: limit)
        #expect(backwards == Array(forwards.reversed()))
      }
    }
  }

  @Test func artistsAreSortedByNameOrByTheirNumbersOfAlbums() async throws {
    let catalogue = try await catalogue()
    let names = try await people(catalogue, nil, nil).map { SortKey.of($0.name) }
    #expect(names == names.sorted() && names.first == SortKey.of("10cc") && names.contains("zombies"))
    let counts = try await people(catalogue, nil, .albums).map(\.albumCount)
    #expect(counts == [3, 3, 2, 2, 1, 1, 1])
    let credited = try await people(catalogue, .composer, .albums).compactMap(\.trackCount)
    #expect(credited.count == 3 && credited == credited.sorted(by: >))
  }

  @Test func aListBeginsAtALetterInBothDirections() async throws {
    let catalogue = try await catalogue()
    let from = try await people(catalogue, nil, .name, startingAt: "b").map { SortKey.of($0.name) }
    #expect(Array(from.prefix(3)) == ["bjork", "emile", "zombies"])
    let backwards = try await people(catalogue, nil, .name, startingAt: "b", isReversed: true)
    #expect(backwards.map { SortKey.of($0.name) }.first == "bjork" && backwards.last?.name == "10cc")
    #expect(backwards.count == 4)
    let digits = try await people(catalogue, nil, .name, startingAt: "9", isReversed: true)
    #expect(digits.map(\.name) == ["10cc"])
  }

  @Test func aCursorOfOneOrderIsNoneOfTheOthers() async throws {
    let catalogue = try await catalogue()
    let page = try await catalogue.database.read { try Catalogue.artists(.init(limit: 2), $0) }
    for other in [
      Library.ListArtists(after: page.next, isReversed: true), Library.ListArtists(after: page.next, sort: .albums),
      Library.ListArtists(after: page.next, role: .artist),
    ] {
      await #expect {
        try await catalogue.database.read { try Catalogue.artists(other, $0) }
      } throws: { ($0 as? LunaraError)?.code == "library.badCursor" }
    }
  }
}
