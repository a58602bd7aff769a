import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Catalogue
@testable import Records
@testable import Sources

/// Refreshes of a catalogue from a Plex server that refuses some of its answers.
@Suite(.timeLimit(.minutes(3)))
struct PlexRefreshTests {
  /// Refreshes and returns the numbers of new, changed, unchanged and deleted tracks.
  @discardableResult
  private func refresh(
    _ fixture: FakePlexServer, accepting: AcceptedChanges = [], at time: Timestamp = .now()
  ) async throws -> [Int] {
    let source = ServerSource(
      name: "plex", kind: "plex", server: fixture.server, database: fixture.database, publisher: .to(nil), now: { time }
    )
    let counts = try #require(try await source.refresh(accepting: accepting, progress: RefreshProgress()))
    return [counts.new, counts.changed, counts.unchanged, counts.deleted]
  }

  private func status(_ fixture: FakePlexServer) async throws -> Library.SourceStatus {
    try #require(try await fixture.database.read(Catalogue.state).sources.first)
  }

  private func texts(_ sql: String, _ fixture: FakePlexServer) async throws -> [String] {
    try await fixture.database.read { try $0.values(sql) }
  }

  /// Returns the titles of a kind of lists with the number of their items: `Evening 3`.
  private func lists(_ kind: String, _ fixture: FakePlexServer) async throws -> Set<String> {
    let items = kind == "playlist" ? "playlist_entries" : "\(kind)_items"
    return Set(
      try await texts(
        "SELECT title || ' ' || (SELECT count(*) FROM \(items) WHERE \(kind) = l.id) FROM \(kind)s l", fixture))
  }

  private func native(_ title: String, _ kind: String, _ fixture: FakePlexServer) async throws -> String {
    try #require(try await texts("SELECT native FROM \(kind)s WHERE title = '\(title)'", fixture).first)
  }

