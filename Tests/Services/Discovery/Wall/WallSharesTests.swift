import FoundationEssentials
import Messages
import Model
import TestSupport
import Testing

@testable import Discovery

/// Walls of thousands of seeds. `make walls` tries more of them.
@Suite(.timeLimit(.minutes(10))) struct WallSharesTests {
  /// The number of seeds at each of the five positions: 10,000 walls in all, or as many at each with LUNARA_WALLS.
  private static let seeds =
    ProcessInfo.processInfo.environment["LUNARA_WALLS"].flatMap { Int($0) } ?? 2000

  @Test(arguments: Dial.positions)
  func sharesAreWithinOneAlbumOfTheTableAtEveryPosition(dial: Int) throws {
    let view = RankedAlbums(try TestAlbums.full(), now: TestAlbums.now)
    let wanted = Dial.wallWeights(at: dial)
    for seed in 0..<Self.seeds {
      let page = WallPage.make(PageInput(seed: Int64(seed), page: 0, dial: dial, count: 100), view)
      let counts = page.counts(Dial.wallSignals)
      guard page.picks.count == 100, zip(counts, wanted).allSatisfy({ abs($0 - $1) <= 1 }),
        Set(page.picks.map(\.album)).count == 100
      else {
        Issue.record("seed \(seed) at position \(dial) has \(counts), not \(wanted)")
        return
      }
    }
  }

  @Test func nothingRepeatsInTwoThousandTiles() throws {
    let view = RankedAlbums(try TestAlbums.full(), now: TestAlbums.now)
    for dial in Dial.positions {
      var shown: Set<Int32> = []
      for page in 0..<39 {
        let count = page == 0 ? 100 : 50
        let picks = WallPage.make(
          PageInput(seed: 9, page: page, dial: dial, count: count, shown: shown), view
        ).picks
        #expect(picks.count == count)
        for pick in picks { #expect(shown.insert(pick.album).inserted) }
      }
      #expect(shown.count == 2000)
    }
  }

  @Test func theSameSeedMakesTheSameWallAndAnotherSeedAnother() throws {
    let shelf = try TestAlbums.full(1200)
    func wall(_ seed: Int64, _ dial: Int = 3) -> [Pick] {
      WallPage.make(PageInput(seed: seed, page: 0, dial: dial, count: 100), RankedAlbums(shelf, now: TestAlbums.now))
        .picks
    }
    #expect(wall(7) == wall(7))
    #expect(wall(7) != wall(8) && wall(7) != wall(7, 4))
    // A wall of a former version is made again as it was.
    #expect(wall(7).prefix(5).map(\.album) == Self.known)
  }

  private static let known: [Int32] = [529, 453, 623, 941, 210]
}
