import Model
import Testing

@testable import Mpd

/// Filters in both forms, and what they find.
@Suite struct FilterTests {
  private let index = MusicIndex([
    track(1, "Über Nacht", artist: "Ann's", album: "One", year: 1999), track(2, "Two", artist: "Bo", album: "One"),
    track(3, "Three", artist: "Bo", album: "Red \"1\"", genres: ["Jazz", "Folk"]),
  ])

  private func found(_ arguments: String..., search: Bool = false) throws -> [String] {
    let arguments = try SearchArguments(arguments, isSearch: search, mayBeEmpty: true)
    let matcher = arguments.filter.prepared(folds: search)
    let songs = index.songs.filter(matcher.matches)
    return (arguments.sort?.sorted(songs) ?? songs).map { $0.id.native }.sorted()
  }

  @Test func tagsAreComparedExactlyByFindAndByPartsBySearch() throws {
    #expect(try found("artist", "Bo") == ["t2", "t3"])
    #expect(try found("artist", "bo") == [])
    #expect(try found("title", "uber", search: true) == ["t1"])
    #expect(try found("any", "JAZZ", search: true) == ["t3"])
    #expect(try found("artist", "Bo", "album", "One") == ["t2"])
  }

  @Test func expressionsHaveQuotesEscapesNegationAndAnd() throws {
    #expect(try found("(Artist == \"Ann\\'s\")") == ["t1"])
    #expect(try found("((artist == 'Bo') AND (album contains '\"1'))") == ["t3"])
    #expect(try found("(!(artist == 'Bo'))") == ["t1"])
    #expect(try found("(artist != 'Bo')") == ["t1"])
    #expect(try found("(title starts_with 'T')") == ["t2", "t3"])
    #expect(try found("(base 'Bo')") == ["t2", "t3"])
    #expect(try found("(file == 'Bo/One/02 Two')") == ["t2"])
    #expect(try found("(Date == '')") == ["t2", "t3"])
    #expect(try found() == ["t1", "t2", "t3"])
  }

  @Test(arguments: [
    "(artist == 'Bo'", "artist == 'Bo')", "(artist 'Bo')", "(artist == Bo)", "(colour == 'x')", "(artist =~ 'B.*')",
    "((artist == 'Bo') OR (artist == 'x'))", "(artist == 'Bo", "(artist == 'Bo') x",
    String(repeating: "(!", count: 200) + "(artist == 'x')" + String(repeating: ")", count: 200),
  ])
  func malformedExpressionsAreRefused(text: String) {
    #expect(throws: CommandError.self) { try FilterParser.filter(text, isSearch: false) }
  }

  @Test func sortWindowGroupAndPositionFollowTheFilter() throws {
    let arguments = try SearchArguments(
      ["artist", "Bo", "sort", "-Title", "window", "1:3", "position", "+0"], isSearch: false)
    #expect(arguments.window == PositionRange(start: 1, end: 3))
    #expect(arguments.position == .afterCurrent(0))
    #expect(arguments.sort?.sorted(index.songs).first?.id.native == "t1")
    #expect(throws: CommandError.self) { try SearchArguments(["artist"], isSearch: false) }
    #expect(throws: CommandError(.argument, "Conflicting group")) {
      try SearchArguments(["group", "genre", "group", "genre"], isSearch: false, mayBeEmpty: true)
    }
    #expect(throws: CommandError.self) { try SearchArguments(["artist", "x", "sort", "colour"], isSearch: false) }
  }
}

/// Returns a track of the tests.
func track(
  _ number: Int, _ title: String, artist: String, album: String, year: Int? = nil, genres: [String] = []
) -> Track {
  Track(
    id: TrackID(source: "files", native: "t\(number)"), albumID: AlbumID(source: "files", native: "\(artist)-\(album)"),
    title: title, artist: artist, albumArtist: artist, album: album, number: number, year: year, genres: genres,
    duration: Milliseconds(61_500), art: ArtID(source: "files", native: "c1"))
}
