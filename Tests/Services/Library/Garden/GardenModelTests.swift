import FoundationEssentials
import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import lunara_library

/// What people wrote stays with its music through seeded changes of two servers: albums are renamed, leave and return,
/// are split and put together again, and get new numbers. `LUNARA_GARDEN_CHANGES` is the number of changes.
@Suite(.timeLimit(.minutes(15)))
struct GardenModelTests {
  /// An album of the model. A track belongs to it whatever album its server puts it on.
  private struct Album {
    var index: Int
    var version = 0
    /// Its number at each of the two servers; nil where it is not there.
    var natives: [Int?]
    /// True while its last two tracks are on an album of their own.
    var isSplit = false

    var title: String { "Album \(index) version \(version)" }
    var artist: String { "Artist \(index % 3)" }
    var isHere: Bool { natives.contains { $0 != nil } }
  }

  private static let tracks = 6

  private struct World {
    var albums: [Album]
    var next = 10_000

    mutating func number() -> Int {
      next += 100
      return next
    }

    /// Returns what a server has.
    func contents(_ server: Int) -> FakeServer.Contents {
      var contents = FakeServer.Contents()
      contents.machine = "m\(server)"
      contents.counter = .random(in: 1...Int.max)
      for album in albums {
        guard let native = album.natives[server] else { continue }
        let whole = album.isSplit ? tracks - 2 : tracks
        contents.album(native, album.title, by: album.artist, tracks: whole)
        if album.isSplit {
          contents.album(native + 50, "\(album.title) part", by: album.artist, tracks: 2, from: whole + 1)
        }
      }
      for index in contents.albums.indices { contents.albums[index].guid = "local://\(contents.albums[index].native)" }
      for index in contents.tracks.indices {
        contents.tracks[index].guid = "local://\(contents.tracks[index].native)"
        contents.tracks[index].file = nil
      }
      return contents
    }
  }

  @Test func everyNoteMarkAndTodoIsAtItsAlbumAfterAllChanges() async throws {
    let changes = ProcessInfo.processInfo.environment["LUNARA_GARDEN_CHANGES"].flatMap { Int($0) } ?? 150
    var random = SplitMix(seed: 22)
    let catalogue = try TestCatalogue()
    var world = World(albums: (0..<9).map { Album(index: $0, natives: [1000 + $0 * 100, nil]) })
    let servers = [FakeServer(world.contents(0)), FakeServer(world.contents(1))]
    func refresh(_ server: Int) async throws {
      let contents = world.contents(server)
      servers[server].change { $0 = contents }
      _ = try await catalogue.source(servers[server], ["plex", "plex-2"][server]).refresh(
        accepting: .all, progress: RefreshProgress())
    }
    for server in 0..<2 { try await refresh(server) }
    for album in world.albums {
      let shown = try await catalogue.album(album.title)
      let track = try await catalogue.tracks(of: shown)[0]
      try await catalogue.garden { change in
        _ = try change.notes.write(.init(id: shown.id.playable, text: "note \(album.index)"))
        _ = try change.notes.write(.init(id: track.id.playable, text: "track \(album.index)"))
        _ = try change.marks.mark(.init(id: shown.id.playable, reason: "mark \(album.index)"))
        _ = try change.todos.add(.init(id: shown.id.playable, text: "todo \(album.index)"))
      }
    }
    for change in 0..<changes {
      let index = Int.random(in: 0..<world.albums.count, using: &random)
      let server = Int.random(in: 0..<2, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0 where world.albums[index].isHere:
        world.albums[index].version += 1
      case 1: world.albums[index].natives[server] = nil
      case 2, 3:
        if world.albums[index].natives[server] == nil { world.albums[index].natives[server] = world.number() }
      case 4 where world.albums[index].isHere: world.albums[index].isSplit.toggle()
      default:
        // A library that was built anew numbers all albums anew.
        for album in world.albums.indices where world.albums[album].natives[server] != nil {
          world.albums[album].natives[server] = world.number()
        }
      }
      for server in [server, 1 - server] { try await refresh(server) }
      if change % 10 == 0 || change == changes - 1 {
        guard try await expectAllInPlace(world, catalogue, after: change) else { return }
      }
    }
  }

  /// Compares where everything is with the model. Returns false where something is elsewhere.
  private func expectAllInPlace(_ world: World, _ catalogue: TestCatalogue, after change: Int) async throws -> Bool {
    let found = try await catalogue.database.read { transaction in
      try transaction.rows(
        """
        SELECT x.text, s.shown, ifnull(a.title, t.title), s.title FROM (SELECT text, subject FROM garden_notes
          UNION ALL SELECT reason, subject FROM garden_marks UNION ALL SELECT text, subject FROM garden_todos) x
        JOIN garden_subjects s ON s.id = x.subject LEFT JOIN albums a ON s.kind = 2 AND a.id = s.shown
        LEFT JOIN tracks t ON s.kind = 3 AND t.id = s.shown
        """
      ) { row in
        (
          text: try row.value(0) as String, isHere: try row.value(1) as Int64? != nil,
          title: try row.value(2) as String?, kept: try row.value(3) as String
        )
      }
    }
    #expect(found.count == 4 * world.albums.count)
    for one in found {
      let words = one.text.split(separator: " ")
      let album = world.albums[Int(words[1]) ?? 0]
      let title = words[0] == "track" ? "Song 1 of \(album.title)" : album.title
      guard one.isHere == album.isHere, one.title == (album.isHere ? title : nil) else {
        Issue.record(
          "after \(change): \(one.text) is at \(one.title ?? "nothing"), kept as \(one.kept), not at \(title)")
        return false
      }
    }
    return true
  }
}

/// A small generator with a seed (Steele, Lea and Flood 2014).
private struct SplitMix: RandomNumberGenerator {
  var seed: UInt64

  mutating func next() -> UInt64 {
    seed &+= 0x9E37_79B9_7F4A_7C15
    var value = seed
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
