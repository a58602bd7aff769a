import Messages
import Model
import TestSupport
import Testing

@testable import Discovery

/// Pools of sources outside and albums that are not in the library, in the functions that make pages.
@Suite(.timeLimit(.minutes(5))) struct MissingShareTests {
  private func candidates(_ count: Int, genre: Int = 0) -> [MissingCandidate] {
    let signals: [Discovery.Signal] = [.recommended, .charts, .new, .wild]
    return (0..<count).map { number in
      var set = GenreSet()
      set.insert(genre: genre)
      return MissingCandidate(
        number: Int32(number + 1), signal: signals[number % 4], set: set,
        clue: Clue(kind: .recommended, source: "ListenBrainz"))
    }
  }

  private func pools(_ view: RankedAlbums) -> [SignalPool] {
    [Discovery.Signal.history, .recommended, .charts, .new].enumerated().map { offset, signal in
      SignalPool(
        signal: signal, albums: stride(from: offset, to: view.albums.count, by: 9).map { Int32($0) },
        clues: [Int32(offset): Clue(kind: .recommended, source: "Last.fm")])
    }
  }

  @Test(arguments: Dial.positions)
  func sharesHoldWithPoolsAndMissingAlbumsAndTheseHaveAtMostTheirShare(dial: Int) throws {
    let view = RankedAlbums(try TestAlbums.full(), now: TestAlbums.now)
    let (missing, pools) = (candidates(400), pools(view))
    let wanted = Dial.wallWeights(at: dial)
    for seed in 0..<300 {
      let page = WallPage.make(
        PageInput(seed: Int64(seed), page: 0, dial: dial, count: 100, pools: pools, missing: missing), view)
      let counts = page.counts(Dial.wallSignals)
      let absent = page.picks.compactMap(\.missing)
      let here = page.picks.filter { $0.missing == nil }.map(\.album)
      guard page.picks.count == 100, zip(counts, wanted).allSatisfy({ abs($0 - $1) <= 1 }),
        Set(absent).count == absent.count, Set(here).count == here.count, here.allSatisfy({ $0 >= 0 }),
        absent.count == [0, 0, 5, 10, 15][dial - 1]
      else {
        Issue.record("seed \(seed) at position \(dial) has \(counts) and \(absent.count) missing")
        return
      }
    }
  }

  @Test func nothingRepeatsInTwoThousandTilesWithPoolsAndMissingAlbums() throws {
    let view = RankedAlbums(try TestAlbums.full(), now: TestAlbums.now)
    let (missing, pools) = (candidates(120), pools(view))
    for dial in Dial.positions {
      var shown: Set<Int32> = []
      var absent: Set<Int32> = []
      for page in 0..<39 {
        let picks = WallPage.make(
          PageInput(
            seed: 9, page: page, dial: dial, count: page == 0 ? 100 : 50, shown: shown, pools: pools,
            missing: missing.filter { !absent.contains($0.number) }), view
        ).picks
        #expect(picks.count == (page == 0 ? 100 : 50))
        for pick in picks {
          if let number = pick.missing {
            #expect(absent.insert(number).inserted)
          } else {
            #expect(shown.insert(pick.album).inserted)
          }
        }
      }
      #expect(shown.count + absent.count == 2000 && absent.count <= 120)
    }
  }

  @Test func theSameInputGivesTheSamePageAndNoMissingAlbumsLeaveItAsItWas() throws {
    let view = RankedAlbums(try TestAlbums.full(1200), now: TestAlbums.now)
    func page(_ missing: [MissingCandidate], dial: Int = 5) -> [Pick] {
      WallPage.make(PageInput(seed: 7, page: 0, dial: dial, count: 100, missing: missing), view).picks
    }
    #expect(page(candidates(50)) == page(candidates(50)))
    #expect(page(candidates(50), dial: 2) == page([], dial: 2))
  }

  @Test func aFeedHasMissingAlbumsOfItsGenreOnly() throws {
    let view = RankedAlbums(try TestAlbums.full(), now: TestAlbums.now)
    let taxonomy = try TestAlbums.taxonomy()
    func missing(_ candidates: [MissingCandidate]) -> Int {
      FeedPage.make(
        PageInput(seed: 1, page: 0, dial: 5, count: 50, pools: pools(view), missing: candidates), genre: 2,
        subcategories: [], of: taxonomy.genres[2].subcategories, view
      ).picks.count { $0.missing != nil }
    }
    #expect(missing(candidates(90, genre: 2)) == 7)
    #expect(missing(candidates(90, genre: 3)) == 0)
  }

  @Test func aSmallShelfWithMissingAlbumsIsShownWholeAndThenOver() throws {
    let view = try TestAlbums.view(40) { number, album in album.put(into: number % 2) }
    var shown: Set<Int32> = []
    var pages = 0
    var isOver = false
    while !isOver, pages < 20 {
      let page = WallPage.make(
        PageInput(seed: 3, page: pages, dial: 5, count: 50, shown: shown, missing: candidates(30)), view)
      shown.formUnion(page.picks.filter { $0.missing == nil }.map(\.album))
      isOver = page.isExhausted
      pages += 1
    }
    #expect(isOver && shown.count == 40)
  }

  @Test func severalSourcesOfASignalTakeTurns() throws {
    let view = try TestAlbums.view(900) { number, album in album.put(into: number % 9) }
    let pools = [
      SignalPool(signal: .recommended, albums: (0..<300).map { Int32($0) }),
      SignalPool(signal: .recommended, albums: (300..<600).map { Int32($0) }),
    ]
    let picks = WallPage.make(PageInput(seed: 1, page: 0, dial: 1, count: 100, pools: pools), view).picks
    let recommended = picks.filter { $0.signal == .recommended }
    #expect(recommended.contains { $0.album < 300 } && recommended.contains { (300..<600).contains($0.album) })
  }

  @Test func reasonsOfSourcesAreSentencesWithTheirEvidence() throws {
    var album = TestAlbums.album(1)
    func sentence(_ clue: Clue, _ album: OwnedAlbum? = nil) -> String {
      Reason(clue, artist: "Alice Coltrane", genre: "Jazz", album: album).sentence
    }
    #expect(
      sentence(Clue(kind: .popular, source: "ListenBrainz", genre: 0, place: 1, listens: 9), album)
        == "The world's most heard of your Jazz that you never played.")
    album.plays = 3
    #expect(
      sentence(Clue(kind: .popular, source: "ListenBrainz", genre: 0, place: 4), album)
        == "Number 4 of the world's most heard of your Jazz.")
    #expect(sentence(Clue(kind: .release, source: "ListenBrainz")) == "A new release by Alice Coltrane.")
    #expect(sentence(Clue(kind: .recommended, source: "ListenBrainz")) == "ListenBrainz recommends it to you.")
    #expect(
      sentence(Clue(kind: .similarArtist, source: "Last.fm", near: "Pharoah Sanders"))
        == "By Alice Coltrane, whom listeners of Pharoah Sanders hear as well, says Last.fm.")
    #expect(
      sentence(Clue(kind: .elsewhere, source: "Last.fm", listens: 1)) == "One that you heard 1 time, as Last.fm counts."
    )
    #expect(
      sentence(Clue(kind: .similarAlbum, source: "your music server", near: "Karma"))
        == "Sounds like “Karma”, says your music server.")
    #expect(sentence(Clue(kind: .discography, source: "MusicBrainz")) == "By Alice Coltrane, and not in your library.")
    #expect(sentence(Clue(kind: .chart, source: "ListenBrainz", place: 12)) == "Number 12 in the world this month.")
    let chart = Reason(
      Clue(kind: .genreChart, source: "Last.fm", place: 4, near: "Soul"), artist: "A", genre: nil, album: nil)
    #expect(chart.sentence == "Number 4 of the albums that listeners at Last.fm call Soul most often.")
    #expect(chart.evidence.genre == "Soul" && chart.evidence.place == 4 && chart.evidence.source == "Last.fm")
    let evidence = Reason(
      Clue(kind: .chart, source: "ListenBrainz", place: 12, listens: 5), artist: "A", genre: nil, album: album
    ).evidence
    #expect(evidence.source == "ListenBrainz" && evidence.listens == 5 && evidence.place == 12 && evidence.plays == 3)
  }
}
