import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Discovery

/// Albums that are near another one.
@Suite(.timeLimit(.minutes(5))) struct SimilarAlbumTests {
  private static func album(
    _ number: Int64, artist: Int64 = 0, year: Int = 0, _ parts: [Int] = [], genre: Int = 1
  ) -> NearAlbums.Candidate {
    var set = GenreSet()
    set.insert(genre: genre)
    for part in parts { set.insert(subcategory: part, ofGenre: genre) }
    return NearAlbums.Candidate(number: number, artist: artist == 0 ? number : artist, year: year, set: set)
  }

  private func order(
    _ album: NearAlbums.Candidate, _ others: [NearAlbums.Candidate], _ clues: [Int64: Clue] = [:], limit: Int = 12
  ) -> [Int64] {
    let found = NearAlbums.nearest(to: album, among: others + [album], clues: clues, limit: 100, unsorted: 15)
    return NearAlbums.arranged(found, limit: limit).map(\.candidate.number)
  }

  @Test func sharedSubcategoriesCountBeforeYearsAndTheSameArtistComesLast() {
    let own = Self.album(1, year: 1971, [3, 4])
    let others = [
      Self.album(2, artist: 1, year: 1971, [3, 4]), Self.album(3, year: 1971, [3, 4]),
      Self.album(4, year: 1990, [3, 4]),
      Self.album(5, year: 1976, [3]), Self.album(6, year: 1971, [7]), Self.album(7, year: 1971, [3]),
    ]
    #expect(order(own, others) == [3, 4, 7, 5, 2])
  }

  @Test func anArtistThatListenersHearCountsMoreThanASubcategory() {
    let clue = Clue(kind: .similarArtist, source: "Last.fm", near: "Ada")
    let others = [Self.album(2, [3]), Self.album(3, [9]), Self.album(4, [3])]
    #expect(order(Self.album(1, [3]), others, [3: clue]).first == 3)
  }

  @Test func anAlbumWithoutSubcategoriesIsComparedByItsGenre() {
    let others = [Self.album(2, genre: 1), Self.album(3, genre: 2), Self.album(4, [3], genre: 1)]
    #expect(Set(order(Self.album(1), others)) == [2, 4])
    // Albums in no genre have nothing in common.
    #expect(order(Self.album(1, genre: 15), [Self.album(2, genre: 15)]).isEmpty)
  }

  @Test func noOtherArtistHasMoreThanTwo() {
    let many = (2..<12).map { Self.album($0, artist: 99, [3]) }
    #expect(order(Self.album(1, [3]), many + [Self.album(20, [3])]).count == 3)
    #expect(order(Self.album(1, [3]), many + [Self.album(20, [3])], limit: 1).count == 1)
  }

  @Test func theServiceSaysWhyAnAlbumIsNearAndLeavesDislikedOnesOut() async throws {
    var albums = TestDiscovery.albums(6, tags: [])
    let tags = [["Bebop", "Lush"], ["Bebop", "Lush"], ["Bebop"], ["Punk"], ["Bebop"], []]
    for number in albums.indices {
      (albums[number].tags, albums[number].year, albums[number].rating) = (tags[number], 1960 + 10 * number, nil)
    }
    (albums[2].year, albums[2].rating) = (1961, Rating(rawValue: 9))
    (albums[4].artist, albums[4].artistID) = (albums[0].artist, albums[0].artistID)
    let discovery = try await TestDiscovery(albums)
    func similar(_ number: Int, limit: Int = 12) async throws -> [Discovery.Tile] {
      try await discovery.ask(Discovery.ListSimilarAlbums(album: TestDiscovery.id(number), limit: limit)).items
    }
    let near = try await similar(0)
    #expect(near.map(\.id) == [TestDiscovery.id(2), TestDiscovery.id(1), TestDiscovery.id(4)])
    #expect(
      near.map(\.reason) == [
        "Bebop as well, from 1961, and you rated it 4.5.", "Bebop as well.", "By the same artist.",
      ])
    #expect(near[0].isOnShelf && near[0].evidence.genre == "Bebop" && near[0].signal == .recommended)
    #expect(try await similar(5).isEmpty)
    #expect(try await similar(0, limit: 0).count == 1)
    try await discovery.like([], dislike: [TestDiscovery.id(2)])
    #expect(try await similar(0).map(\.id) == [TestDiscovery.id(1), TestDiscovery.id(4)])
    let stranger = Discovery.ListSimilarAlbums(album: TestDiscovery.id(999))
    #expect(await discovery.refusal(of: stranger)?.code == "discovery.unknownAlbum")
    await discovery.close()
  }

  @Test func artistsThatSourcesNamedBringTheirAlbumsInBothDirections() async throws {
    let folder = TemporaryDirectory()
    let database = try Database(at: "\(folder.path)/discovery.sqlite", migrations: DiscoverySchema.migrations)
    let taxonomy = try TestAlbums.taxonomy()
    let store = OwnedAlbumStore(database: database)
    let reading = try await store.beginReading()
    try await store.store(TestDiscovery.albums(4, tags: []), run: reading.run, taxonomy)
    try await store.end(reading, generation: 1, at: Timestamp(seconds: 1), taxonomy)
    let outside = OutsideStore(database: database)
    try await outside.set(LastFMArtists.name, isOn: true, at: Timestamp(seconds: 1))
    let state = try #require(try await outside.next(at: Timestamp(seconds: TestAlbums.now)))
    let find = Find(signal: .recommended, kind: .similarArtist, artist: "Artist 2", near: "Artist 0")
    try await outside.store(SourceStep([find]), of: state, interval: 0, at: Timestamp(seconds: 1))
    let similar = SimilarAlbumStore(database: database, taxonomy: taxonomy)
    let there = try await similar.similar(to: .init(album: TestDiscovery.id(0))).items
    #expect(there.map(\.id) == [TestDiscovery.id(2)])
    #expect(there.first?.reason == "By Artist 2, whom listeners of Artist 0 hear as well, says Last.fm.")
    let back = try await similar.similar(to: .init(album: TestDiscovery.id(2))).items
    #expect(back.map(\.id) == [TestDiscovery.id(0)])
    await database.close()
  }
}
