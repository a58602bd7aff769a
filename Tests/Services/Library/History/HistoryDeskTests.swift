import Bus
import Messages
import Model
import ServiceKit
import Storage
import TestSupport
import Testing

@testable import lunara_library

/// The history on a bus with rooms.
@Suite(.timeLimit(.minutes(2)))
struct HistoryRequestHandlerTests {
  /// A report of a listen in a form that this version does not know.
  private struct OddEnding: Fact {
    static let kind = Playback.ListenEnded.kind
    static let survives = Durability.power
    var subject = "what is this"
  }

  private static func track(_ title: String) -> Track {
    Track(
      id: TrackID(source: "files", native: "t2"), albumID: AlbumID(source: "files", native: "a1"), title: title,
      artist: "A", albumArtist: "A", album: "B", duration: Milliseconds(200_000))
  }

  @Test func everyRoomIsFollowedAlsoOneThatComesLaterAndOneReportHoldsUpNoOther() async throws {
    let bus = try TestBus()
    let database = try bus.database("library", migrations: Catalogue.migrations)
    let library = try await Node.start(.library, in: bus.directory, journal: try await Journal(database))
    let asking = try await bus.node("web@main")
    await HistoryRequestHandler(database: database, log: .quiet).start(on: library)

    func room(_ name: String, _ listens: [String], isOdd: Bool) async throws -> (Node, Database) {
      let store = try bus.database("playback-\(name)")
      let journal = try await Journal(store)
      let ends = try listens.map { try ListenTests.ended(Self.track($0), listen: $0, .skipped, room: name) }
      try await store.write { transaction in
        if isOdd { try journal.append(OddEnding(), in: transaction) }
        for end in ends { try journal.append(end, in: transaction) }
      }
      let id = NodeID.playback(try #require(RoomName(name)))
      return (try await Node.start(id, in: bus.directory, journal: journal), store)
    }
    func heard() async throws -> [String] {
      let page = try await asking.request(Library.ListPlays(), to: .library, within: .seconds(20))
      return page.items.map { "\($0.room) \($0.listen) \($0.skipped)" }.sorted()
    }

    let (den, denStore) = try await room("den", ["l1", "l2"], isOdd: true)
    #expect(try await eventually { try await heard() == ["den l1 true", "den l2 true"] })
    let (kitchen, kitchenStore) = try await room("kitchen", ["l3"], isOdd: false)
    #expect(try await eventually { try await heard() == ["den l1 true", "den l2 true", "kitchen l3 true"] })
    let counts = try await asking.request(Library.CountPlays(by: .room), to: .library, within: .seconds(20))
    #expect(counts.rows.map { "\($0.key) \($0.skips)" }.sorted() == ["den 2", "kitchen 1"])
    let kept = try await database.read {
      try $0.rows("SELECT node || ' ' || kind FROM unreadable_facts") { try $0.value(0) as String }
    }
    #expect(kept == ["playback@den playback.listen-ended"])
    for node in [den, kitchen, asking, library] { await node.close() }
    for store in [denStore, kitchenStore, database] { await store.close() }
  }
}
