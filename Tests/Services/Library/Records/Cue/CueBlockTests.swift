import Messages
import Model
import Storage
import Testing

@testable import Catalogue
@testable import Records

/// The CUESHEET blocks of FLAC files, and the sound before the first track.
@Suite(.timeLimit(.minutes(2)))
struct CueBlockTests {
  private static let rate = 44_100
  private static let end = 600 * rate
  private static let three = FLACFile.cueSheet(
    [
      .init(number: 1, start: 0), .init(number: 2, start: 180 * rate, index: 2 * rate + 1, isrc: "GBAYE9100001"),
      .init(number: 3, start: 360 * rate + 7),
    ], end: end, catalogue: "0602527478271")

  private func catalogue(
    _ tags: [String] = [], _ block: [UInt8] = three, picture: [UInt8]? = nil, sheet: String? = nil
  ) async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    let bytes = FLACFile.bytes(
      ["ALBUM=Blue", "ARTIST=Joni Mitchell", "TITLE=Whole"] + tags, seconds: 600, picture: picture,
      quality: .init(digest: 5), cueSheet: block)
    try catalogue.tree.write(bytes, to: "blue/image.flac")
    if let sheet { try catalogue.tree.write(Array(sheet.utf8), to: "blue/image.cue") }
    try await catalogue.refresh()
    return catalogue
  }

  private func segments(_ catalogue: TestCatalogue) async throws -> [AudioSegment?] {
    let tracks = try await catalogue.tracks()
    return try await catalogue.database.read { transaction in
      try tracks.flatMap { try Catalogue.copies(of: $0.id, transaction) }.map(\.segment)
    }
  }

  @Test func theBlockGivesTheTracksToTheSample() async throws {
    let catalogue = try await catalogue()
    let tracks = try await catalogue.tracks()
    #expect(tracks.map(\.title) == ["Track 1", "Track 2", "Track 3"] && tracks.map(\.number) == [1, 2, 3])
    #expect(tracks.allSatisfy { $0.artist == "Joni Mitchell" && $0.album == "Blue" })
    // Sound before index 1 belongs to the track before.
    let second = 182 * Self.rate + 1
    let third = 360 * Self.rate + 7
    #expect(try await segments(catalogue).map { $0?.start } == [0, Int64(second), Int64(third)])
    #expect(try await segments(catalogue).map { $0?.end } == [Int64(second), Int64(third), nil])
    #expect(try await catalogue.problems() == [])
    try await catalogue.expectWholeIndex()
    #expect(try await catalogue.refresh() == [0, 0, 3, 0])
  }

  @Test func tagsNameItsTracks() async throws {
    let catalogue = try await catalogue([
      "TITLE[1]=One", "title[02]=Two", "CUE_TRACK03_TITLE=Three", "artist[2]=Guest", "COMPOSER[3]=Writer",
      "TITLE[1]=Other", "TITLE[9]=None", "TITLE[x]=None", "CUE_TRACK=None", "TITLE[-1]=None",
    ])
    let tracks = try await catalogue.tracks()
    #expect(tracks.map(\.title) == ["One", "Two", "Three"])
    #expect(tracks.map(\.artist) == ["Joni Mitchell", "Guest", "Joni Mitchell"])
  }

  @Test func theBlockIsFoundBehindAPicture() async throws {
    let catalogue = try await catalogue(picture: [UInt8](repeating: 1, count: 40_000))
    #expect(try await catalogue.tracks().count == 3)
  }

  @Test func aSheetInTheTagsOrBesideComesFirst() async throws {
    let sheet = "FILE \"image.wav\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 01:00:00"
    #expect(try await catalogue(["CUESHEET=\(sheet)"]).tracks().count == 2)
    #expect(try await catalogue(sheet: sheet).tracks().count == 2)
  }

  @Test(arguments: [
    FLACFile.cueSheet([.init(number: 1, start: 0)], end: end),
    // The disc was longer than this part of it.
    FLACFile.cueSheet([.init(number: 1, start: 0), .init(number: 2, start: 180 * rate)], end: end + 2 * rate),
    FLACFile.cueSheet([.init(number: 1, start: 200 * rate), .init(number: 2, start: 180 * rate)], end: end),
    FLACFile.cueSheet([.init(number: 1, start: 0), .init(number: 1, start: 180 * rate)], end: end),
    Array(three.dropLast(37)), Array(three.prefix(396)), Array(three.prefix(100)), [],
    [UInt8](repeating: 0xFF, count: 2000),
  ])
  func blocksOfNoUseChangeNothing(_ block: [UInt8]) async throws {
    let catalogue = try await catalogue([], block)
    #expect(try await catalogue.tracks().map(\.title) == ["Whole"])
    #expect(try await catalogue.problems() == [])
  }

  @Test func dataEndsTheTrackBefore() async throws {
    let block = FLACFile.cueSheet(
      [.init(number: 1, start: 0), .init(number: 2, start: 300 * Self.rate, isData: true)], end: Self.end)
    let catalogue = try await catalogue([], block)
    #expect(try await catalogue.tracks().map(\.title) == ["Track 1"])
    #expect(try await segments(catalogue).map { $0?.end } == [Int64(300 * Self.rate)])
  }

  private func sheet(first: String) -> String {
    "TITLE Blue\nPERFORMER Joni\nFILE \"image.flac\" WAVE\nTRACK 01 AUDIO\nTITLE One\nINDEX 00 00:00:00\n"
      + "INDEX 01 \(first)\nTRACK 02 AUDIO\nTITLE Two\nINDEX 01 05:00:00\n"
  }

  @Test func aLongTimeBeforeTheFirstTrackIsAHiddenTrack() async throws {
    let catalogue = try await catalogue([], [], sheet: sheet(first: "01:00:00"))
    let tracks = try await catalogue.tracks()
    #expect(tracks.map(\.title) == ["Hidden track", "One", "Two"] && tracks.map(\.number) == [0, 1, 2])
    #expect(tracks.map(\.duration) == [60_000, 240_000, 300_000].map { Milliseconds($0) })
    let starts = [0, 60, 300].map { Int64($0 * Self.rate) }
    #expect(try await segments(catalogue).map { $0?.start } == starts)
    let album = try await catalogue.album("Blue")
    let guesses = try await catalogue.database.read {
      try Catalogue.guesses(of: tracks, onAlbum: try #require(CatalogueID(album.id)?.number), $0)
    }
    #expect(guesses.map(\.track) == [tracks[0].id] && guesses[0].fields == [.title, .number])
    #expect(try await catalogue.refresh() == [0, 0, 3, 0])
    try await catalogue.expectWholeIndex()
  }

  @Test func aShortTimeBeforeTheFirstTrackIsLeftOut() async throws {
    let catalogue = try await catalogue([], [], sheet: sheet(first: "01:00:00"))
    let before = try await catalogue.tracks()
    try catalogue.tree.write(Array(sheet(first: "00:04:00").utf8), to: "blue/image.cue")
    #expect(try await catalogue.refresh() == [0, 2, 0, 1])
    // The sheet was mended: the other tracks are the same ones.
    #expect(try await catalogue.tracks().map(\.id) == before.dropFirst().map(\.id))
    #expect(try await segments(catalogue).map { $0?.start } == [4, 300].map { Int64($0 * Self.rate) })
    try catalogue.tree.write(Array(sheet(first: "00:04:01").utf8), to: "blue/image.cue")
    try await catalogue.refresh()
    let after = try await catalogue.tracks()
    #expect(after.map(\.number) == [0, 1, 2] && after.dropFirst().map(\.id) == before.dropFirst().map(\.id))
    try await catalogue.expectWholeIndex()
  }
}
