import Messages
import Model
import TestSupport
import Testing

@testable import Discovery

/// The rules of the wall one by one, each on a library that is made for it.
@Suite struct WallRulesTests {
  private func page(
    _ view: RankedAlbums, dial: Int = 1, count: Int = 100, seed: Int64 = 1,
    _ change: (inout PageInput) -> Void = { _ in }
  )
    -> PagePicks
  {
    var input = PageInput(seed: seed, page: 0, dial: dial, count: count)
    change(&input)
    return WallPage.make(input, view)
  }

  private func album(_ pick: Pick, _ view: RankedAlbums) -> OwnedAlbum { view.albums[Int(pick.album)] }

  @Test func historyTakesAlbumsOfThreeOfTheGenresThatArePlayed() throws {
    // Genres 0 to 4 were played, genres 5 to 8 not.
    let view = try TestAlbums.view(900) { number, album in
      album.put(into: number % 9)
      if number % 9 < 5, number < 300 {
        (album.playedAt, album.plays) = (TestAlbums.now - Int64(number % 60 + 31) * Ages.day, Int32(number % 7 + 1))
      }
      // The albums that were added last are in played genres as well.
      if number % 9 < 5 { album.addedAt = TestAlbums.now - 200 * Ages.day }
    }
    #expect(view.playedGenres == [0, 1, 2, 3, 4])
    for seed in 0..<20 {
      let history = page(view, seed: Int64(seed)).picks.filter { $0.signal == .history }
      let genres = Set(history.compactMap(\.genre))
      #expect(genres.count == 3 && genres.isSubset(of: [0, 1, 2, 3, 4]))
    }
  }

  @Test func withoutPlaysHistoryTakesTwoGenresByLot() throws {
    let view = try TestAlbums.view(900) { number, album in album.put(into: number % 9) }
    #expect(view.playedGenres.isEmpty)
    let history = page(view).picks.filter { $0.signal == .history }
    #expect(history.count == 45 && Set(history.compactMap(\.genre)).count == 2)
  }

  @Test func historyPrefersWhatOneRatedAndHasNotHeardForThirtyDays() throws {
    let view = try TestAlbums.view(400) { number, album in
      album.put(into: 0)
      album.rating = Int8(number % 10)
      album.playedAt = TestAlbums.now - Int64(number < 200 ? 5 : 50) * Ages.day
      album.plays = 1
    }
    let order = view.rediscoveries[0].map { view.albums[Int($0)] }
    #expect(order.prefix(200).allSatisfy { TestAlbums.now - $0.playedAt >= Ages.rested })
    #expect(order.prefix(200).map(\.rating) == order.prefix(200).map(\.rating).sorted(by: >))
  }

  @Test func aHistoryOfFewerThanFifteenAlbumsGivesItsPlacesToRecommendations() throws {
    let part = try #require(try TestAlbums.taxonomy().genres[1].subcategories.first)
    func counts(_ played: Int) throws -> [Int] {
      // The albums of genre 0 were played, and are the ones that were added last. All others are near a favourite.
      let view = try TestAlbums.view(600) { number, album in
        if number < 30 {
          album.put(into: number < played ? 0 : 2)
          if number < played { (album.playedAt, album.plays) = (TestAlbums.now - 40 * Ages.day, 1) }
          album.addedAt = TestAlbums.now - Int64(number < played ? 100 : 800) * Ages.day
        } else {
          album.put(into: 1, part)
          if number == 30 { album.opinion = .liked }
          album.addedAt = TestAlbums.now - 900 * Ages.day
        }
      }
      // Those of genre 2 were shown before, so that the played ones are the whole pool.
      return page(view, seed: 3) { $0.shown = Set((played..<30).map { Int32($0) }) }.counts(Dial.wallSignals)
    }
    #expect(try counts(14).prefix(2) == [0, 75])
    #expect(try counts(15).prefix(2) == [15, 60])
  }

  @Test func withoutFavouritesRecommendationsGiveTheirPlacesToTheCharts() throws {
    let view = try TestAlbums.view(900) { number, album in album.put(into: number % 9) }
    #expect(page(view, dial: 1).counts(Dial.wallSignals) == [45, 0, 45, 5, 5])
  }

  @Test func recommendationsShareArtistsSubcategoriesAndYearsWithFavourites() throws {
    let part = try #require(try TestAlbums.taxonomy().genres[0].subcategories.first)
    let view = try TestAlbums.view(40) { number, album in
      switch number {
      case 0:
        album.put(into: 0, part)
        (album.opinion, album.artist, album.year) = (.liked, 1, 1970)
      case 1: (album.artist, album.year) = (1, 1999)
      case 2:
        album.put(into: 0, part)
        album.year = 1971
      case 3: album.put(into: 0, part)
      // Only the year is shared.
      case 4: album.year = 1970
      default: break
      }
    }
    #expect(view.recommended == [1, 2, 3])
    #expect(view.favourites == [0])
  }

