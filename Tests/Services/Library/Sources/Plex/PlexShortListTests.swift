import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Records
@testable import Sources

/// Lists of a Plex server with few rows, or none: such a list may be right, or an answer that lacks its rows.
@Suite(.timeLimit(.minutes(3)))
struct PlexShortListTests {
  /// The listings of a section with some albums, and of one with two tracks.
  private static let music = "/library/sections/1/all"
  private static let attic = "/library/sections/2/all"
  private static let albums = PlexReader.query(.album)

  private func pages(_ fixture: FakePlexServer, _ kind: PlexRecords.Kind, areChanges: Bool = false) -> PlexPages {
    PlexPages(
      client: fixture.server.client, path: Self.attic, query: PlexReader.query(kind), progress: RefreshProgress(),
      isOfChanges: areChanges)
  }

  /// Returns the number of rows on all pages.
  private func count(_ pages: PlexPages) async throws -> Int {
    var pages = pages
    var count = 0
    while let rows = try await pages.next() { count += rows.count }
    return count
  }

  @Test(arguments: [1, 2, 5]) func aListIsReadWholeHoweverFewRowsComeOnAPage(_ size: Int) async throws {
    let fixture = try await FakePlexServer()
    func rows() async throws -> Int {
      try await fixture.server.client.rows(Self.music, Self.albums, progress: RefreshProgress()).count
    }
    let whole = try await rows()
    #expect(whole > 5)
    try await fixture.order("fault", #"{"path":"\#(Self.music)","fault":"short","rows":\#(size),"times":999}"#)
    #expect(try await rows() == whole)
  }

  @Test func aShortListWithoutItsRowsIsNoAnswerButNoChangesAreOne() async throws {
    let fixture = try await FakePlexServer()
    try await fixture.order("empty", #"{"section":2}"#)
    #expect(try await count(pages(fixture, .track)) == 0)
    // The number of missing rows is within what servers count and never list.
    try await fixture.order("fault", #"{"path":"\#(Self.attic)","fault":"moreCounted","times":99}"#)
    #expect(await refusal { _ = try await count(pages(fixture, .track)) } == "library.sourceAway")
    #expect(try await count(pages(fixture, .track, areChanges: true)) == 0)
  }

  @Test func aListThatBringsOtherRowsWithEachPassIsRefusedWhereSomeAreMissing() async throws {
    let fixture = try await FakePlexServer()
    func rows() async throws -> Int {
      try await fixture.server.client.rows(Self.music, Self.albums, progress: RefreshProgress()).count
    }
    let whole = try await rows()
    // The server counts a row more than it lists, and each pass brings the same ones.
    try await fixture.order("fault", #"{"path":"\#(Self.music)","fault":"moreCounted","times":99}"#)
    #expect(try await rows() == whole)
    try await fixture.order("faults/clear")
    // The first pass lacks three rows at its end, and the second one brings none.
    for rows in [whole - 3, 0, 0] {
      try await fixture.order("fault", #"{"path":"\#(Self.music)","fault":"short","rows":\#(rows)}"#)
    }
    #expect(await refusal { _ = try await rows() } == "library.sourceAway")
  }

  @Test func aSectionWithoutMusicIsReadAndHidesNoOther() async throws {
    let fixture = try await FakePlexServer()
    let mark = try await fixture.read(.everything, sections: ["1"])
    let (albums, tracks) = (try await fixture.albums(), try await fixture.tracks())
    try await fixture.order("empty", #"{"section":2}"#)
    let progress = RefreshProgress()
    let both = try await fixture.read(.everything, sections: ["2", "1"], progress)
    #expect(try await fixture.albums() == albums)
    #expect(try await fixture.tracks() == tracks)
    #expect(both.completeAt != nil && mark.completeAt != nil)
    #expect(progress.isTotalKnown && progress.done == progress.total)
    // The ids are those of playlists, which belong to no section.
    _ = try await fixture.read(.keys, since: both, sections: [])
    let ids = try await fixture.keys()
    _ = try await fixture.read(.keys, since: both, sections: ["2"])
    #expect(try await fixture.keys() == ids)
    // A server that is asked again finds nothing to read.
    #expect(try await fixture.server.checkForChanges(since: both, sections: ["2", "1"]).need == .nothing)
  }

  @Test func aSectionThatIsEmptiedLosesItsMusicAndTheOthersKeepTheirs() async throws {
    let fixture = try await FakePlexServer()
    let source = ServerSource(
      name: "plex", kind: "plex", server: fixture.server, database: fixture.database, publisher: .to(nil),
      now: { .now() })
    func tracks(_ section: String) async throws -> Int {
      try await fixture.database.read { transaction in
        try transaction.row("SELECT count(*) FROM tracks WHERE section = ?", section) { try $0.value(0) as Int } ?? 0
      }
    }
    _ = try await source.refresh(accepting: [], progress: RefreshProgress())
    let (music, attic) = (try await tracks("1"), try await tracks("2"))
    #expect(music > 0 && attic > 0)
    try await fixture.order("empty", #"{"section":2}"#)
    let counts = try await source.refresh(accepting: .deletions, progress: RefreshProgress())
    #expect(counts?.deleted == attic)
    #expect(try await tracks("1") == music)
    #expect(try await tracks("2") == 0)
  }
}
