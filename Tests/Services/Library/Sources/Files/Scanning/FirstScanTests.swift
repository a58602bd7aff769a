import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Catalogue
@testable import Records
@testable import Sources

/// The first scan of music folders, which writes portions while it goes on.
@Suite(.timeLimit(.minutes(3)))
struct FirstScanTests {
  /// A tree of 200 albums in portions of their own, with albums on two discs and one link to a file.
  private func tree() throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    for number in 100..<300 {
      let tags = ["ALBUM=Album \(number)", "ARTIST=Artist \(number / 4)", "ALBUMARTIST=Artist \(number / 4)"]
      if number.isMultiple(of: 10) {
        for disc in 1...2 {
          try catalogue.tree.album("x\(number)/CD\(disc)", tags + ["DISCNUMBER=\(disc)"], tracks: 3)
        }
        try catalogue.tree.write([1, 2, 3], to: "x\(number)/cover.jpg")
      } else {
        try catalogue.tree.album("x\(number)", tags, tracks: 7)
      }
    }
    try catalogue.tree.link("x101/again.flac", to: "01.flac")
    return catalogue
  }

  private static let tracks = 180 * 7 + 20 * 6

  @Test func portionsMakeTheSameCatalogueAsAWholeScan() async throws {
    let catalogue = try tree()
    #expect(try await catalogue.refresh() == [Self.tracks, 0, 0, 0])
    try await catalogue.expectWholeIndex()
    let state = try await catalogue.state()
    #expect(state.albums == 200 && state.tracks == Self.tracks)
    let discs = try await catalogue.search("album 110").albums.first
    #expect(discs?.trackCount == 6 && discs?.art != nil)
    #expect(try await catalogue.search("song").tracks.count == 50)
    #expect(try await catalogue.status().runs?.map(\.counts.new) == [Self.tracks])
    #expect(try await catalogue.refresh() == [0, 0, Self.tracks, 0])
  }

  @Test func whatWasWrittenBeforeAStopStaysAndTheRestFollows() async throws {
    let catalogue = try tree()
    let progress = RefreshProgress()
    let stopping = Task {
      while try await catalogue.state().tracks == 0 { try await Task.sleep(for: .milliseconds(1)) }
      progress.stop()
    }
    let counts = try await catalogue.source().refresh(accepting: .wholeScan, progress: progress)
    try await stopping.value
    let written = try await catalogue.state().tracks
    #expect(counts == nil && written > 0 && written < Self.tracks)
    _ = try await catalogue.refresh()
    let state = try await catalogue.state()
    #expect(state.tracks == Self.tracks && state.albums == 200)
    try await catalogue.expectWholeIndex()
    #expect(try await catalogue.refresh() == [0, 0, Self.tracks, 0])
  }

  /// The indexes that the migrations make, by their names.
  private func indexes(of catalogue: TestCatalogue) async throws -> [String] {
    try await catalogue.database.read {
      try $0.values("SELECT name || ': ' || sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY 1")
    }
  }

  private func leftOut(of catalogue: TestCatalogue) async throws -> Int? {
    try await catalogue.database.read { try $0.value("SELECT count(*) FROM deferred_indexes") }
  }

  @Test func aFirstScanEndsWithAllIndexes() async throws {
    let catalogue = try tree()
    let before = try await indexes(of: catalogue)
    try await catalogue.refresh()
    #expect(try await indexes(of: catalogue) == before)
    #expect(try await leftOut(of: catalogue) == 0)
  }

  @Test func aStoppedFirstScanHasAllIndexes() async throws {
    let catalogue = try tree()
    let before = try await indexes(of: catalogue)
    let progress = RefreshProgress()
    let stopping = Task {
      while try await catalogue.state().tracks == 0 { try await Task.sleep(for: .milliseconds(1)) }
      progress.stop()
    }
    _ = try await catalogue.source().refresh(accepting: .wholeScan, progress: progress)
    try await stopping.value
    #expect(try await indexes(of: catalogue) == before)
  }

  @Test func indexesThatAKilledScanLeftOutAreMade() async throws {
    let catalogue = try tree()
    let before = try await indexes(of: catalogue)
    try await catalogue.database.write { try DeferredIndexes.drop($0) }
    let left = try #require(try await leftOut(of: catalogue))
    let rest = try await indexes(of: catalogue)
    #expect(left == DeferredIndexes.names.count && before.count - left == rest.count)
    // A kill between two indexes leaves one that is made, and the others left out.
    #expect(try await catalogue.database.write { try DeferredIndexes.makeNext($0) })
    try await catalogue.database.write { try DeferredIndexes.drop($0) }
    try await DeferredIndexes.make(in: catalogue.database)
    #expect(try await indexes(of: catalogue) == before)
    #expect(try await leftOut(of: catalogue) == 0)
  }

  @Test func aRowOfAnIndexThatIsThereOrOfAnythingElseIsForgotten() async throws {
    let catalogue = try tree()
    let before = try await indexes(of: catalogue)
    try await catalogue.database.write { transaction in
      let insert = "INSERT INTO deferred_indexes (name, sql) VALUES (?, ?)"
      let name = DeferredIndexes.names[0]
      try transaction.execute(insert, name, "CREATE INDEX \(name) ON tracks (year)")
      try transaction.execute(insert, "tracks", "DELETE FROM tracks")
      try transaction.execute(insert, DeferredIndexes.names[1], "DROP TABLE albums")
    }
    try await DeferredIndexes.make(in: catalogue.database)
    #expect(try await indexes(of: catalogue) == before)
    #expect(try await leftOut(of: catalogue) == 0)
  }

  @Test func indexesThatCouldNotBeMadeAreMadeByTheNextRefresh() async throws {
    let catalogue = try tree()
    let before = try await indexes(of: catalogue)
    try await catalogue.database.write { try DeferredIndexes.drop($0) }
    try catalogue.tree.album("new", ["ALBUM=New", "ARTIST=Z"], tracks: 1)
    let progress = RefreshProgress()
    progress.stop()
    _ = try await catalogue.source().refresh(accepting: .wholeScan, progress: progress)
    try await catalogue.refresh()
    try await catalogue.refresh()
    #expect(try await indexes(of: catalogue) == before)
  }

  @Test func aCatalogueWithTracksKeepsItsIndexes() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("one", ["ALBUM=One", "ARTIST=Someone"], tracks: 1)
    try await catalogue.refresh()
    try await catalogue.database.write { try DeferredIndexes.drop($0) }
    #expect(try await leftOut(of: catalogue) == 0)
  }

  @Test func theSearchIndexIsFilledInPortions() async throws {
    let catalogue = try tree()
    try await catalogue.refresh()
    try await emptyIndex(of: catalogue)
    try await SearchFilling.run(in: catalogue.database, RefreshProgress(), items: 40)
    try await catalogue.expectWholeIndex()
  }

  @Test func aFillingThatWasStoppedIsCompletedByTheNextScan() async throws {
    let catalogue = try tree()
    try await catalogue.refresh()
    try await emptyIndex(of: catalogue)
    let progress = RefreshProgress()
    let stopping = Task {
      let entries = "SELECT count(*) FROM search_rows WHERE item >> 56 = 3"
      while try await catalogue.database.read({ try $0.value(entries) }) ?? 0 == 0 { await Task.yield() }
      progress.stop()
    }
    try await SearchFilling.run(in: catalogue.database, progress, items: 10)
    try await stopping.value
    let pending: Int? = try await catalogue.database.read { try $0.value("SELECT count(*) FROM search_pending") }
    #expect(pending ?? 0 > 0)
    _ = try await catalogue.refresh(accepting: true)
    try await catalogue.expectWholeIndex()
  }

  @Test func aPersonsChangeOfAPlaylistLeavesOtherKindsToTheScan() async throws {
    let catalogue = try tree()
    try await catalogue.refresh()
    try await emptyIndex(of: catalogue)
    func rows(_ table: String, _ kind: CatalogueID.Kind) async throws -> Int? {
      try await catalogue.database.read {
        try $0.value("SELECT count(*) FROM \(table) WHERE item BETWEEN ? AND ?", kind.first, kind.last)
      }
    }
    let tracks = try await rows("search_pending", .track)
    try #require(tracks ?? 0 > 0)
    try await catalogue.database.write { transaction in
      try transaction.execute(
        """
        INSERT INTO playlists (id, source, native, title, title_sort, is_smart, digest)
        VALUES (77, 'lunara', 'p77', 'Rain', 'rain', 0, 0)
        """)
      var search = SearchIndex(transaction)
      search.mark(.playlist, 77)
      try search.finish(only: .playlist)
    }
    #expect(try await rows("search_pending", .playlist) == 0)
    #expect(try await rows("search_rows", .playlist) == 1)
    #expect(try await rows("search_pending", .track) == tracks)
    #expect(try await rows("search_rows", .track) == 0)
    try await SearchFilling.run(in: catalogue.database, RefreshProgress(), items: 40)
    _ = try await catalogue.refresh()
    try await catalogue.expectWholeIndex()
  }

  @Test func portionsAreAsLargeAsAShortTimeAllows() {
    var size = PortionSize(100, then: 100...2000)
    size.adapt(to: .milliseconds(2), for: 100)
    #expect(size.count == 200)
    size.adapt(to: .milliseconds(120), for: 200)
    #expect(size.count == 200)
    for _ in 0..<9 { size.adapt(to: .milliseconds(4), for: size.count) }
    #expect(size.count == 2000)
    size.adapt(to: .milliseconds(1200), for: 2000)
    #expect(size.count == 200)
    size.adapt(to: .seconds(60), for: 200)
    #expect(size.count == 100)
  }

  /// Leaves all items pending, as before the end of a first scan.
  private func emptyIndex(of catalogue: TestCatalogue) async throws {
    try await catalogue.database.write { transaction in
      try transaction.execute("DELETE FROM search")
      try transaction.execute("DELETE FROM search_rows")
      try transaction.execute(Catalogue.everyItemIsPending)
    }
  }
}
