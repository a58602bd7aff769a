import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Media
@testable import Records
@testable import Sources

/// Lyrics that an OpenSubsonic server gives.
@Suite(.timeLimit(.minutes(5)))
struct SubsonicLyricsTests {
  private static let plain = #"{"lang":"deu","synced":false,"line":[{"value":"Eins"},{"value":""},{"value":"Zwei"}]}"#
  private static let timed = """
    {"lang":"und","synced":true,"offset":100,"line":[{"start":2000,"value":"Two"},{"start":50,"value":"One"},
    {"value":"more"}]}
    """

  /// Returns a server whose first song has these lyrics, and the id of that song.
  private func server(_ lyrics: String) async throws -> (FakeSubsonicServer, song: String) {
    let fixture = try await FakeSubsonicServer()
    try await fixture.read(try fixture.server())
    let song = try #require(try await fixture.tracks().first).native
    try await fixture.order("lyrics", #"{"id":"\#(song)","lyrics":\#(lyrics)}"#)
    return (fixture, song)
  }

  private func shown(_ lyrics: Library.Lyrics?) -> [String] {
    (lyrics?.lines ?? []).map { line in "\(line.start.map { "\($0.rawValue) " } ?? "")\(line.text)" }
  }

  @Test func linesWithTimesComeFirst() async throws {
    let (fixture, song) = try await server("[\(Self.plain),\(Self.timed)]")
    let lyrics = try await fixture.server().lyrics(of: song)
    #expect(lyrics.map(\.source) == [.server, .server] && lyrics.map(\.language) == [nil, "deu"])
    // A line without a time stays behind the one before it.
    #expect(shown(lyrics.first) == ["0 One", "more", "1900 Two"])
    #expect(shown(lyrics.last) == ["Eins", "", "Zwei"])
  }

  @Test(arguments: [
    "[]", #"[{"synced":true,"line":[]}]"#, #"[{"line":[{"start":1,"value":""}]}]"#, "[7]", #"[{"line":"text"}]"#,
  ])
  func answersWithoutWordsAreNoLyrics(_ lyrics: String) async throws {
    let (fixture, song) = try await server(lyrics)
    #expect(try await fixture.server().lyrics(of: song).isEmpty)
    #expect(try await fixture.server().lyrics(of: "nobody knows this").isEmpty)
  }

  @Test func timesBeyondReasonAreHeldWithinIt() async throws {
    let (fixture, song) = try await server(
      #"[{"synced":true,"offset":-9223372036854775807,"line":[{"start":9223372036854775807,"value":"x"}]}]"#)
    #expect(try await fixture.server().lyrics(of: song).first?.lines.first?.start?.rawValue == 1 << 41)
  }

  @Test func aServerWithoutTheExtensionIsNotAsked() async throws {
    let (fixture, song) = try await server("[\(Self.plain)]")
    try await fixture.order("policy", #"{"legacy":true}"#)
    let server = try fixture.server()
    #expect(try await server.lyrics(of: song).isEmpty)
    #expect(try await !fixture.asked().contains("getLyricsBySongId"))
  }

  @Test func theReaderAsksTheServerOfATrack() async throws {
    let (fixture, song) = try await server("[\(Self.timed)]")
    let catalogue = try TestCatalogue()
    let server = try fixture.server()
    try await catalogue.stock("subsonic", albums: 1)
    try await catalogue.write("UPDATE tracks SET native = '\(song)'")
    let track = try #require(TrackID("subsonic:t100101"))
    func read(_ server: (any MusicServer)?) async throws -> Library.Lyrics {
      let reader = LyricsReader(
        database: catalogue.database, boundary: FolderBoundary(MusicFolders([catalogue.tree.root])),
        tagReaders: TestCatalogue.tagReaders
      ) { name in name == "subsonic" ? server : nil }
      return try await reader.lyrics(of: track)
    }
    let lyrics = try await read(server)
    #expect(lyrics.source == .server && lyrics.isTimed)
    #expect(try await code { _ = try await read(nil) } == "library.sourceAway")
    try await fixture.order("lyrics", #"{"id":"\#(song)","lyrics":[]}"#)
    #expect(try await code { _ = try await read(server) } == "library.lyricsMissing")
  }
}
