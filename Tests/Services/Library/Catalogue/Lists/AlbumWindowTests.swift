import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Catalogue

/// Parts of the list of albums by position, and the positions at which letters, years and months begin.
@Suite(.timeLimit(.minutes(2)))
struct AlbumWindowTests {
  private func catalogue() async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    let names = ["The Zombies", "émile", "Emile", "Björk", "10cc", "2raumwohnung", "ABBA", "東京", "Ärzte"]
    for number in 0..<45 {
      let year = number % 7 == 0 ? [] : ["DATE=\(1960 + number % 13)"]
      try catalogue.tree.flac(
        "\(number)/1.flac",
        ["TITLE=T", "ALBUM=Album \(number)", "ARTIST=\(names[number % names.count])"] + year
          + (number % 3 == 0 ? ["GENRE=Jazz"] : []))
    }
    try await catalogue.refresh()
    return catalogue
  }

  private func window(_ catalogue: TestCatalogue, _ request: Library.ReadAlbumWindow) async throws
    -> Library.AlbumWindow
  {
    try await catalogue.database.read { try Catalogue.window(request, randomSeed: 99, $0) }
  }

  @Test(arguments: [Library.Sort.name, .added, .year, .played, .random])
  func aWindowIsTheSamePartOfTheListThatPagesGive(_ sort: Library.Sort) async throws {
    let catalogue = try await catalogue()
    let all = try await catalogue.database.read {
      try Catalogue.albums(.init(limit: 200, sort: sort, seed: 5), randomSeed: 99, $0)
    }.items
    for first in [0, 7, 40, 44, 45, 1000] {
      let part = try await window(catalogue, .init(sort: sort, seed: 5, first: first, limit: 10))
      #expect(part.items == Array(all.dropFirst(first).prefix(10)))
      #expect(part.total == 45 && part.first == first)
      #expect((part.seed != nil) == (sort == .random))
    }
  }

  @Test func aRandomOrderIsDrawnOnceUntilSomethingChanges() {
    let lists = ListCache()
    var drawn = 0
    func numbers(_ generation: Int64, _ seed: Int64) -> [Int64] {
      let stamp = ListCache.Stamp(generation: generation)
      return lists.places(.init(stamp: stamp, subject: .albums, sort: .random, tags: [], seed: seed)) {
        drawn += 1
        return [.init(value: 0, number: generation), .init(value: 1, number: seed)]
      }.map(\.number)
    }
    for _ in 0..<5 { #expect(numbers(1, 7) == [1, 7]) }
    #expect(drawn == 1)
    #expect(numbers(1, 8) == [1, 8] && numbers(1, 7) == [1, 7])
    #expect(drawn == 2)
    #expect(numbers(2, 7) == [2, 7] && numbers(2, 7) == [2, 7])
    #expect(drawn == 3)
  }

  @Test(arguments: [Library.Sort.random, .plays, .name])
  func aListOfWhatWasAddedLatelyIsNotKept(_ sort: Library.Sort) {
    let lists = ListCache()
    var drawn = 0
    func read(_ tags: [Library.Tag]) {
      _ = lists.places(.init(stamp: ListCache.Stamp(generation: 1), subject: .tracks, sort: sort, tags: tags)) {
        drawn += 1
        return [ListCache.Place(value: 0, number: 1)]
      }
    }
    let jazz = Library.Tag(kind: .genre, name: "jazz")
    for _ in 0..<3 { read([jazz]) }
    #expect(drawn == 1)
    for _ in 0..<3 { read([jazz, Library.Tag(kind: .added, name: "30d")]) }
    #expect(drawn == 4)
  }

  @Test func aWindowOfATagHoldsOnlyItsAlbums() async throws {
    let catalogue = try await catalogue()
    let part = try await window(catalogue, .init(tag: .init(kind: .genre, name: "jazz"), first: 10, limit: 200))
    #expect(part.total == 15)
    #expect(part.items.count == 5)
    let year = try await window(catalogue, .init(tag: .init(kind: .year, name: "1961"), limit: 200))
    #expect(year.total == year.items.count && year.items.allSatisfy { $0.year == 1961 })
  }

  @Test(arguments: [Library.Sort.name, .added, .year, .played], [nil, Library.Tag(kind: .genre, name: "Jazz")])
  func marksHoldEveryAlbumOnceInTheListsOrder(_ sort: Library.Sort, _ tag: Library.Tag?) async throws {
    let catalogue = try await catalogue()
    let index = try await catalogue.database.read { try Catalogue.index(.init(sort: sort, tag: tag), $0) }
    #expect(index.total == (tag == nil ? 45 : 15))
    var place = 0
    for mark in index.marks {
      #expect(mark.first == place && mark.count > 0)
      place += mark.count
    }
    #expect(place == index.total)
  }

  @Test func lettersAreThoseThatNamesAreSortedBy() async throws {
    let catalogue = try await catalogue()
    let index = try await catalogue.database.read { try Catalogue.index(.init(), $0) }
    #expect(index.marks.map(\.name) == ["#", "A", "B", "E", "Z", "東"])
    #expect(index.marks.map(\.count) == [10, 10, 5, 10, 5, 5])
    let years = try await catalogue.database.read { try Catalogue.index(.init(sort: .year), $0) }
    #expect(years.marks.last?.name == "" && years.marks.first?.name == "1972")
    let played = try await catalogue.database.read { try Catalogue.index(.init(sort: .played), $0) }
    #expect(played.marks == [.init(name: "", first: 0, count: 45)])
    let drawn = try await catalogue.database.read { try Catalogue.index(.init(sort: .random), $0) }
    #expect(drawn.marks.isEmpty && drawn.total == 45)
  }

  @Test func whatWasNeverPlayedIsNotCountedWithWhatWasPlayedInJanuary1970() async throws {
    let catalogue = try await catalogue()
    try await catalogue.database.write { transaction in
      try transaction.execute(
        "UPDATE albums SET played_at = 5000000 WHERE id = (SELECT min(id) FROM albums WHERE listed = 1)")
    }
    let played = try await catalogue.database.read { try Catalogue.index(.init(sort: .played), $0) }
    #expect(
      played.marks == [.init(name: "1970-01", first: 0, count: 1), .init(name: "", first: 1, count: 44)])
  }
}
