import Messages
import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Catalogue
@testable import Records
@testable import Sources

/// Refreshes of a catalogue from a Subsonic server that refuses some of its answers.
@Suite(.timeLimit(.minutes(2)))
struct SubsonicRefreshTests {
  private func refresh(
    _ fixture: FakeSubsonicServer, _ server: SubsonicServer, accepting: AcceptedChanges = []
  ) async throws {
    let source = ServerSource(
      name: "subsonic", kind: "subsonic", server: server, database: fixture.database, publisher: .to(nil),
      now: server.now)
    _ = try #require(try await source.refresh(accepting: accepting, progress: RefreshProgress()))
  }

  /// The refusal of one playlist, once.
  private static let refusal = #"{"path":"getPlaylist(.view)?\\Z","times":1,"fault":"500"}"#

  /// Returns a server that has refused one playlist twice, so that this playlist waits for its next request.
  private func waitingPlaylist() async throws -> (FakeSubsonicServer, SubsonicServer) {
    let fixture = try await FakeSubsonicServer()
    let server = try fixture.server()
    for _ in 1...2 {
      try await fixture.order("fault", Self.refusal)
      try await refresh(fixture, server)
      #expect(try await status(fixture).problems.map(\.code) == ["library.listUnreadable"])
    }
    _ = try await requestedPlaylists(fixture)
    return (fixture, server)
  }

  /// Returns the number of playlists that were requested since the last call.
  private func requestedPlaylists(_ fixture: FakeSubsonicServer) async throws -> Int {
    let count = try await fixture.asked().count { ["getPlaylist", "getPlaylist.view"].contains($0) }
    try await fixture.order("log/clear")
    return count
  }

  private func status(_ fixture: FakeSubsonicServer) async throws -> Library.SourceStatus {
    try #require(try await fixture.database.read(Catalogue.state).sources.first)
  }

  /// Returns the titles of the playlists with the number of their items.
  private func playlists(_ fixture: FakeSubsonicServer) async throws -> Set<String> {
    try await fixture.database.read { transaction in
      Set(
        try transaction.values(
          "SELECT title || ' ' || (SELECT count(*) FROM playlist_entries WHERE playlist = p.id) FROM playlists p")
          as [String])
    }
  }

