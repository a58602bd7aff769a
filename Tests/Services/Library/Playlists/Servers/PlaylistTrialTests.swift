import HTTP
import Messages
import Model
import ServiceKit
import Storage
import TestSupport
import Testing

@testable import lunara_library

/// Random edits on both sides of a music server on a real socket. Some of its requests are carried out and their kept
/// connections closed without a byte, and others are not even carried out.
@Suite(.timeLimit(.minutes(5)))
struct PlaylistTrialTests {
  private static let rounds = 30

  /// A music server and the orders to it.
  private struct Side: Sendable {
    var server: any MusicServer
    var order: @Sendable (_ verb: String, _ json: String) async throws -> Void

    func setFaults(_ seed: Int?) async throws {
      try await order("random-faults", seed.map { #"{"drop":0.06,"lose":0.15,"seed":\#($0)}"# } ?? "{}")
    }

    /// Returns the tracks of the server's playlists by their titles.
    func lists(named prefix: String) async throws -> [(native: String, title: String, tracks: [String])] {
      var lists: [(native: String, title: String, tracks: [String])] = []
      for list in try await server.listPlaylists() where list.title.hasPrefix(prefix) {
        lists.append((list.native, list.title, try await server.playlist(list.native).natives))
      }
      return lists
    }
  }

  @Test func thirtyRoundsAtAPlexServerEndEqualOnBothSides() async throws {
    for seed: UInt64 in 1...3 {
      let fixture = try await FakePlexServer(["--synthetic", "60", "--seed", "7"])
      try await run(.init(server: fixture.server) { _ = try await fixture.order($0, $1) }, seed)
    }
  }

  @Test func thirtyRoundsAtASubsonicServerEndEqualOnBothSides() async throws {
    for seed: UInt64 in 1...3 {
      let fixture = try await FakeSubsonicServer("subsonic", ["--synthetic", "60", "--seed", "7"])
      try await run(.init(server: try fixture.server()) { _ = try await fixture.order($0, $1) }, seed)
    }
  }

  private func run(_ side: Side, _ seed: UInt64) async throws {
    var random = Seeded(seed)
    func below(_ limit: Int) -> Int { Int(random.next() % UInt64(max(1, limit))) }
    let catalogue = try TestCatalogue()
    let source = ServerSource(
      name: "plex", kind: "plex", server: side.server, database: catalogue.database, journal: nil
    ) { catalogue.time }
    let sender = PlaylistSender(
      database: catalogue.database, hostID: "h1", log: .quiet, server: { _ in side.server },
      time: { catalogue.time })
    func refresh() async throws {
      catalogue.wait(seconds: 2 * 86_400)
      do { _ = try await source.refresh(accepting: [], progress: RefreshProgress()) } catch let error as LunaraError
        where error.code == "library.sourceAway"
      {
        // Its faults ended this reading.
      }
    }
    try await refresh()
    let tracks: [(id: TrackID, native: String)] = try await catalogue.database.read { transaction in
      try transaction.rows("SELECT source || ':t' || id, native FROM tracks ORDER BY id LIMIT 40") {
        (try $0.value(0), try $0.value(1))
      }
    }
    try #require(tracks.count == 40)
    // The tracks of each list that somebody added and nobody removed. No list gets a track a second time.
    var kept: [String: Set<String>] = [:]
    var used: [String: Set<String>] = [:]
    func fresh(_ title: String) -> (id: TrackID, native: String)? {
      let free = tracks.filter { used[title]?.contains($0.native) != true }
      guard !free.isEmpty else { return nil }
      let track = free[below(free.count)]
      used[title, default: []].insert(track.native)
      kept[title, default: []].insert(track.native)
      return track
    }
    func lists() async throws -> [Playlist] {
      try await catalogue.database.read { try Catalogue.playlists(.init(), $0) }.items.filter {
        $0.title.hasPrefix("Trial ")
      }
    }
    func natives(_ title: String) async throws -> [String] {
      try await catalogue.database.read { transaction in
        try transaction.values(
          """
          SELECT e.native FROM playlist_entries e JOIN playlists p ON p.id = e.playlist
          WHERE p.source = 'plex' AND p.title = ? ORDER BY e.place
          """, title)
      }
    }
    for round in 0..<Self.rounds {
      let present = try await lists()
      let list = present.isEmpty ? nil : present[below(present.count)]
      switch below(6) {
      case 0:
        let title = "Trial \(round)"
        guard let first = fresh(title), let second = fresh(title) else { continue }
        _ = try await catalogue.edit {
          try $0.create(.init(title: title, ids: [first.id.playable, second.id.playable], source: "plex"))
        }
      case 1, 2:
        guard let list, let track = fresh(list.title) else { continue }
        let after: Int64? = below(2) == 0 ? 0 : nil
        _ = try await catalogue.edit { try $0.add(.init(id: list.id, ids: [track.id.playable], after: after)) }
      case 3:
        // Servers do not create empty playlists.
        guard let list, try await natives(list.title).count > 1 else { continue }
        let entry = try #require(try await catalogue.order(list.id).last)
        let native = try #require(try await natives(list.title).last)
        _ = try await catalogue.edit { try $0.remove(.init(id: list.id, entries: [entry])) }
        kept[list.title]?.remove(native)
      case 4:
        // Somebody adds something there.
        guard let theirs = try await side.lists(named: "Trial ").first(where: { kept[$0.title] != nil }),
          let track = fresh(theirs.title)
        else { continue }
        let now = try await side.server.playlist(theirs.native)
        try await side.server.edit(theirs.native, from: now, to: .init(natives: now.natives + [track.native]))
      default:
        guard let list, present.count > 2 else { continue }
        try await catalogue.edit { try $0.delete(.init(id: list.id)) }
        kept[list.title] = nil
      }
      try await side.setFaults(below(1_000_000))
      if below(3) > 0 { _ = await sender.sendAll() }
      if below(3) == 0 { try await refresh() }
      try await side.setFaults(nil)
    }
    var isAllSent = false
    for _ in 0..<5 where !isAllSent { isAllSent = await sender.sendAll() }
    #expect(isAllSent, "\(seed)")
    try await refresh()
    let (here, theirs) = (try await lists(), try await side.lists(named: "Trial "))
    #expect(here.map(\.title).sorted() == kept.keys.sorted(), "\(seed)")
    #expect(theirs.map(\.title).sorted() == kept.keys.sorted(), "\(seed)")
    for list in here {
      let found = try await natives(list.title)
      let there = theirs.first { $0.title == list.title }?.tracks
      #expect(found == there, "\(seed), \(list.title)")
      #expect(Set(found).count == found.count, "\(seed), \(list.title): doubled")
      #expect(Set(found) == kept[list.title], "\(seed), \(list.title)")
    }
  }
}
