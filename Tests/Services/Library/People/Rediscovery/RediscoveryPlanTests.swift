import Messages
import Model
import Testing

@testable import People

/// The rules of the shelves, as functions of what is known of the albums.
@Suite struct RediscoveryPlanTests {
  private static let now = Timestamp(seconds: 1_800_000_000)

  private static func ago(_ days: Int64) -> Timestamp { Timestamp(seconds: now.seconds - days * 86_400) }

  private static func album(
    _ number: Int64, artist: Int64 = 1, tracks: Int = 10, added: Int64 = 2000, played: Int64? = nil, rating: Int? = nil
  ) -> RediscoveryAlbum {
    RediscoveryAlbum(
      number: number, artist: artist, tracks: tracks, addedAt: ago(added), playedAt: played.map(ago),
      rating: rating.flatMap(Rating.init(rawValue:)))
  }

  private static func facts(_ albums: [RediscoveryAlbum], seed: UInt64 = 7) -> RediscoveryFacts {
    RediscoveryFacts(now: now, dayStart: Timestamp(seconds: now.seconds - 3600), seed: seed, albums: albums)
  }

  private static func plan(_ facts: RediscoveryFacts) -> RediscoveryPlan {
    RediscoveryPlan(facts: facts, day: "2027-01-15")
  }

