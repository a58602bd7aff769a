import Messages
import Model
import TestSupport
import Testing

@testable import Discovery

/// The rules of genre feeds one by one, each on a library that is made for it.
@Suite struct FeedRulesTests {
  private func feed(
    _ view: RankedAlbums, _ genre: Int = 0, subcategories: [Int] = [], dial: Int = 3, count: Int = 50, seed: Int64 = 1,
    _ change: (inout PageInput) -> Void = { _ in }
  ) throws -> PagePicks {
    var input = PageInput(seed: seed, page: 0, dial: dial, count: count)
    change(&input)
    return FeedPage.make(
      input, genre: genre, subcategories: subcategories, of: try TestAlbums.taxonomy().genres[genre].subcategories, view
    )
  }

  /// A shelf of rock with plenty for every signal, and as much of another genre.
  private func rock(liked: Bool = true) throws -> RankedAlbums {
    let parts = Array(try TestAlbums.taxonomy().genres[0].subcategories)
    return try TestAlbums.view(1600) { number, album in
      if number % 2 == 0 {
        album.put(into: 0, parts[number / 2 % parts.count])
      } else {
        album.put(into: 5)
      }
      album.artist = Int64(number % 80)
      if number < 500 { (album.plays, album.playedAt) = (3, TestAlbums.now - Int64(number % 80) * Ages.day) }
      if (500..<800).contains(number) { album.addedAt = TestAlbums.now - 10 * Ages.day }
      if liked, number % 100 == 2 { album.opinion = .liked }
    }
  }

  @Test(arguments: Dial.positions)
  func aFeedHasTheSharesOfTheTableAndOnlyAlbumsOfItsGenre(dial: Int) throws {
    let view = try rock()
    for seed in 0..<20 {
      let page = try feed(view, dial: dial, count: 100, seed: Int64(seed))
      let counts = page.counts(Dial.feedSignals)
      #expect(zip(counts, Dial.feedWeights(at: dial)).allSatisfy { abs($0 - $1) <= 1 }, "\(counts)")
      #expect(page.picks.allSatisfy { view.albums[Int($0.album)].set.contains(genre: 0) })
      #expect(Set(page.picks.map(\.album)).count == 100)
    }
  }

  @Test func aFeedOfFiftyAtTheFirstPositionIs15And13And5And2And5And10() throws {
    #expect(Shares.counts(Dial.feedWeights(at: 1), total: 50) == [15, 13, 5, 2, 5, 10])
    #expect(try feed(try rock(), dial: 1).counts(Dial.feedSignals) == [15, 13, 5, 2, 5, 10])
  }

  @Test func withoutFavouritesHalfOfTheirPlacesGoToTheRotationAndTheRestToWhatIsPlayed() throws {
    // At position 1 of 50 albums, seeds have 10 places and recommendations 13, which go to the charts.
    let counts = try feed(try rock(liked: false), dial: 1).counts(Dial.feedSignals)
    #expect(counts == [15, 0, 5 + 13 + 5, 2, 5 + 5, 0])
    // Of an odd number, the rotation gets the smaller half: 15 percent of 100 are 7 and 8.
    let odd = try feed(try rock(liked: false), dial: 3, count: 100).counts(Dial.feedSignals)
    #expect(odd == [10, 0, 20 + 15 + 8, 20, 20 + 7, 0])
  }

  @Test func theRotationTakesThreeSubcategories() throws {
    let view = try rock()
    for seed in 0..<20 {
      let rotation = try feed(view, dial: 5, seed: Int64(seed)).picks.filter { $0.signal == .rotation }
      #expect(Set(rotation.compactMap(\.subcategory)).count == 3)
    }
  }

  @Test func seedsAreNearThreeFavouritesOfTheGenre() throws {
    let view = try rock()
    let seeds = try feed(view, dial: 1, count: 100).picks.filter { $0.signal == .seeds }
    let favourites = Set(seeds.compactMap(\.favourite))
    #expect((1...3).contains(favourites.count))
    #expect(
      favourites.allSatisfy { view.albums[Int($0)].opinion == .liked && view.albums[Int($0)].set.contains(genre: 0) })
    for pick in seeds {
      let album = view.albums[Int(pick.album)]
      let favourite = try #require(pick.favourite.map { view.albums[Int($0)] })
      #expect(album.artist == favourite.artist || album.set.sharedSubcategories(with: favourite.set) > 0)
    }
  }

  @Test func chosenSubcategoriesAreUnitedEachWithItsPartOfThePage() throws {
    let view = try rock()
    let parts = Array(try TestAlbums.taxonomy().genres[0].subcategories.prefix(2))
    let page = try feed(view, subcategories: parts, count: 25)
    #expect(page.picks.count == 25)
    for pick in page.picks {
      #expect(parts.contains { view.albums[Int(pick.album)].set.contains(subcategory: $0) })
    }
    #expect(parts.allSatisfy { part in page.picks.count { $0.subcategory == part } >= 10 })
  }

  @Test func aFeedGoesOnWithoutRepeatsUntilTheGenreIsThrough() throws {
    let view = try rock()
    var shown: Set<Int32> = []
    for page in 0..<100 {
      let made = try feed(view, count: page == 0 ? 50 : 25) { ($0.page, $0.shown) = (page, shown) }
      for pick in made.picks { #expect(shown.insert(pick.album).inserted) }
      if made.isExhausted { break }
    }
    #expect(shown.count == 800)
  }

  @Test func aGenreThatTheShelfDoesNotHaveIsEmpty() throws {
    let page = try feed(try rock(), 7)
    #expect(page.picks.isEmpty && page.isExhausted)
  }
}
