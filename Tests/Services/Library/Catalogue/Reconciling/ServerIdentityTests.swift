import Messages
import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Records
@testable import Sources

/// Refreshes of a server that gives incomplete answers, or that is another server than before.
@Suite(.timeLimit(.minutes(2)))
struct ServerIdentityTests {
  private func server(_ albums: Int = 12) -> FakeServer {
    var contents = FakeServer.Contents()
    for number in 1...albums { contents.album(number * 100, "Album \(number)") }
    return FakeServer(contents)
  }

  @Test func heldDeletionsAreReportedUntilAllIdsAreCompared() async throws {
    let (catalogue, server) = (try TestCatalogue(), server())
    try await catalogue.refresh(server)
    server.change { contents in for number in 1...5 { contents.remove(number * 100) } }
    try await catalogue.refresh(server)
    #expect(try await catalogue.problems() == ["library.deletionsHeld"])
    // A check without changes and then one new album: neither says anything about the held deletions.
    try await catalogue.refresh(server)
    #expect(try await catalogue.problems() == ["library.deletionsHeld"])
    server.change { contents in
      contents.tellsDeltas = true
      contents.album(5000, "New", tracks: 1)
      contents.changedItems = ["5000", "5001"]
    }
    try await catalogue.refresh(server)
    #expect(server.readings.last == .delta)
    #expect(try await catalogue.status().problems.map(\.code) == ["library.deletionsHeld"])
    #expect(try await catalogue.status().problemCount == 1)
    #expect(try await catalogue.refresh(server, accepting: true)[3] == 15)
    #expect(try await catalogue.problems() == [])
  }

  @Test func aSplitAlbumMayTakeTheIdOfOneThatIsGone() async throws {
    let catalogue = try TestCatalogue()
    var contents = FakeServer.Contents()
    contents.album(200, "Whole", tracks: 5)
    contents.album(500, "Gone", tracks: 1)
    for number in 10...14 { contents.album(number * 100, "Album \(number)") }
    let server = FakeServer(contents)
    try await catalogue.refresh(server)
    let whole = try await catalogue.album("Whole").id
    server.change { contents in
      contents.remove(500)
      contents.albums.removeAll { $0.native == "200" }
      for (native, title) in [("100", "First half"), ("500", "Second half")] {
        contents.albums.append(ServerAlbum(native: native, title: title, artist: "Joni", section: "1"))
      }
      for index in contents.tracks.indices where contents.tracks[index].album == "200" {
        contents.tracks[index].native = "9\(contents.tracks[index].native)"
        contents.tracks[index].album = contents.tracks[index].number ?? 0 < 3 ? "100" : "500"
      }
    }
    let counts = try await catalogue.refresh(server)
    #expect(counts[0] == 0 && counts[3] == 1)
    #expect(try await catalogue.album("First half").id == whole)
    #expect(try await catalogue.album("Second half").trackCount == 3)
    #expect(try await catalogue.refresh(server)[2] == 20)
  }

  @Test func anotherAlbumAtAKnownIdIsANewOne() async throws {
    let (catalogue, server) = (try TestCatalogue(), server())
    try await catalogue.refresh(server)
    let before = try await catalogue.album("Album 2").id
    server.change { contents in
      contents.remove(200)
      contents.album(200, "Stranger", by: "Somebody")
    }
    #expect(try await catalogue.refresh(server) == [3, 0, 33, 3])
    #expect(try await catalogue.album("Stranger").id != before)
    #expect(try await catalogue.meant(by: before.description) == nil)
    #expect(try await catalogue.meant(by: "plex:200") != nil)
  }

  @Test func aRenamedAlbumStaysTheOneItWas() async throws {
    let (catalogue, server) = (try TestCatalogue(), server())
    try await catalogue.refresh(server)
    let before = try await catalogue.album("Album 2").id
    server.change { contents in
      contents.albums[1].title = "Renamed"
      contents.albums[1].guid = "plex://album/other"
    }
    try await catalogue.refresh(server)
    #expect(try await catalogue.album("Renamed").id == before)
  }