  @Test func whatIsLovedAndNotHeardForHalfAYearIsForgotten() {
    var liked = Self.album(3, played: 400)
    liked.isLiked = true
    var facts = Self.facts([
      Self.album(1, played: 800, rating: 9), Self.album(2, played: 100, rating: 10), liked,
      Self.album(4, played: 400), Self.album(5, played: 400), Self.album(6, rating: 10),
    ])
    facts.plays = [4: 31, 5: 29]
    let reasons = Dictionary(uniqueKeysWithValues: Self.plan(facts).forgotten.map { ($0.album, $0.reason) })
    #expect(
      reasons == [
        1: "You gave it 4.5 stars, and have not heard it for 2 years.",
        3: "You like it, and have not heard it for 13 months.",
        4: "You played it 3 times, and have not heard it for 13 months.",
      ])
  }

  @Test func anAlbumIsHalfHeardUpToThreeFifthsOfItsTracks() {
    var facts = Self.facts([
      Self.album(1, played: 100), Self.album(2, played: 100), Self.album(3, played: 5),
      Self.album(4, tracks: 3, played: 100),
      Self.album(5, played: 100),
    ])
    facts.heardTracks = [1: 6, 2: 7, 3: 2, 4: 1, 5: 1]
    let reasons = Dictionary(uniqueKeysWithValues: Self.plan(facts).halfHeard.map { ($0.album, $0.reason) })
    #expect(
      reasons == [
        1: "6 of its 10 tracks were heard, the last 3 months ago.",
        5: "1 of its 10 tracks was heard, the last 3 months ago.",
      ])
  }

  @Test func whatCameThisWeekIsNotYetUnheard() {
    var facts = Self.facts([Self.album(1, added: 30), Self.album(2, added: 6), Self.album(3, added: 30)])
    facts.plays = [3: 1]
    let picks = Self.plan(facts).unheard
    #expect(picks == [.init(album: 1, reason: "Here since December 2026, and never heard.")])
  }

  @Test func anniversariesAreToldOnceTheLongestAgoFirst() {
    var facts = Self.facts((1...4).map { Self.album($0) })
    facts.anniversaries = [
      .init(album: 1, event: .added, years: 3), .init(album: 1, event: .heard, years: 1),
      .init(album: 2, event: .released, years: 40), .init(album: 3, event: .noted, years: 2),
      .init(album: 9, event: .added, years: 2),
    ]
    #expect(
      Self.plan(facts).anniversaries == [
        .init(album: 3, reason: "2 years ago today you wrote about it."),
        .init(album: 2, reason: "40 years ago today it was released."),
        .init(album: 1, reason: "A year ago today you heard it for the first time."),
      ])
  }

  @Test func artistsWhoArePlayedShowAlbumsThatWereNotHeardForAYear() {
    var facts = Self.facts(
      (1...5).map { Self.album($0, artist: 1) } + [Self.album(6, artist: 1, played: 3)]
        + [Self.album(7, artist: 2), Self.album(8, artist: 2)]
        + (9...11).map { Self.album($0, artist: 3, played: 800) })
    facts.artists = [
      .init(number: 1, name: "Ann", plays: 23), .init(number: 2, name: "Ben", plays: 99),
      .init(number: 3, name: "Cyn", plays: 5),
    ]
    let picks = Self.plan(facts).deepArtist
    #expect(picks.count == 6 && !picks.contains { [6, 7, 8].contains($0.album) })
    #expect(
      Set(picks.map(\.reason)) == [
        "You played Ann 23 times lately, but never this album.",
        "You played Cyn 5 times lately, and not this album for 2 years.",
      ])
  }

  @Test func theAlbumOfTheDayStaysWhateverIsHeardAndChangesWithTheDay() throws {
    let albums = (1...200).map { Self.album($0, played: $0 % 3 == 0 ? 10 : 100) }
    let first = try #require(Self.plan(Self.facts(albums)).chance.first)
    #expect(first.album % 3 != 0 && first.reason == "Drawn for the day. Last heard 3 months ago.")
    let heard = albums.map { album in
      var album = album
      if album.number == first.album { album.playedAt = Timestamp(seconds: Self.now.seconds - 60) }
      return album
    }
    let later = try #require(Self.plan(Self.facts(heard)).chance.first)
    #expect(later.album == first.album && later.reason == "Drawn for the day. Heard today.")
    let days = Set((0..<30).compactMap { Self.plan(Self.facts(albums, seed: $0)).chance.first?.album })
    #expect(days.count > 20)
  }

  @Test func noAlbumIsOnTwoShelvesAndNoneIsLongerThanAsked() {
    var facts = Self.facts(
      (1...300).map { number in
        Self.album(number, artist: number % 20, played: number % 2 == 0 ? 900 : nil, rating: number % 3 == 0 ? 10 : nil)
      })
    facts.heardTracks = Dictionary(uniqueKeysWithValues: facts.halfHeardCandidates.map { ($0.number, 3) })
    facts.artists = (0..<20).map { .init(number: $0, name: "A\($0)", plays: 50) }
    facts.anniversaries = (1...30).map { .init(album: $0, event: .added, years: 1) }
    for seed: UInt64 in 0..<200 {
      var shown = Self.facts(facts.albums, seed: seed)
      (shown.heardTracks, shown.artists) = (facts.heardTracks, facts.artists)
      shown.anniversaries = facts.anniversaries
      let shelves = Self.plan(shown).shelves(limit: 8)
      let albums = shelves.flatMap { $0.picks.map(\.album) }
      #expect(Set(albums).count == albums.count)
      #expect(shelves.allSatisfy { (1...8).contains($0.picks.count) && !$0.reason.isEmpty })
      #expect(shelves.map(\.kind) == [.chance, .onThisDay, .forgotten, .halfHeard, .unheard, .deepArtist])
    }
  }

  @Test func withoutAlbumsThereAreNoShelves() {
    #expect(Self.plan(Self.facts([])).shelves(limit: 12).isEmpty)
  }

  @Test func lengthsOfTimeAreInTheLargestUnitOfWhichThereAreTwo() {
    let words = [0, 1, 60, 61, 729, 730].map { RediscoveryWords.length($0 * 86_400) }
    #expect(words == ["1 day", "1 day", "60 days", "2 months", "23 months", "2 years"])
    // The clock was not set when it was played.
    #expect(RediscoveryWords.length(20_785 * 86_400) == "a long time")
    #expect(RediscoveryWords.dayOfYear("2026-11-06") == "6 November")
  }
}
