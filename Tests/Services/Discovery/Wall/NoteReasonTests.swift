import Bus
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import Discovery

/// Reasons that tell of what a person wrote about an album.
@Suite(.timeLimit(.minutes(2))) struct NoteReasonTests {
  /// Returns a view of albums whose notes have these ages in days; 0 for no note.
  private func view(_ ages: Int64...) throws -> RankedAlbums {
    try TestAlbums.view(ages.count) { number, album in
      if ages[number] > 0 { album.notedAt = UInt32(TestAlbums.now - ages[number] * Ages.day) }
    }
  }

  private func picks(_ count: Int) -> [Pick] { (0..<count).map { Pick(album: Int32($0), signal: .wild) } }

  private func sentence(after days: Int64) -> String {
    var reason = Reason(Pick(album: -1, signal: .wild, missing: 1), artist: "Ada")
    reason.sentence = "Never played."
    reason.tell(notedAt: UInt32(TestAlbums.now - days * Ages.day), now: TestAlbums.now)
    return reason.sentence
  }

  @Test func aNoteIsToldOfOnceItIsHalfAYearOldAnAnniversaryFirst() throws {
    #expect(Reason.placeOfNote(picks(3), try view(0, 182, 10), told: []) == nil)
    #expect(Reason.placeOfNote(picks(3), try view(0, 183, 300), told: []) == 1)
    #expect(Reason.placeOfNote(picks(3), try view(200, 300, 379), told: []) == 2)
    #expect(Reason.placeOfNote(picks(3), try view(200, 380, 716), told: []) == 2)
    // An album that was told of lately waits. The rows of albums begin at 1.
    #expect(Reason.placeOfNote(picks(3), try view(200, 300, 379), told: [3]) == 0)
    #expect(Reason.placeOfNote([Pick(album: -1, signal: .new, missing: 4)], try view(365), told: []) == nil)
  }

  @Test func theSentenceSaysHowLongAgoItWas() {
    #expect(sentence(after: 351) == "Never played. A year ago you wrote about it.")
    #expect(sentence(after: 379) == "Never played. A year ago you wrote about it.")
    #expect(sentence(after: 740) == "Never played. 2 years ago you wrote about it.")
    #expect(sentence(after: 250) == "Never played. 8 months ago you wrote about it.")
    #expect(sentence(after: 500) == "Never played. 16 months ago you wrote about it.")
  }

  @Test func aPageTellsOfOneNoteAndAnAlbumOnceInAFortnight() async throws {
    var albums = TestDiscovery.albums(60)
    for number in albums.indices { albums[number].notedAt = Timestamp(seconds: TestAlbums.now - 365 * Ages.day) }
    let discovery = try await TestDiscovery(albums)
    func noted(_ seed: Int64) async throws -> [AlbumID] {
      let tiles = try await discovery.ask(Discovery.ReadWall(seed: seed, count: 50)).tiles
      let noted = tiles.filter { $0.evidence.notedAt != nil }
      #expect(noted.allSatisfy { $0.reason.hasSuffix("A year ago you wrote about it.") })
      return noted.compactMap(\.id)
    }
    var told: [AlbumID] = []
    for seed in 1...6 { told += try await noted(Int64(seed)) }
    #expect(told.count >= 6 && Set(told).count == told.count)
    await discovery.close()
  }

  @Test func aNoteThatCameBackElsewhereIsNotToldAndTheLibraryHearsOfOneThatIs() async throws {
    var albums = TestDiscovery.albums(20)
    for number in 0..<2 { albums[number].notedAt = Timestamp(seconds: TestAlbums.now - 365 * Ages.day) }
    let discovery = try await TestDiscovery(albums)
    let kept = Mutex<[Library.KeepNotesShown]>([])
    await discovery.library.serve(Library.KeepNotesShown.self) { request, _ in
      kept.withLock { $0.append(request) }
      return Done()
    }
    _ = try await discovery.ask(Discovery.ListGenres())
    let requests = discovery.contents.withLock { $0.requests }
    try await discovery.report(Library.NotesShown(albums: [TestDiscovery.id(0)]))
    // Facts are read in order: when an album is read again for the second one, the first one has taken effect.
    try await discovery.change([TestDiscovery.id(5)]) { _ in }
    #expect(await eventually(above: requests) { discovery.contents.withLock { $0.requests } })
    for seed in 4...9 { _ = try await discovery.ask(Discovery.ReadWall(seed: Int64(seed), count: 20)) }
    #expect(await eventually { kept.withLock { !$0.isEmpty } })
    #expect(kept.withLock { $0.map(\.albums) } == [[TestDiscovery.id(1)]])
    await discovery.close()
  }

  @Test func theAlbumOfANoteIsReadAgain() async throws {
    let discovery = try await TestDiscovery(TestDiscovery.albums(20))
    _ = try await discovery.ask(Discovery.ReadWall(seed: 1))
    let id = TestDiscovery.id(3)
    discovery.contents.withLock { $0.albums[3].notedAt = Timestamp(seconds: TestAlbums.now - 400 * Ages.day) }
    try await discovery.report(
      Library.NoteChanged(note: 1, on: .init(kind: .album, id: id.playable, title: "Album 3", artist: "Artist 3")))
    #expect(
      try await eventually {
        let seed = Int64.random(in: 2...1_000_000)
        return try await discovery.ask(Discovery.ReadWall(seed: seed)).tiles.contains { $0.evidence.notedAt != nil }
      })
    await discovery.close()
  }
}
