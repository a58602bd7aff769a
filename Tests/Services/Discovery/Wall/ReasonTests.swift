import Messages
import Model
import TestSupport
import Testing

@testable import Discovery

/// The sentences that say why an album is there.
@Suite struct ReasonTests {
  private let names = Reason.Names(
    genre: { _ in "Jazz" }, subcategory: { _ in "Bebop" }, title: { _ in "Journey" }, artist: { _ in "Alice" })

  private func reason(
    _ signal: Discovery.Signal, place: Int? = nil, favourite: Int32? = nil, _ change: (inout OwnedAlbum) -> Void
  ) throws -> Reason {
    let view = try TestAlbums.view(3) { number, album in
      album.put(into: 5)
      if number == 0 { change(&album) }
      // Jazz is what is played here.
      if number == 2 { (album.playedAt, album.plays) = (TestAlbums.now - Ages.day, 1) }
    }
    return Reason(Pick(album: 0, signal: signal, genre: 5, place: place, favourite: favourite), view, names)
  }

  @Test func historyTellsTheLastPlayAndTheRating() throws {
    let rested = try reason(.history) { album in
      (album.playedAt, album.plays, album.rating) = (TestAlbums.now - 440 * Ages.day, 3, 9)
    }
    #expect(rested.sentence == "Not played for 14 months, and you rated it 4.5.")
    #expect(rested.evidence.rating == Rating(rawValue: 9) && rested.evidence.plays == 3)
    #expect(try reason(.history) { $0.rating = 8 }.sentence == "Never played, and you rated it 4.")
    #expect(try reason(.history) { _ in }.sentence == "Never played, and you play Jazz.")
    let lately = try reason(.history) { album in (album.playedAt, album.plays) = (TestAlbums.now - 12 * Ages.day, 1) }
    #expect(lately.sentence == "Played 12 days ago, and you play Jazz.")
  }

  @Test func chartsTellThePlace() throws {
    let first = try reason(.charts, place: 1) { $0.plays = 40 }
    #expect(first.sentence == "The most played of your Jazz, with 40 plays." && first.evidence.place == 1)
    #expect(
      try reason(.charts, place: 7) { $0.plays = 1 }.sentence
        == "Number 7 of the most played of your Jazz, with 1 play.")
    #expect(try reason(.charts, place: 7) { $0.rating = 10 }.sentence == "Not played yet, and you rated it 5.")
  }

  @Test func chartsOfAHouseholdWithoutPlaysTellTheArtist() throws {
    let reason = try reason(.charts, place: 2) { $0.artist = 1 }
    #expect(reason.sentence == "Not played yet; by Alice, of whom you have 2 albums.")
    // An album that was never played has no place among those that are played most.
    #expect(reason.evidence.place == nil)
  }

  @Test func listenersThatAPlexServerGivesAreToldWithTheirSource() throws {
    let view = try TestAlbums.view(1) { _, album in
      album.put(into: 5)
      (album.plays, album.playedAt) = (4, TestAlbums.now - Ages.day)
    }
    func reason(_ clue: Clue) -> Reason { Reason(Pick(album: 0, signal: .charts, clue: clue), view, names) }
    let known = reason(Clue(kind: .listeners, source: "Plex", genre: 5, place: 3, listens: 673))
    #expect(
      known.sentence
        == "Number 3 of the world's most heard of your Jazz: 673 listeners of its best known track at Last.fm, says Plex."
    )
    #expect(known.evidence.listeners == 673 && known.evidence.listens == nil && known.evidence.source == "Plex")
  }

  @Test func newTellsTheDay() throws {
    #expect(try reason(.new) { $0.addedAt = TestAlbums.now - 3 * Ages.day }.sentence == "Added 3 days ago.")
    #expect(try reason(.new) { $0.addedAt = TestAlbums.now - 100 }.sentence == "Added today.")
    #expect(try reason(.new) { $0.year = 2026 }.sentence == "Released in 2026.")
    #expect(try reason(.new) { _ in }.sentence == "Added 2 years ago, and not many came later.")
  }

  @Test func wildTellsThatItWasForgotten() throws {
    #expect(try reason(.wild) { _ in }.sentence == "Never played: Jazz to discover.")
    let old = try reason(.wild) { album in (album.playedAt, album.plays) = (TestAlbums.now - 1100 * Ages.day, 2) }
    #expect(old.sentence == "Not played for 3 years: Jazz to find again.")
  }

  @Test func seedsNameTheFavourite() throws {
    #expect(try reason(.seeds, favourite: 1) { _ in }.sentence == "Near “Journey”, which you like.")
    #expect(
      try reason(.seeds, favourite: 1) { $0.artist = 1 }.sentence == "By the artist of “Journey”, which you like.")
  }

  @Test func recommendationsNameTheArtistOrTheArtistsNear() throws {
    let parts = Array(try TestAlbums.taxonomy().genres[5].subcategories)
    let view = try TestAlbums.view(7) { number, album in
      album.put(into: 5, parts[0])
      if number > 1 { (album.opinion, album.artist) = (.liked, Int64(number)) }
      if number == 1 { album.artist = 2 }
    }
    let near = Reason(Pick(album: 0, signal: .recommended), view, names)
    #expect(near.sentence == "By Alice, near 5 artists you like in Bebop." && near.evidence.likedArtists == 5)
    let same = Reason(Pick(album: 1, signal: .recommended), view, names)
    #expect(same.sentence == "By Alice, of whom you like 1 album." && same.evidence.favouritesOfArtist == 1)
  }

  @Test func lengthsAreInTheLargestUnitOfWhichThereAreTwo() {
    let lengths = [0, 1, 60, 61, 440, 729, 730, 3650].map { Reason.length(Int64($0) * Ages.day) }
    #expect(lengths == ["1 day", "1 day", "60 days", "2 months", "14 months", "23 months", "2 years", "10 years"])
  }

  @Test func anAgeFromAClockThatWasNotSetIsALongTime() {
    #expect(Reason.length(20_785 * Ages.day) == "a long time")
  }
}