  @Test(arguments: ["400", "404", "500", "503", "html"])
  func aFirstReadingBringsAllButTheListThatIsRefused(_ fault: String) async throws {
    let known = try await FakePlexServer()
    try await refresh(known)
    let (collection, playlist) = (
      try await native("Current Vibes", "collection", known), try await native("Evening", "playlist", known)
    )
    let fixture = try await FakePlexServer()
    for path in ["/library/collections/\(collection)/items", "/playlists/\(playlist)/items"] {
      try await fixture.order("fault", #"{"path":"\#(path)","fault":"\#(fault)","times":3}"#)
    }
    try await refresh(fixture)
    let (status, other) = (try await status(fixture), try await self.status(known))
    #expect(status.albums == other.albums && status.tracks == other.tracks && status.tracks > 0)
    #expect(status.problems.map(\.code) == ["library.listUnreadable", "library.listUnreadable"])
    #expect(status.problems.contains { $0.message.contains("collection “Current Vibes”") })
    #expect(status.problems.contains { $0.message.contains("playlist “Evening”") })
    let others = try await lists("collection", known).filter { !$0.hasPrefix("Current Vibes") }
    #expect(try await lists("collection", fixture) == others && others.count == 3)
    // The next refresh asks again, although nothing has changed at the server.
    try await fixture.order("faults/clear")
    try await refresh(fixture)
    #expect(try await self.status(fixture).problems == [])
    #expect(try await lists("collection", fixture) == lists("collection", known))
    #expect(try await lists("playlist", fixture) == lists("playlist", known))
  }

  @Test func aListThatIsRefusedLaterStaysAsItWas() async throws {
    let fixture = try await FakePlexServer()
    try await refresh(fixture)
    let (collections, playlists) = (try await lists("collection", fixture), try await lists("playlist", fixture))
    let evening = try await native("Evening", "playlist", fixture)
    try await fixture.order("fault", #"{"path":"/playlists/\#(evening)/items","fault":"500","times":500}"#)
    // Everything is read again, so lists that are not among the answers would count as deleted.
    try await fixture.database.write { _ = try $0.execute("UPDATE sources SET mark = NULL") }
    for _ in 1...2 {
      try await refresh(fixture)
      #expect(try await status(fixture).problems.map(\.code) == ["library.listUnreadable"])
      #expect(try await lists("playlist", fixture) == playlists)
      #expect(try await lists("collection", fixture) == collections)
    }
  }

  @Test(arguments: [#"/library/sections/1/collections$"#, "/playlists$"])
  func aListingThatIsRefusedLeavesItsListsAsTheyWere(_ path: String) async throws {
    let fixture = try await FakePlexServer()
    try await refresh(fixture)
    let (collections, playlists) = (try await lists("collection", fixture), try await lists("playlist", fixture))
    let pattern = path.replacing("$", with: "\\\\Z")
    try await fixture.order("fault", #"{"path":"\#(pattern)","fault":"500","times":500}"#)
    for isFromScratch in [false, true] {
      if isFromScratch { try await fixture.database.write { _ = try $0.execute("UPDATE sources SET mark = NULL") } }
      // A new track makes the first of the two a delta.
      try await fixture.order("add", #"{"artist":"Echo","album":"New","title":"\#(isFromScratch)"}"#)
      #expect(try await refresh(fixture)[0] == 1)
      #expect(try await status(fixture).problems.map(\.code) == ["library.listUnreadable"])
      #expect(try await lists("playlist", fixture) == playlists)
      #expect(try await lists("collection", fixture) == collections)
    }
    // The ids of all items are compared as well.
    #expect(try await refresh(fixture, accepting: .deletions)[3] == 0)
    #expect(try await lists("playlist", fixture) == playlists)
    #expect(try await lists("collection", fixture) == collections)
  }

  @Test(arguments: [AcceptedChanges(), .deletions])
  func aServerThatCountsMoreThanItListsLosesWhatIsGone(_ accepting: AcceptedChanges) async throws {
    let fixture = try await FakePlexServer()
    try await fixture.order("fault", #"{"path":"/sections/1/all","query":"type=9","fault":"moreCounted","times":9999}"#)
    try await refresh(fixture)
    for title in ["Salt and Lantern", "Two Rivers"] {
      let tracks = try await status(fixture).tracks
      let key = try await fixture.key(title, "album")
      try await fixture.order("remove", #"{"key":\#(key)}"#)
      let deleted = try await refresh(fixture, accepting: accepting)[3]
      #expect(deleted > 0)
      #expect(try await status(fixture).tracks == tracks - deleted)
      #expect(try await status(fixture).problems == [])
    }
  }

  /// Returns all moods and styles of albums, and the loudness of tracks.
  private func details(_ fixture: FakePlexServer) async throws -> [String] {
    try await texts("SELECT album || ' ' || kind || ' ' || name FROM album_tags ORDER BY 1", fixture)
      + texts("SELECT id || ' ' || ifnull(track_gain, '-') FROM tracks ORDER BY 1", fixture)
  }

  @Test func detailsThatAServerRefusesForAWhileStayAndAreReadLater() async throws {
    let fixture = try await FakePlexServer()
    try await refresh(fixture)
    let before = try await details(fixture)
    let key = try await fixture.key("Salt and Lantern", "album")
    // A busy server answers no request for details, whether for many items or for one.
    try await fixture.order("fault", #"{"path":"/library/metadata/","fault":"503","times":9999}"#)
    try await fixture.order("change", #"{"key":\#(key),"fields":{"moods":["Sad"]}}"#)
    try await fixture.database.write { _ = try $0.execute("UPDATE sources SET mark = NULL") }
    for _ in 1...2 {
      try await refresh(fixture)
      #expect(try await details(fixture) == before)
    }
    // Nothing more has changed at the server, and the details are requested all the same.
    try await fixture.order("faults/clear")
    try await refresh(fixture)
    let after = try await details(fixture)
    #expect(after.contains { $0.hasSuffix("Sad") } && after.count == before.count - 1)
  }

  @Test func aFirstReadingWithoutDetailsIsCompletedByTheNext() async throws {
    let (fixture, other) = (try await FakePlexServer(), try await FakePlexServer())
    try await fixture.order("fault", #"{"path":"/library/metadata/","fault":"503","times":9999}"#)
    try await refresh(fixture)
    #expect(try await status(fixture).tracks > 0)
    try await fixture.order("faults/clear")
    try await refresh(fixture)
    try await refresh(other)
    #expect(try await details(fixture) == details(other))
    // Complete items are not requested again.
    try await fixture.order("log/clear")
    try await refresh(fixture)
    #expect(try await fixture.asked().allSatisfy { !$0.contains("/library/metadata/") })
  }

  @Test func aSectionThatIsGoneAtTheServerIsNoLongerListed() async throws {
    let fixture = try await FakePlexServer()
    try await refresh(fixture)
    func sections() async throws -> [String] {
      try await texts("SELECT title FROM sections WHERE NOT is_gone ORDER BY position", fixture)
    }
    #expect(try await sections() == ["Music", "Attic", "Audiobooks"])
    let attic = try await texts("SELECT title FROM tracks WHERE section = '2'", fixture)
    #expect(!attic.isEmpty)
    try await fixture.order("section", #"{"key":2,"remove":true}"#)
    // Its music goes with it at once, although the other sections have not changed.
    #expect(try await refresh(fixture)[3] == attic.count)
    #expect(try await sections() == ["Music", "Audiobooks"])
    #expect(try await texts("SELECT title FROM tracks WHERE section = '2'", fixture) == [])
  }

  @Test func aServerThatEndsDuringTheListsFailsTheRefresh() async throws {
    let fixture = try await FakePlexServer()
    try await fixture.order("fault", #"{"path":"/playlists/\\d+/items","fault":"cut","times":500}"#)
    try await fixture.order("fault", #"{"path":"/identity","fault":"cut","times":500,"skip":1}"#)
    #expect(await refusal { try await refresh(fixture) } == "library.sourceAway")
    #expect(try await status(fixture).tracks == 0)
  }
}