  @Test(arguments: [#""503""#, #""500""#, #""html""#, #""failed","code":0"#, #""failed","code":50"#])
  func aPlaylistThatIsRefusedCostsOnlyItself(_ fault: String) async throws {
    let fixture = try await FakeSubsonicServer()
    let server = try fixture.server()
    try await fixture.order("fault", #"{"path":"getPlaylist(.view)?\\Z","times":1,"fault":\#(fault)}"#)
    try await refresh(fixture, server)
    #expect(try await status(fixture).tracks > 0)
    #expect(try await status(fixture).problems.map(\.code) == ["library.listUnreadable"])
    let some = try await playlists(fixture)
    // It is requested again, although nothing has changed at the server.
    try await refresh(fixture, server)
    #expect(try await status(fixture).problems == [])
    let all = try await playlists(fixture)
    #expect(all.count == some.count + 1 && all.isSuperset(of: some))
    // Refused later, alone or with all others, it stays as it was.
    for path in [#"getPlaylist(.view)?\\Z"#, #"getPlaylists(.view)?\\Z"#] {
      try await fixture.database.write { _ = try $0.execute("UPDATE sources SET mark = NULL") }
      try await fixture.order("fault", #"{"path":"\#(path)","times":9,"fault":\#(fault)}"#)
      try await refresh(fixture, server)
      #expect(try await status(fixture).problems.allSatisfy { $0.code == "library.listUnreadable" })
      #expect(try await status(fixture).problemCount > 0)
      #expect(try await playlists(fixture) == all)
      try await fixture.order("faults/clear")
    }
  }

  @Test func aRefreshThatAPersonAsksForRequestsARefusedPlaylistAtOnce() async throws {
    let (fixture, server) = try await waitingPlaylist()
    // The server would give it now.
    try await refresh(fixture, server, accepting: AcceptedChanges(Library.Sync()))
    #expect(try await requestedPlaylists(fixture) == 1)
    #expect(try await status(fixture).problems == [])
    // A playlist that was read is not requested again.
    try await refresh(fixture, server, accepting: AcceptedChanges(Library.Sync()))
    #expect(try await requestedPlaylists(fixture) == 0)
  }

  @Test func aPlaylistThatIsRefusedToAPersonTooStaysNamed() async throws {
    let (fixture, server) = try await waitingPlaylist()
    try await fixture.order("fault", Self.refusal)
    try await refresh(fixture, server, accepting: AcceptedChanges(Library.Sync()))
    #expect(try await requestedPlaylists(fixture) == 1)
    #expect(try await status(fixture).problems.map(\.code) == ["library.listUnreadable"])
  }

  /// Neither a check that reads nothing nor a comparison of ids requests the playlist.
  @Test(arguments: [[], AcceptedChanges.deletions])
  func aPlaylistStaysNamedWhileItWaits(_ accepting: AcceptedChanges) async throws {
    let (fixture, server) = try await waitingPlaylist()
    let before = try await status(fixture)
    for _ in 1...2 {
      try await refresh(fixture, server, accepting: accepting)
      #expect(try await requestedPlaylists(fixture) == 0)
      #expect(try await status(fixture).problems == before.problems)
      #expect(try await status(fixture).problemCount == 1)
    }
    try await refresh(fixture, server, accepting: .earlyRetries)
    #expect(try await status(fixture).problems == [])
  }

  @Test func aRefusedListOfPlaylistsStaysNamedWhileTheServerScans() async throws {
    let fixture = try await FakeSubsonicServer()
    let server = try fixture.server()
    let section = try #require(try await server.sections().first?.key)
    try await fixture.order("fault", #"{"path":"getPlaylists(.view)?\\Z","times":99,"fault":"500"}"#)
    try await refresh(fixture, server)
    try await fixture.order("faults/clear")
    try await fixture.order("section", #"{"key":"\#(section)","is_refreshing":true}"#)
    try await refresh(fixture, server, accepting: .earlyRetries)
    #expect(try await status(fixture).problems.map(\.code) == ["library.listUnreadable"])
    try await fixture.order("section", #"{"key":"\#(section)","is_refreshing":false}"#)
    try await refresh(fixture, server)
    #expect(try await status(fixture).problems == [])
  }

  @Test func onlyAPersonWhoSaysSoAcceptsDeletions() {
    #expect(AcceptedChanges(Library.Sync()).isDisjoint(with: .all))
    #expect(AcceptedChanges(Library.Sync(acceptDeletions: true)).isSuperset(of: .all))
  }

  @Test func aPlaylistThatIsAlwaysRefusedIsRequestedAloneAndLessAndLessOften() async throws {
    let fixture = try await FakeSubsonicServer()
    let clock = Mutex(Timestamp(seconds: 1_800_000_000))
    let server = SubsonicServer(client: try fixture.client(), now: { clock.withLock { $0 } })
    try await fixture.order("fault", #"{"path":"getPlaylist(.view)?\\Z","times":1,"fault":"500"}"#)
    let sections = try await server.sections().map(\.key)
    var mark = try await fixture.read(server)
    let refused = try #require(mark.partial)
    #expect(refused.count == 1 && !mark.counters.isEmpty)
    try await fixture.order("fault", #"{"path":"getPlaylist(.view)?\\Z","times":99,"fault":"500"}"#)
    for pause in [300, 600, 1200] as [Int64] {
      #expect(try await server.checkForChanges(since: mark, sections: sections).need == .delta)
      try await fixture.staging.clear()
      mark = try await server.read(
        .delta, since: mark, sections: sections, into: fixture.staging, progress: RefreshProgress())
      #expect(mark.partial == refused)
      #expect(try await fixture.staged(.track, as: ServerTrack.self).isEmpty)
      #expect(try await server.checkForChanges(since: mark, sections: sections).need == .nothing)
      clock.withLock { $0 = Timestamp(seconds: $0.seconds + pause) }
    }
    try await fixture.order("faults/clear")
    mark = try await server.read(
      .delta, since: mark, sections: sections, into: fixture.staging, progress: RefreshProgress())
    #expect(mark.partial == nil && mark.retryAt == nil)
    #expect(try await fixture.staged(.playlist, as: ServerList.self).map(\.native) == refused)
    #expect(try await server.checkForChanges(since: mark, sections: sections).need == .nothing)
  }
}
