import Messages
import Model
import Storage
import Testing

/// Lists of tags with their numbers of albums.
@Suite(.timeLimit(.minutes(2)))
struct TagQueriesTests {
  private static let cases: [(Library.Tag.Kind, [String])] = [
    (.genre, ["Folk 1", "Jazz 3", "Rock 1"]), (.mood, ["W0 2"]), (.style, ["W1 2"]), (.label, ["W2 2"]),
    (.type, ["W3 2"]), (.media, ["W4 2"]), (.country, ["W5 2"]), (.language, ["X 2"]), (.grouping, ["X 2"]),
    (.key, ["X 2"]), (.format, ["flac 2"]), (.sampleRate, ["96000 2"]), (.bitDepth, ["24 2"]),
    (.year, ["1974 1", "1973 1", "1972 1", "1971 1", "1970 1", "1969 1"]), (.decade, ["1970 5", "1960 1"]),
    (.rating, ["4 1", "3 2", "2 3", "1 4"]), (.unplayed, [" 3"]), (.source, ["plex 6"]),
    (.albumArtist, ["Ann 3", "Ben 3"]), (.artist, ["Ann 4", "Ben 3"]), (.composer, ["Cyn 3"]),
    (.performer, ["Ben 1", "Cyn 1"]), (.conductor, []), (.lyricist, []), (.remixer, []), (.work, ["Suite 2"]),
  ]

  @Test(arguments: cases.indices) func tagsOfEveryKindAreCountedAndPaged(_ index: Int) async throws {
    let (kind, expected) = Self.cases[index]
    let catalogue = try await BrowsingCatalogue()
    for limit in [1, 2, 200] { #expect(try await catalogue.counts(kind, limit: limit) == expected) }
    // Counting among all albums is another way to the same numbers.
    let all = [Library.Tag(kind: .source, name: "plex")]
    for limit in [1, 200] { #expect(try await catalogue.counts(kind, among: all, limit: limit) == expected) }
    // Each number is that of the list which the tag narrows.
    for item in expected {
      let parts = item.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      let tag = Library.Tag(kind: kind, name: parts[0])
      #expect(try await catalogue.albums([tag]).count == Int(parts[1]), "\(item)")
    }
    let frequent = try await catalogue.counts(kind, sort: .albums, limit: 1)
    #expect(frequent.sorted() == expected.sorted())
    let numbers = frequent.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
    #expect(numbers == numbers.sorted(by: >))
    let frequentAmong = try await catalogue.counts(kind, among: all, sort: .albums, limit: 1)
    #expect(frequentAmong.sorted() == expected.sorted())
    // The opposite orders are the same lists backwards.
    for limit in [1, 200] {
      let backwards = try await catalogue.counts(kind, isReversed: true, limit: limit)
      #expect(backwards == Array(expected.reversed()))
      let among = try await catalogue.counts(kind, among: all, isReversed: true, limit: limit)
      #expect(among == Array(expected.reversed()))
      let rare = try await catalogue.counts(kind, sort: .albums, isReversed: true, limit: limit)
      #expect(rare == Array(frequent.reversed()))
      let rareAmong = try await catalogue.counts(kind, among: all, sort: .albums, isReversed: true, limit: limit)
      #expect(rareAmong == Array(frequentAmong.reversed()))
    }
  }

  @Test func arrivalsAreCountedByDaysAndYears() async throws {
    let catalogue = try await BrowsingCatalogue()
    let counts = try await catalogue.counts(.added)
    #expect(Array(counts.prefix(3)) == ["7d 1", "30d 5", "365d 6"])
    let years = counts.dropFirst(3).compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
    #expect(years.reduce(0, +) == 6)
  }

  @Test func countsAmongAreThoseOfTheNarrowedList() async throws {
    let catalogue = try await BrowsingCatalogue()
    let jazz = Library.Tag(kind: .genre, name: "jazz")
    #expect(try await catalogue.counts(.genre, among: [jazz]) == ["Folk 1", "Jazz 3"])
    #expect(try await catalogue.counts(.genre, among: [jazz], sort: .albums) == ["Jazz 3", "Folk 1"])
    #expect(try await catalogue.counts(.decade, among: [jazz]) == ["1970 2", "1960 1"])
    #expect(try await catalogue.counts(.albumArtist, among: [jazz]) == ["Ann 2", "Ben 1"])
    #expect(
      try await catalogue.counts(.artist, among: [Library.Tag(kind: .genre, name: "rock")]) == ["Ann 1", "Ben 1"])
    let ann = Library.Tag(kind: .albumArtist, name: "Ann", isExcluded: true)
    #expect(try await catalogue.counts(.composer, among: [ann]) == ["Cyn 1"])
    #expect(try await catalogue.counts(.work, among: [ann]) == ["Suite 1"])
  }

  @Test func aListOfTagsBeginsWhereATextWouldStand() async throws {
    let catalogue = try await BrowsingCatalogue()
    #expect(try await catalogue.counts(.genre, startingAt: "J", limit: 1) == ["Jazz 3", "Rock 1"])
    #expect(try await catalogue.counts(.albumArtist, startingAt: "b") == ["Ben 3"])
    let all = [Library.Tag(kind: .source, name: "plex")]
    #expect(try await catalogue.counts(.genre, among: all, startingAt: "J") == ["Jazz 3", "Rock 1"])
  }

  @Test(arguments: [Library.Tag.Kind.unknown, .folder]) func kindsWithoutAListAreRefused(
    _ kind: Library.Tag.Kind
  ) async throws {
    let catalogue = try await BrowsingCatalogue()
    await #expect {
      _ = try await catalogue.counts(kind)
    } throws: {
      ($0 as? LunaraError)?.code == "library.unknownTag"
    }
  }

  @Test func albumsThatAreNotListedAreNotCounted() async throws {
    let catalogue = try await BrowsingCatalogue()
    try await catalogue.catalogue.write("UPDATE albums SET listed = 0 WHERE id = 1")
    #expect(try await catalogue.counts(.genre) == ["Folk 1", "JAZZ 2", "Rock 1"])
    #expect(try await catalogue.counts(.composer) == ["Cyn 2"])
    #expect(try await catalogue.counts(.work) == ["Suite 1"])
  }
}