  @Test func anotherServerThatIsAcceptedIsReadWholeAlsoAfterAFailure() async throws {
    struct Cut: Error {}
    let (catalogue, server) = (try TestCatalogue(), server())
    try await catalogue.refresh(server)
    server.change { contents in
      contents.machine = "machine-2"
      contents.tellsDeltas = true
      for number in 1...3 { contents.remove(number * 100) }
    }
    // A request that accepts the deletions of all sources does not accept another server.
    let source = catalogue.source(server)
    await #expect { try await source.refresh(accepting: .deletions, progress: RefreshProgress()) } throws: {
      ($0 as? LunaraError)?.code == "library.otherServer"
    }
    server.duringReading.withLock { $0 = { throw Cut() } }
    await #expect(throws: Cut.self) { try await catalogue.refresh(server, accepting: true) }
    server.duringReading.withLock { $0 = nil }
    // The listed albums are still the former server's, so its place has to be given once more.
    await #expect { try await catalogue.refresh(server) } throws: {
      ($0 as? LunaraError)?.code == "library.otherServer"
    }
    #expect(try await catalogue.refresh(server, accepting: true) == [0, 0, 27, 9])
    #expect(server.readings == [.everything, .everything, .everything])
    #expect(try await catalogue.refresh(server) == [0, 0, 27, 0])
  }

  @Test func anotherServerThatIsReadIncompletelyIsNotTakenForTheOldOne() async throws {
    let (catalogue, server) = (try TestCatalogue(), server())
    try await catalogue.refresh(server)
    server.change { contents in
      (contents.machine, contents.isUnsteady) = ("machine-2", true)
      for number in 1...3 { contents.remove(number * 100) }
    }
    // Tracks of the former server that such a reading leaves would be played from this one.
    let incomplete = SourceError.incompleteListing("Fake").code
    await #expect { try await catalogue.refresh(server, accepting: true) } throws: {
      ($0 as? LunaraError)?.code == incomplete
    }
    #expect(try await catalogue.albums().count == 12)
    await #expect { try await catalogue.refresh(server) } throws: {
      ($0 as? LunaraError)?.code == "library.otherServer"
    }
    server.change { $0.isUnsteady = false }
    #expect(try await catalogue.refresh(server, accepting: true) == [0, 0, 27, 9])
  }

  private static func turn(_ section: String, _ isOn: Bool, _ catalogue: TestCatalogue) async throws {
    let registry = SourceRegistry(
      catalogue.source(), kinds: SourceKinds([FilesSource.descriptor]), secrets: catalogue.secrets,
      database: catalogue.database, publisher: .to(nil), now: { .now() })
    try await registry.switchSection(.init(source: "plex", section: section, isOn: isOn))
  }

  @Test func aSectionSwitchedOffWhileItIsReadIsNotTakenIn() async throws {
    let catalogue = try TestCatalogue()
    var contents = FakeServer.Contents()
    contents.sections.append(ServerSection(key: "2", title: "Audiobooks", isOnByDefault: true))
    for number in 1...3 { contents.album(number * 100, "Album \(number)") }
    contents.album(1000, "Book", by: "Author", section: "2")
    let server = FakeServer(contents)
    server.duringReading.withLock { $0 = { try await Self.turn("2", false, catalogue) } }
    try await catalogue.refresh(server)
    #expect(try await catalogue.albums().map(\.title) == ["Album 1", "Album 2", "Album 3"])
    // A section that is switched on again while the others are read comes with the next refresh.
    server.duringReading.withLock { $0 = { try await Self.turn("2", true, catalogue) } }
    try await catalogue.refresh(server)
    server.duringReading.withLock { $0 = nil }
    try await catalogue.refresh(server)
    #expect(try await catalogue.albums().map(\.title).contains("Book"))
    #expect(server.readings.count == 3)
  }

  @Test func whatIsLeftOfASectionThatIsOffGoesAlsoWhereNothingChanged() async throws {
    let catalogue = try TestCatalogue()
    var contents = FakeServer.Contents()
    contents.sections.append(ServerSection(key: "2", title: "Audiobooks", isOnByDefault: true))
    contents.album(100, "Album")
    contents.album(1000, "Book", by: "Author", section: "2")
    let server = FakeServer(contents)
    try await catalogue.refresh(server)
    try await catalogue.database.write { _ = try $0.execute("UPDATE sections SET is_on = 0 WHERE key = '2'") }
    #expect(try await catalogue.refresh(server) == [0, 0, 3, 3])
  }

  @Test func aServerThatChangesDuringEveryReadingLosesNothing() async throws {
    let (catalogue, server) = (try TestCatalogue(), server())
    try await catalogue.refresh(server)
    server.change { contents in
      contents.remove(100)
      contents.album(5000, "New", tracks: 1)
      contents.isUnsteady = true
    }
    #expect(try await catalogue.refresh(server) == [1, 0, 36, 0])
    // Items that are there under other ids are still recognised.
    let known = try await catalogue.album("Album 12").id
    server.change { $0.renumber(by: 10_000) }
    #expect(try await catalogue.refresh(server)[0] == 0)
    #expect(try await catalogue.album("Album 12").id == known)
    server.change { $0.isUnsteady = false }
    #expect(try await catalogue.refresh(server) == [0, 0, 34, 3])
  }

  @Test func listsThatADeltaBringsWholeLoseWhatIsGone() async throws {
    let (catalogue, server) = (try TestCatalogue(), server(2))
    server.change { contents in
      contents.collections = (1...5).map { number in
        ServerList(native: "91\(number)", title: "Set \(number)", section: "1", items: ["100"])
      }
      contents.playlists = (1...5).map { ServerList(native: "92\($0)", title: "List \($0)", items: ["101"]) }
    }
    try await catalogue.refresh(server)
    func lists() async throws -> [String] {
      try await catalogue.database.read { transaction in
        try transaction.rows("SELECT title FROM collections UNION ALL SELECT title FROM playlists") {
          try $0.value(0) as String
        }
      }
    }
    server.change { contents in
      contents.tellsDeltas = true
      contents.collections.removeFirst()
      contents.playlists.removeFirst()
    }
    try await catalogue.refresh(server)
    #expect(try await lists().count == 10)
    server.change { $0.readsLists = true }
    for _ in 1...2 { try await catalogue.refresh(server) }
    #expect(try await lists() == (2...5).map { "Set \($0)" } + (2...5).map { "List \($0)" })
    #expect(!server.readings.contains(.keys))
  }

  @Test func aCountThatNeverAgreesHasTheIdsComparedOnceADay() async throws {
    let (catalogue, server) = (try TestCatalogue(), server(3))
    try await catalogue.refresh(server)
    server.change { contents in (contents.tellsDeltas, contents.tellsCount, contents.hidden) = (true, true, 2) }
    for _ in 1...3 {
      try await catalogue.refresh(server)
      server.change { _ in }
    }
    #expect(server.readings == [.everything, .delta, .keys, .delta, .delta])
    catalogue.wait(seconds: 90_000)
    try await catalogue.refresh(server)
    #expect(server.readings.suffix(2) == [.delta, .keys])
  }

  @Test func everyDeletionShowsAtTheNextRefreshAndInItsCounts() async throws {
    let (catalogue, server) = (try TestCatalogue(), server(8))
    try await catalogue.refresh(server)
    server.change { contents in (contents.tellsDeltas, contents.tellsCount) = (true, true) }
    // Each deletion has the same size, and one comes with as many new tracks.
    for (number, left) in [(100, 21), (200, 18)] {
      server.change { $0.remove(number) }
      #expect(try await catalogue.refresh(server) == [0, 0, left, 3])
    }
    server.change { contents in
      contents.remove(300)
      contents.album(9000, "New")
      contents.changedItems = ["9000", "9001", "9002", "9003"]
    }
    #expect(try await catalogue.refresh(server) == [3, 0, 15, 3])
    // Each refresh is one run.
    #expect(try await catalogue.status().runs?.map(\.counts.deleted) == [3, 3, 3, 0])
  }

  @Test func deletionsThatAreAcceptedWhileTheServerChangesAreNamedAsNotDone() async throws {
    let (catalogue, server) = (try TestCatalogue(), server(3))
    try await catalogue.refresh(server)
    server.change { contents in
      contents.remove(100)
      contents.isUnsteady = true
    }
    #expect(try await catalogue.refresh(server, accepting: true)[3] == 0)
    #expect(try await catalogue.problems() == ["library.listingIncomplete"])
    server.change { $0.isUnsteady = false }
    #expect(try await catalogue.refresh(server, accepting: true)[3] == 3)
    #expect(try await catalogue.problems() == [])
  }

  @Test func anItemMissedByDeltasIsReadWhenTheCountDiffers() async throws {
    let (catalogue, server) = (try TestCatalogue(), server(3))
    try await catalogue.refresh(server)
    server.change { contents in
      (contents.tellsDeltas, contents.tellsCount) = (true, true)
      contents.album(900, "Missed")
    }
    #expect(try await catalogue.refresh(server) == [3, 0, 9, 0])
    #expect(server.readings == [.everything, .delta, .keys, .everything])
  }
}