  @Test func chartsTakeThreeGenresFromARandomPlaceOn() throws {
    let view = try TestAlbums.view(1800) { number, album in
      album.put(into: number % 9)
      (album.plays, album.playedAt) = (Int32(2000 - number), TestAlbums.now - 400 * Ages.day)
    }
    var starts: Set<Int> = []
    for seed in 0..<60 {
      let charts = page(view, dial: 5, seed: Int64(seed)).picks.filter { $0.signal == .charts }
      #expect(Set(charts.compactMap(\.genre)).count <= 3)
      for genre in Set(charts.compactMap(\.genre)) {
        starts.insert(charts.filter { $0.genre == genre }.compactMap(\.place).min() ?? 0)
      }
    }
    #expect(starts.count > 20 && starts.allSatisfy { $0 >= 1 })
  }

  @Test func newIsWhatWasAddedInNinetyDaysOrReleasedThisYearOrLast() throws {
    let view = try TestAlbums.view(300) { number, album in
      album.put(into: number % 3)
      if number < 90 { album.addedAt = TestAlbums.now - Int64(number) * Ages.day }
      if (90..<120).contains(number) { album.year = Int16(Ages.year(of: TestAlbums.now) - number % 2) }
    }
    #expect(view.newCounts.reduce(0, +) == 120)
    let new = page(view, dial: 4, count: 60).picks.filter { $0.signal == .new }
    #expect(new.count == 18 && new.allSatisfy { $0.album < 120 })
  }

  @Test func wildCardsAreNeverPlayedOrNotForAYearInGenresThatNoSignalPicked() throws {
    let view = try TestAlbums.view(1800) { number, album in
      album.put(into: number % 9)
      if number % 2 == 0 { (album.playedAt, album.plays) = (TestAlbums.now - 60 * Ages.day, 2) }
    }
    for seed in 0..<20 {
      let picks = page(view, dial: 3, seed: Int64(seed)).picks
      let wild = picks.filter { $0.signal == .wild }
      #expect(wild.count == 15 && wild.allSatisfy { album($0, view).playedAt == 0 })
      let others = Set(picks.filter { $0.signal != .wild }.compactMap(\.genre))
      if others.count <= 7 { #expect(Set(wild.compactMap(\.genre)).isDisjoint(with: others)) }
    }
  }

  @Test func whatIsDislikedWasShownOrIsHeldBackIsNotTaken() throws {
    let view = try TestAlbums.view(600) { number, album in
      album.put(into: number % 9)
      if number < 100 { album.opinion = .disliked }
    }
    let shown = Set((100..<200).map { Int32($0) })
    let held = Set((200..<300).map { Int32($0) })
    let albums = Set(page(view) { ($0.shown, $0.held) = (shown, held) }.picks.map(\.album))
    #expect(albums.count == 100 && albums.allSatisfy { $0 >= 300 })
    // Albums that are held back come once nothing else is left.
    let all = page(view, count: 200) { $0.held = Set((100..<500).map { Int32($0) }) }
    #expect(all.picks.count == 200 && Set(all.picks.map(\.album)).isSuperset(of: (500..<600).map { Int32($0) }))
  }

  @Test func aSourceOutsideAddsAPoolThatComesFirst() throws {
    let view = try TestAlbums.view(900) { number, album in album.put(into: number % 9) }
    let pool = SignalPool(signal: .recommended, albums: (0..<30).map { Int32($0 * 7) })
    let recommended = page(view) { $0.pools = [pool] }.picks.filter { $0.signal == .recommended }
    #expect(!recommended.isEmpty && Set(recommended.map(\.album)).isSubset(of: Set(pool.albums)))
  }

  @Test(arguments: [0, 1, 3, 14, 99])
  func aSmallShelfIsShownWholeAndThenTheRoundIsOver(count: Int) throws {
    let view = try TestAlbums.view(count) { number, album in album.put(into: number % 2) }
    for dial in Dial.positions {
      let page = page(view, dial: dial)
      #expect(page.picks.count == count && Set(page.picks.map(\.album)).count == count)
      #expect(page.isExhausted)
    }
  }

  @Test func aShelfOfTwoHundredThousandAlbumsHasAWall() throws {
    let view = try TestAlbums.view(200_000) { number, album in
      album.put(into: number % 9)
      if number % 50 == 0 { (album.plays, album.playedAt) = (2, TestAlbums.now - 100 * Ages.day) }
      if number % 1000 == 0 { album.opinion = .liked }
    }
    let page = page(view, dial: 3)
    #expect(page.picks.count == 100 && Set(page.picks.map(\.album)).count == 100 && !page.isExhausted)
  }

  @Test func aShelfWithoutTagsAndOneOfOneGenreAndOneThatIsAllDisliked() throws {
    let untagged = try TestAlbums.view(300) { _, _ in }
    #expect(page(untagged).picks.count == 100 && !page(untagged).isExhausted)
    let one = try TestAlbums.view(300) { _, album in album.put(into: 4) }
    #expect(page(one).picks.count == 100)
    let disliked = try TestAlbums.view(300) { _, album in album.opinion = .disliked }
    #expect(page(disliked).picks.isEmpty && page(disliked).isExhausted)
  }
}
