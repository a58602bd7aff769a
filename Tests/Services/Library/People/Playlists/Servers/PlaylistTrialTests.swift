import HTTP
import Messages
import Model
import ServiceKit
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Catalogue
@testable import People
@testable import Records
@testable import Sources

/// Random edits on both sides of a music server on a real socket. Some of its requests are carried out and their kept
/// connections closed without a byte, others are not even carried out, and runs end by a kill between two requests, or
/// between an answer and what is written of it. After a kill only the database is left.
@Suite(.timeLimit(.minutes(5)))
struct PlaylistTrialTests {
  private static let rounds = 30

  /// A music server and the orders to it.
  private struct Side: Sendable {
    var server: any MusicServer
    /// Makes the connection of a run, which the kill interrupts.
    var connect: @Sendable (Kill) throws -> any MusicServer
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
    var kills = 0
    for seed: UInt64 in 1...3 {
      let fixture = try await FakePlexServer(["--synthetic", "60", "--seed", "7"])
      let side = Side(server: fixture.server) { kill in
        var client = fixture.server.client
        client.endpoint = InterruptedEndpoint(endpoint: client.endpoint, pass: kill.pass)
        return InterruptedServer(server: PlexServer(client: client), pass: kill.pass)
      } order: {
        _ = try await fixture.order($0, $1)
      }
      kills += try await run(side, seed)
    }
    #expect(kills > 10, "\(kills) kills")
  }

  @Test func thirtyRoundsAtASubsonicServerEndEqualOnBothSides() async throws {
    var kills = 0
    for seed: UInt64 in 1...3 {
      let fixture = try await FakeSubsonicServer("subsonic", ["--synthetic", "60", "--seed", "7"])
      let side = Side(server: try fixture.server()) { kill in
        InterruptedServer(server: try fixture.server(), pass: kill.pass)
      } order: {
        _ = try await fixture.order($0, $1)
      }
      kills += try await run(side, seed)
    }
    #expect(kills > 10, "\(kills) kills")
  }

  /// Makes the rounds of a seed, and returns the number of kills.
  private func run(_ side: Side, _ seed: UInt64) async throws -> Int {
    var random = Seeded(seed)
    func below(_ limit: Int) -> Int { Int(random.next() % UInt64(max(1, limit))) }
    let catalogue = try TestCatalogue()
    var kills = 0
    /// Refreshes as a program does that is killed after some moments; nil for none.
    func refresh(until moments: Int? = nil) async throws {
      catalogue.wait(seconds: 2 * 86_400)
      let kill = Kill(after: moments)
      let source = ServerSource(
        name: "plex", kind: "plex", server: try side.connect(kill), database: catalogue.database, publisher: .to(nil)
      ) { catalogue.time }
      let problem = Mutex<LunaraError?>(nil)
      await kill.run {
        do { _ = try await source.refresh(accepting: [], progress: RefreshProgress()) } catch {
          problem.withLock { $0 = LunaraError(error) }
        }
      }
      if kill.hasCome { kills += 1 }
      // Faults of the server end a reading as well.
      let found = problem.withLock { $0 }
      if !kill.hasCome { #expect(found == nil || found?.code == "library.sourceAway", "\(seed)") }
    }
    /// Sends what there is to be sent, and returns true if nothing is left.
    func send(until moments: Int? = nil) async throws -> Bool {
      let kill = Kill(after: moments)
      let server = try side.connect(kill)
      let sender = PlaylistSender(
        database: catalogue.database, hostID: "h1", log: .quiet, server: { _ in server }, time: { catalogue.time })
      let isAllSent = Mutex(false)
      await kill.run {
        let result = await sender.sendAll()
        isAllSent.withLock { $0 = result }
      }
      if kill.hasCome { kills += 1 }
      return isAllSent.withLock { $0 }
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
      if below(3) > 0 { _ = try await send(until: below(3) == 0 ? nil : below(16)) }
      if below(3) == 0 { try await refresh(until: below(2) == 0 ? nil : below(16)) }
      try await side.setFaults(nil)
    }
    var isAllSent = false
    for _ in 0..<5 where !isAllSent { isAllSent = try await send() }
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
    return kills
  }
}
