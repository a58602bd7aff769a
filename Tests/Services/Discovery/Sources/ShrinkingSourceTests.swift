import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Discovery

/// Empty answers and shrinking favourites take away the finds that are gone, and no others.
@Suite(.timeLimit(.minutes(2))) struct ShrinkingSourceTests {
  private let outside: TestOutside
  private let house: HouseAlbums
  private let folder = TemporaryDirectory()

  init() async throws {
    outside = try TestOutside()
    house = try await TestOutside.house(in: folder.path)
    outside.answer("artist.getSimilar", #"{"similarartists":{"artist":[{"name":"Artist 9"}]}}"#)
    outside.answer("tag.getTopAlbums", #"{"albums":{"album":[{"name":"Blue","artist":{"name":"Ada"}}]}}"#)
    let ids = [0, 1, 2, 2].enumerated().map { number, artist in
      #""\#(TestOutside.group(number))":{"artist":{"artists":[{"artist_mbid":"\#(Self.id(artist))"}]}}"#
    }
    outside.answer("1/metadata/release_group/", "{\(ids.joined(separator: ","))}")
    outside.similar.withLock { $0 = [TestDiscovery.id(3)] }
    for artist in 0..<3 { radio(of: artist, #"{"x":[{"similar_artist_name":"Artist 9"}]}"#) }
  }

  private static func id(_ artist: Int) -> String { TestOutside.group(700 + artist) }

  private func radio(of artist: Int, _ json: String, status: Int = 200) {
    outside.answer("1/lb-radio/artist/\(Self.id(artist))", json, status: status)
  }

  /// The sources that ask about one thing of the house after another.
  private static let sources: [any OutsideSource.Type] = [
    LastFMArtists.self, LastFMGenres.self, ListenBrainzArtists.self, SimilarOnServers.self,
  ]

  /// Returns the names of the things that a source asks about.
  private func things(_ source: any OutsideSource.Type) async throws -> [String] {
    if source == LastFMGenres.self { return try await house.genreNames() }
    let favourites = try await house.favourites(25)
    return source == SimilarOnServers.self ? favourites.map(\.title) : favourites.map(\.artist)
  }

  /// Reads and stores one part of a source. Returns true if more parts follow.
  private func readPart(_ source: any OutsideSource.Type) async throws -> Bool {
    let (store, now) = (OutsideStore(database: house.database), Timestamp(seconds: TestAlbums.now))
    try await store.set(source.name, isOn: true, at: now)
    let state = try #require(try await house.database.read(OutsideStore.states)[source.name])
    let step = try await source.step(from: state.cursor, house, outside.access)
    try await store.store(step, of: state, interval: source.interval, at: now)
    return step.next != nil
  }

  /// Returns the things near which a source has finds, sorted.
  private func kept(_ source: any OutsideSource.Type) async throws -> [String] {
    let name = source.name
    return try await house.database.read {
      try $0.values("SELECT near FROM finds WHERE source = ? ORDER BY near", name)
    }
  }

  private func read(_ source: any OutsideSource.Type) async throws -> [String] {
    while try await readPart(source) {}
    return try await kept(source)
  }

  /// Removes the albums of artists from the house.
  private func remove(_ artists: String) async throws {
    try await house.database.write { try $0.execute("UPDATE albums SET is_here = 0 WHERE artist GLOB ?", artists) }
  }

  @Test(arguments: sources.indices) func findsEndWithTheThingThatTheyAreNear(_ index: Int) async throws {
    let source = Self.sources[index]
    let before = try await things(source)
    #expect(try await read(source) == before.sorted())
    try await remove("Artist 2")
    let after = try await things(source)
    try #require(!after.isEmpty && after.count < before.count)
    #expect(try await read(source) == after.sorted())
  }

  @Test(arguments: sources.indices) func thingsThatGoDuringAReadingThatKnewNoneTakeNoFindsAway(_ index: Int)
    async throws
  {
    let source = Self.sources[index]
    let before = try await read(source)
    #expect(before.count == 3)
    for method in ["artist.getSimilar", "tag.getTopAlbums"] { outside.answer(method, #"{"error":6}"#, status: 404) }
    for artist in 0..<3 { radio(of: artist, "{}", status: 404) }
    let albums = try await house.favourites(25).map(\.id)
    outside.away.withLock { $0 = Set(albums) }
    #expect(try await readPart(source))
    try await remove("*")
    #expect(try await !readPart(source))
    #expect(try await kept(source) == before)
    // A house that has none from the start of a reading gets no finds.
    #expect(try await read(source) == [])
  }

  /// Answers for a favourite of a music server.
  enum ServerAnswer: Sendable {
    case albums, away, departed, inFolders
  }

  private func answer(_ answers: [ServerAnswer]) async throws {
    let favourites = Array(zip(try await house.favourites(25).map(\.id), answers))
    try #require(favourites.count == 3)
    func ids(_ answer: ServerAnswer) -> Set<AlbumID> { Set(favourites.filter { $0.1 == answer }.map(\.0)) }
    outside.away.withLock { $0 = ids(.away) }
    outside.departed.withLock { $0 = ids(.departed) }
    outside.inFolders.withLock { $0 = ids(.inFolders) }
  }

  /// Reads similar albums until the reading ends or fails.
  private func readServers() async throws -> [String] {
    do { return try await read(SimilarOnServers.self) } catch let error as LunaraError {
      #expect(error.code == "library.sourceAway")
      return try await kept(SimilarOnServers.self)
    }
  }

  @Test(
    arguments: [
      [.departed, .away, .away], [.away, .away, .departed], [.away, .departed, .away],
      [.departed, .departed, .departed],
      [.inFolders, .away, .away], [.away, .away, .inFolders], [.away, .away, .away],
    ] as [[ServerAnswer]]) func favouritesForWhichNoServerWasAskedTakeNoFindsAway(answers: [ServerAnswer]) async throws
  {
    let before = try await readServers()
    #expect(before.count == 3)
    try await answer(answers)
    #expect(try await readServers() == before)
    try await answer([.albums, .albums, .albums])
    #expect(try await readServers() == before)
  }

  @Test(
    arguments: [[.away, .away, .away], [.away, .away, .departed], [.away, .away, .inFolders]] as [[ServerAnswer]])
  func serversThatGoAwayInASecondPassTakeNoFindsAway(answers: [ServerAnswer]) async throws {
    let before = try await readServers()
    try await answer([.away, .away, .albums])
    // The third part starts the second pass.
    for _ in 0..<3 { #expect(try await readPart(SimilarOnServers.self)) }
    try await answer(answers)
    #expect(try await readServers() == before)
    // The last server alone answers first, and the others follow in the pass that this starts.
    try await answer([.away, .away, .albums])
    if answers.last == .away { #expect(try await readPart(SimilarOnServers.self)) }
    try await answer([.albums, .albums, .albums])
    #expect(try await readServers() == before)
  }

  @Test func aReadingEndsIfOnlyTheLastServerAnswers() async throws {
    let before = try await readServers()
    try await answer([.away, .away, .albums])
    var parts = 1
    while try await readPart(SimilarOnServers.self) { parts += 1 }
    #expect(parts == 6)
    #expect(try await kept(SimilarOnServers.self) == before.suffix(1))
  }

  @Test(arguments: [
    #"{"similarartists":{"artist":"Ada","@attr":{"artist":"Ada"}}}"#,
    "{\"similarartists\":{\"#text\":\"\\n\",\"artist\":\"Ada\"}}",
    #"{"similarartists":{"@attr":{"artist":"Ada"}}}"#,
    #"{"similarartists":{"artist":[],"@attr":{"artist":"Ada"}}}"#,
  ]) func anEmptyListOfLastFMIsAnAnswerInAllItsForms(text: String) async throws {
    #expect(try await read(LastFMArtists.self).count == 3)
    outside.answer("artist.getSimilar", text)
    #expect(try await read(LastFMArtists.self) == [])
  }

  @Test(arguments: ["{}", #"{"x":[]}"#, #"{"x":[],"y":[]}"#])
  func anArtistWithoutNearOnesLosesOnlyItsOwnFinds(text: String) async throws {
    #expect(try await read(ListenBrainzArtists.self) == ["Artist 0", "Artist 1", "Artist 2"])
    radio(of: 1, text)
    #expect(try await read(ListenBrainzArtists.self) == ["Artist 0", "Artist 2"])
  }

  @Test(arguments: ["[]", #"{"error":"moved"}"#, #"{"x":[{"name":"Artist 9"}]}"#, #"{"x":[],"y":{"name":"Artist 9"}}"#])
  func aRadioOfAnotherShapeTakesNoFindsAway(text: String) async throws {
    let before = try await read(ListenBrainzArtists.self)
    radio(of: 1, text)
    await #expect { try await read(ListenBrainzArtists.self) } throws: {
      ($0 as? LunaraError)?.code == "discovery.sourceAway"
    }
    #expect(try await Set(kept(ListenBrainzArtists.self)) == Set(before))
  }
}
