import Messages
import Model
import Storage
import Testing

@testable import People
@testable import Records
@testable import Sources

/// Ratings that other players wrote into tags are taken over where a person asks for it.
@Suite(.timeLimit(.minutes(2)))
struct RatingImportTests {
  @Test(
    arguments: [
      // Windows Media Player's five values, MediaMonkey's between them, and those of players that count evenly.
      ("RATING:POPM:WINDOWS MEDIA PLAYER 9 SERIES=1", 1), ("RATING:POPM:X=64", 2), ("RATING:POPM:X=128", 3),
      ("RATING:POPM:X=196", 4), ("RATING:POPM:X=255", 5), ("RATING:POPM:NO@EMAIL=13", 0.5),
      ("RATING:POPM:NO@EMAIL=54", 1.5), ("RATING:POPM:NO@EMAIL=118", 2.5), ("RATING:POPM:NO@EMAIL=186", 3.5),
      ("RATING:POPM:NO@EMAIL=242", 4.5), ("RATING:POPM:X=200", 4), ("RATING:POPM:a=b=196", 4),
      ("RATING:POPM:TRAKTOR@NATIVE-INSTRUMENTS.DE=51", 1), ("RATING:POPM:TRAKTOR@NATIVE-INSTRUMENTS.DE=153", 3),
      ("RATING=1", 1), ("RATING=5", 5), ("RATING=4.5", 4.5), ("RATING=9", 4.5), ("RATING=20", 1), ("RATING=90", 4.5),
      ("RATING=100", 5), ("RATING=0.7", 3.5), ("FMPS_RATING=0.9", 4.5), ("FMPS_RATING=1.0", 5),
      ("FMPS_RATING=0,5", 2.5),
      ("RATING:ME@HOME=0.8", 4), ("SHAREDUSERRATING=1", 1), ("SHAREDUSERRATING=25", 2), ("SHAREDUSERRATING=99", 5),
    ] as [(String, Double)])
  func eachPlayersWayIsRead(_ text: String, _ stars: Double) {
    #expect(TagRating(text)?.rating() == Rating(stars: stars))
  }

  @Test(arguments: [
    "RATING=0", "RATING=101", "RATING=-1", "FMPS_RATING=4", "RATING:POPM:X=0", "RATING:POPM:X=300", "RATING=nan",
  ])
  func whatIsNoRatingIsNone(_ text: String) { #expect(TagRating(text)?.rating() == nil) }

  @Test func wordsAreNoRating() { #expect(TagRating("RATING=five stars") == nil && TagRating("RATING") == nil) }

  @Test func theMostExactTagCounts() {
    #expect(
      TagRating.rating(of: ["RATING=1", "RATING:POPM:X=196", "FMPS_RATING=0.9"], isOfTen: false) == Rating(stars: 4.5))
    #expect(TagRating.rating(of: ["RATING=1", "FMPS_RATING=0"], isOfTen: false) == Rating(stars: 1))
  }

  private func run(
    _ catalogue: TestCatalogue, _ request: Library.ImportRatings = .init()
  ) async throws -> Library.ImportedRatings {
    try await RatingImport(
      database: catalogue.database, kinds: .folders, journal: nil,
      now: { Timestamp(seconds: 7) }
    ).run(request)
  }

  private func ratings(_ catalogue: TestCatalogue) async throws -> [String: Double] {
    Dictionary(
      uniqueKeysWithValues: try await catalogue.tracks().compactMap { track in
        track.rating.map { (track.title, Double($0.rawValue) / 2) }
      })
  }

  @Test func onlyUnratedTracksAreRatedAndAnAttemptChangesNothing() async throws {
    let catalogue = try TestCatalogue()
    let tree = catalogue.tree
    func write(_ folder: String, _ number: Int, _ title: String, _ rating: String?) throws {
      let tags = ["TITLE=\(title)", "ALBUM=\(folder)", "ARTIST=A", "TRACKNUMBER=\(number)"]
      try tree.flac("\(folder)/\(number).flac", tags + (rating.map { [$0] } ?? []))
    }
    try write("a", 1, "One", "RATING=4")
    try write("a", 2, "Two", "FMPS_RATING=0.9")
    try write("a", 3, "Three", "RATING=0")
    try write("a", 4, "Four", "RATING=5")
    try write("a", 5, "Five", "RATING=often")
    try write("a", 6, "Six", nil)
    // A folder in which a rating is above 5 counts half stars.
    try write("b", 1, "Seven", "RATING=4")
    try write("b", 2, "Eight", "RATING=10")
    try await catalogue.refresh()
    let four = try await catalogue.track("Four").id
    let handler = RatingRequestHandler(
      database: catalogue.database, kinds: .folders, publisher: .to(nil), now: { Timestamp(seconds: 7) }
    ) {
      _, _, _ in
    }
    try await handler.rate(.init(id: PlayableID(source: four.source, native: four.native), rating: Rating(stars: 2)))

    let expected = Library.ImportedRatings(found: 6, rated: 4, kept: 1, unclear: 1)
    #expect(try await run(catalogue, .init(isDryRun: true)) == expected)
    #expect(try await ratings(catalogue) == ["Four": 2])
    let folder = LocalPath(bytes: tree.path("b"))
    #expect(try await run(catalogue, .init(folder: folder)) == Library.ImportedRatings(found: 2, rated: 2))
    #expect(try await ratings(catalogue) == ["Four": 2, "Seven": 2, "Eight": 5])
    #expect(try await run(catalogue) == Library.ImportedRatings(found: 6, rated: 2, same: 2, kept: 1, unclear: 1))
    let all = ["One": 4.0, "Two": 4.5, "Four": 2, "Seven": 2, "Eight": 5]
    #expect(try await ratings(catalogue) == all)
    // They stay after the next refresh, as those that were given here.
    try await catalogue.refresh()
    #expect(try await ratings(catalogue) == all)
    let replaced = try await run(catalogue, .init(replaces: true))
    #expect(replaced == Library.ImportedRatings(found: 6, rated: 1, same: 4, unclear: 1))
    #expect(try await ratings(catalogue)["Four"] == 5)
  }

  @Test func aFolderThatIsNotThereIsRefused() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", ["ALBUM=X", "ARTIST=A"])
    try await catalogue.refresh()
    await #expect(throws: LunaraError.self) { try await run(catalogue, .init(folder: LocalPath("/nowhere"))) }
  }
}
