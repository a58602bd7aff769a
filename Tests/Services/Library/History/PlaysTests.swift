import Bus
import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import lunara_library

/// What was heard.
@Suite(.timeLimit(.minutes(2)))
struct PlaysTests {
  static func counted(_ track: Track, listen: String, at seconds: Int64 = 1_800_000_000) throws
    -> Scrobble.ListenCounted
  {
    let item = QueueItem(entry: EntryID(rawValue: "e"), track: track, origin: .init(node: "cli@main"))
    return Scrobble.ListenCounted(
      subject: Playback.ListenSubject(
        listen: ListenID(rawValue: listen), room: try #require(RoomName("den")), item: item,
        startedAt: Timestamp(seconds: seconds)),
      heard: Milliseconds(95_000))
  }

  private func plays(_ catalogue: TestCatalogue) async throws -> [String] {
    try await catalogue.database.read { transaction in
      try History.plays(.init(), transaction).items.map {
        "\($0.listen) \($0.track.title) \($0.room) \($0.heard.rawValue)"
      }
    }
  }

  @Test func aListenIsKeptOnceHoweverOftenItIsTold() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", ["ALBUM=X", "ARTIST=A"])
    try await catalogue.refresh()
    let track = try await catalogue.tracks()[1]
    let counted = try Self.counted(track, listen: "l1")
    for time in [100, 200, 300] {
      try await catalogue.database.write { try ListenRows.record(counted, at: Timestamp(seconds: Int64(time)), $0) }
    }
    #expect(try await plays(catalogue) == ["l1 Song 2 of x den 95000"])
    #expect(try await catalogue.album("X").lastPlayedAt == Timestamp(seconds: 100))
  }

  @Test func albumsAreSortedByWhatWasHeardLast() async throws {
    let catalogue = try TestCatalogue()
    for name in ["a", "b", "c"] { try catalogue.tree.album(name, ["ALBUM=\(name)", "ARTIST=A"], tracks: 1) }
    try await catalogue.refresh()
    for (index, name) in ["c", "a"].enumerated() {
      let track = try #require(try await catalogue.tracks(of: catalogue.album(name)).first)
      let counted = try Self.counted(track, listen: name)
      try await catalogue.database.write { try ListenRows.record(counted, at: Timestamp(seconds: Int64(10 + index)), $0) }
    }
    #expect(try await catalogue.albums(.played).map(\.title) == ["a", "c", "b"])
  }

  @Test func whatWasHeardSurvivesRescansAndMoves() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", ["ALBUM=X", "ARTIST=A"])
    try await catalogue.refresh()
    let counted = try Self.counted(try await catalogue.tracks()[0], listen: "l1")
    try await catalogue.database.write { try ListenRows.record(counted, at: Timestamp(seconds: 50), $0) }
    try catalogue.tree.album("x", ["ALBUM=Renamed", "ARTIST=A"], tracks: 2)
    try await catalogue.refresh()
    #expect(try await catalogue.album("Renamed").lastPlayedAt == Timestamp(seconds: 50))
    #expect(try await catalogue.album("X").lastPlayedAt == nil)
    try catalogue.tree.move("x", to: "y")
    try await catalogue.refresh()
    #expect(try await catalogue.album("Renamed").lastPlayedAt == Timestamp(seconds: 50))
  }

  @Test func aListenOfATrackThatIsGoneIsKeptAllTheSame() async throws {
    let catalogue = try TestCatalogue()
    let track = Track(
      id: TrackID(source: "plex", native: "7"), albumID: AlbumID(source: "plex", native: "8"), title: "Gone",
      artist: "A", albumArtist: "A", album: "B", genres: [], duration: Milliseconds(1))
    let counted = try Self.counted(track, listen: "l1")
    try await catalogue.database.write { try ListenRows.record(counted, at: Timestamp(seconds: 50), $0) }
    #expect(try await plays(catalogue) == ["l1 Gone den 95000"])
  }
}
