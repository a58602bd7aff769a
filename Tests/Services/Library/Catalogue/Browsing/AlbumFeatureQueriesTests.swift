import Messages
import Model
import Storage
import Testing

@testable import Catalogue
@testable import People
@testable import Records

/// The albums with their history, as other services choose among them.
@Suite(.timeLimit(.minutes(2)))
struct AlbumFeatureQueriesTests {
  private func features(
    _ catalogue: TestCatalogue, _ request: Library.ListAlbumFeatures = .init()
  ) async throws -> Library.AlbumFeaturesPage {
    try await catalogue.database.read { try Catalogue.albumFeatures(request, $0) }
  }

  @Test func albumsHaveTheirTagsPlaysAndTimes() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", ["ALBUM=X", "ARTIST=A", "DATE=1999", "GENRE=Jazz", "STYLE=Bebop"])
    try catalogue.tree.album("y", ["ALBUM=Y", "ARTIST=B"])
    try await catalogue.refresh()
    let tracks = try await catalogue.tracks()
    let counted = try [0, 0, 1].enumerated().map { index, track in
      try PlaysTests.counted(tracks[track], listen: "c\(index)", at: 1_800_000_000 + Int64(index) * 1000)
    }
    let skipped = try ListenTests.ended(tracks[2], listen: "s", .skipped)
    try await catalogue.database.write { transaction in
      for counted in counted { try ListenRows.record(counted, at: counted.subject.startedAt, transaction) }
      try ListenRows.record(skipped, transaction)
    }
    let page = try await features(catalogue)
    let first = try #require(page.items.first { $0.title == "X" })
    #expect(page.items.count == 2 && page.next == nil && page.generation > 0)
    #expect(first.artist == "A" && first.artistID != nil && first.year == 1999 && first.tags == ["Jazz", "Bebop"])
    #expect(first.plays == 3 && first.firstPlayedAt == Timestamp(seconds: 1_800_000_000))
    #expect(first.lastPlayedAt == Timestamp(seconds: 1_800_002_000))
    let second = try #require(page.items.first { $0.title == "Y" })
    #expect(second.plays == 0 && second.lastPlayedAt == nil && second.tags.isEmpty && second.rating == nil)
    let stranger = AlbumID(source: "files", native: "a999")
    let named = try await features(catalogue, .init(ids: [second.id, stranger, second.id]))
    #expect(named.items == [second] && named.next == nil)
  }

  @Test func albumsHaveTheTimeOfTheLastNoteAboutThemOrTheirTracks() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", ["ALBUM=X", "ARTIST=A"])
    try catalogue.tree.album("y", ["ALBUM=Y", "ARTIST=B"])
    try await catalogue.refresh()
    let album = try await catalogue.album("X")
    let track = try #require(try await catalogue.tracks().first { $0.albumID == album.id })
    let first = catalogue.time
    _ = try await catalogue.garden { try $0.notes.write(.init(id: album.id.playable, text: "Winter.")) }
    catalogue.wait(seconds: 60)
    let second = catalogue.time
    let note = try await catalogue.garden { try $0.notes.write(.init(id: track.id.playable, text: "The bass.")) }
    func noted() async throws -> [Timestamp?] { try await features(catalogue).items.map(\.notedAt) }
    #expect(try await noted() == [second, nil])
    // The id of a track stands for its album.
    let named = AlbumID(source: track.id.source, native: track.id.native)
    #expect(try await features(catalogue, .init(ids: [named])).items.map(\.id) == [album.id])
    try await catalogue.garden { try $0.notes.delete(.init(note: note.note)) }
    #expect(try await noted() == [first, nil])
  }

  @Test func albumsHaveTheListenersOfTheirBestKnownTrack() async throws {
    let catalogue = try TestCatalogue()
    var contents = FakeServer.Contents()
    contents.album(100, "Blue", tracks: 3)
    contents.album(200, "Hejira", tracks: 2)
    contents.tracks[0].counts = ServerTrack.Counts(listeners: 40)
    contents.tracks[1].counts = ServerTrack.Counts(plays: 2, listeners: 673)
    let server = FakeServer(contents)
    try await catalogue.refresh(server)
    func listeners() async throws -> [String: Int?] {
      let items = try await features(catalogue).items
      return Dictionary(items.map { ($0.title, $0.listeners) }) { first, _ in first }
    }
    #expect(try await listeners() == ["Blue": 673, "Hejira": nil])
    server.change { contents in
      contents.tracks[1].counts = nil
      contents.tracks[3].counts = ServerTrack.Counts(listeners: 7)
    }
    try await catalogue.refresh(server)
    #expect(try await listeners() == ["Blue": 40, "Hejira": 7])
  }

  @Test func pagesTogetherHaveEachAlbumOnce() async throws {
    let catalogue = try TestCatalogue()
    for number in 0..<7 { try catalogue.tree.album("x\(number)", ["ALBUM=X\(number)", "ARTIST=A"]) }
    try await catalogue.refresh()
    let all = try await features(catalogue).items.map(\.id)
    let requests: [(limit: Int, ids: [AlbumID]?)] = [
      (1, nil), (3, nil), (7, nil), (500, nil), (1, all), (3, all), (7, all),
    ]
    for (limit, ids) in requests {
      var (titles, cursor): ([String], String?) = ([], nil)
      repeat {
        let page = try await features(catalogue, .init(after: cursor, limit: limit, ids: ids))
        titles += page.items.map(\.title)
        cursor = page.next
      } while cursor != nil
      #expect(titles.sorted() == (0..<7).map { "X\($0)" })
    }
    await #expect { try await features(catalogue, .init(after: "nonsense")) } throws: {
      ($0 as? LunaraError)?.code == "library.badCursor"
    }
    let many = (0..<201).map { AlbumID(source: "files", native: "a\($0)") }
    await #expect { try await features(catalogue, .init(ids: many)) } throws: {
      ($0 as? LunaraError)?.code == "library.tooManyIDs"
    }
  }
}
