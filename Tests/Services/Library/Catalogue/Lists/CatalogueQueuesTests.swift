import Messages
import Model
import Storage
import Testing

@testable import Catalogue

/// The albums that follow one in a list are those that the list's pages show.
@Suite(.timeLimit(.minutes(2)))
struct NextAlbumsTests {
  private func catalogue() async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    for number in 0..<30 {
      let year = number % 7 == 0 ? [] : ["DATE=\(1960 + number % 5)"]
      try catalogue.tree.flac(
        "\(number)/1.flac",
        [
          "TITLE=T", "ALBUM=Album \(number)", "ARTIST=Artist \(number % 4)",
          "GENRE=\(number % 3 == 0 ? "Folk" : "Jazz")",
        ]
          + year)
    }
    try await catalogue.refresh()
    return catalogue
  }

  private func following(
    _ list: Library.AlbumList, _ after: AlbumID, limit: Int = 4, _ catalogue: TestCatalogue
  ) async throws -> Library.Page<Album> {
    try await catalogue.database.read {
      try Catalogue.nextAlbums(Library.ListNextAlbums(list: list, after: after, limit: limit), $0)
    }
  }

  /// Follows a list from its first album to its end.
  private func walk(_ list: Library.AlbumList, from first: AlbumID, _ catalogue: TestCatalogue) async throws
    -> [AlbumID]
  {
    var ids = [first]
    while true {
      let page = try await following(list, try #require(ids.last), catalogue)
      ids += page.items.map(\.id)
      if page.next == nil { return ids }
      #expect(page.items.count == 4)
      try #require(ids.count < 100)
    }
  }

  @Test(arguments: [Library.Sort.name, .added, .year, .played, .random])
  func theAlbumsThatFollowAreThoseOfTheWholeListInOrder(_ sort: Library.Sort) async throws {
    let catalogue = try await catalogue()
    for tag in [nil, Library.Tag(kind: .genre, name: "folk")] {
      let request = Library.ListAlbums(limit: 200, sort: sort, seed: 11, tag: tag)
      let all = try await catalogue.database.read { try Catalogue.albums(request, randomSeed: 0, $0).items.map(\.id) }
      #expect(all.count == (tag == nil ? 30 : 10))
      let list = Library.AlbumList(sort: sort, seed: 11, tag: tag)
      #expect(try await walk(list, from: all[0], catalogue) == all)
      #expect(try await following(list, all[all.count - 1], catalogue) == Library.Page(items: [], next: nil))
    }
  }

  @Test func anArtistsListHasTheOrderOfTheirPage() async throws {
    let catalogue = try await catalogue()
    let artist = try #require(try await catalogue.artists().first { $0.name == "Artist 1" })
    let page = try await catalogue.database.read { try Catalogue.artist(.init(id: artist.id), $0) }
    let ids = page.albums.map(\.id)
    #expect(ids.count == 8)
    #expect(try await walk(Library.AlbumList(artist: artist.id), from: ids[0], catalogue) == ids)
    let gone = Library.AlbumList(artist: ArtistID(source: "files", native: "r99"))
    #expect(try await following(gone, ids[0], catalogue).items.isEmpty)
  }

  @Test func aCollectionGoesOnInItsOwnOrder() async throws {
    let catalogue = try await catalogue()
    try await catalogue.write(
      "INSERT INTO collections (id, source, native, title, title_sort, digest) VALUES (1, 'files', '1', 'All', 'all', 0)",
      "INSERT INTO collection_items (collection, position, native, kind, item) SELECT 1, 100 - id, '', 2, id FROM albums WHERE id <> 3"
    )
    let collection = Library.AlbumList(collection: CollectionID(source: "files", native: "c1"))
    let ids = (1...30).reversed().filter { $0 != 3 }.map { AlbumID(source: "files", native: "a\($0)") }
    #expect(try await walk(collection, from: ids[0], catalogue) == ids)
    #expect(try await following(collection, AlbumID(source: "files", native: "a3"), catalogue).items.isEmpty)
  }

  @Test func aListOfIDsGoesOnBehindOneThatIsGoneAndLeavesOutThoseThatAre() async throws {
    let catalogue = try await catalogue()
    let ids = [4, 9, 99, 2, 9, 77, 30, 1].map { AlbumID(source: "files", native: "a\($0)") }
    let list = Library.AlbumList(albums: ids)
    func natives(after number: Int, limit: Int = 20) async throws -> [String] {
      let after = AlbumID(source: "files", native: "a\(number)")
      return try await following(list, after, limit: limit, catalogue).items.map(\.id.native)
    }
    #expect(try await natives(after: 4) == ["a9", "a2", "a30", "a1"])
    #expect(try await natives(after: 99) == ["a2", "a9", "a30", "a1"])
    #expect(try await natives(after: 4, limit: 2) == ["a9", "a2"])
    #expect(try await natives(after: 1).isEmpty)
    #expect(try await natives(after: 12).isEmpty)
  }

  @Test func behindAnAlbumThatIsGoneTheRandomOrderGoesOnAndOthersEnd() async throws {
    let catalogue = try await catalogue()
    let all = try await walk(
      Library.AlbumList(sort: .random, seed: 5), from: catalogue.first(.random, seed: 5), catalogue)
    let number = try #require(Int(all[12].native.dropFirst()))
    let titles = try await catalogue.albums().filter { all[13..<17].contains($0.id) }.map(\.title)
    let title = try #require(try await catalogue.albums().first { $0.id == all[12] }).title
    try catalogue.tree.remove("\(title.dropFirst("Album ".count))/1.flac")
    try await catalogue.refresh()
    let gone = AlbumID(source: "files", native: "a\(number)")
    let random = try await following(Library.AlbumList(sort: .random, seed: 5), gone, catalogue).items
    #expect(random.map(\.id) == Array(all[13..<17]) && Set(random.map(\.title)) == Set(titles))
    for sort in [Library.Sort.name, .added, .year, .played] {
      #expect(try await following(Library.AlbumList(sort: sort), gone, catalogue) == Library.Page(items: [], next: nil))
    }
  }

  @Test func theNumberAskedForIsKeptWithinBounds() async throws {
    let catalogue = try await catalogue()
    let first = try await catalogue.first(.name)
    for (limit, count) in [(-3, 1), (0, 1), (7, 7), (21, 20), (.max, 20)] {
      #expect(try await following(Library.AlbumList(), first, limit: limit, catalogue).items.count == count)
    }
  }
}

extension TestCatalogue {
  /// The first album of an order.
  fileprivate func first(_ sort: Library.Sort, seed: Int64? = nil) async throws -> AlbumID {
    let request = Library.ListAlbums(limit: 1, sort: sort, seed: seed)
    return try #require(try await database.read { try Catalogue.albums(request, randomSeed: 0, $0).items.first }).id
  }
}

/// Finding those tracks of a queue that were removed.
@Suite(.timeLimit(.minutes(2)))
struct RemovedTracksTests {
  private func gone(
    _ tracks: [TrackID], _ catalogue: TestCatalogue, answering: Set<String> = ["files", "plex"]
  ) async throws -> [String] {
    try await catalogue.database.read {
      try Catalogue.removedTracks(Library.ListRemovedTracks(tracks: tracks), answering: answering, $0).tracks.map(
        \.description)
    }
  }

  private func ids(_ catalogue: TestCatalogue) async throws -> [TrackID] {
    try await catalogue.tracks().map(\.id).sorted()
  }

  @Test func onlyTracksThatAHealthySourceLostAreRemoved() async throws {
    let catalogue = try TestCatalogue()
    for name in ["a", "b", "c", "d", "e"] { try catalogue.tree.album(name, ["ALBUM=\(name)", "ARTIST=Joni"]) }
    try await catalogue.refresh()
    let tracks = try await ids(catalogue)
    let lost = try await catalogue.tracks(of: catalogue.album("b")).map(\.id)
    #expect(try await gone(tracks, catalogue).isEmpty)
    for number in 1...3 { try catalogue.tree.remove("b/0\(number).flac") }
    try await catalogue.refresh()
    #expect(try await Set(gone(tracks, catalogue)) == Set(lost.map(\.description)))
    // The source does not answer at the moment, which does not mean that its tracks are removed.
    #expect(try await gone(tracks, catalogue, answering: ["plex"]).isEmpty)
  }

  @Test func tracksThatTheServerRenumberedAreNotRemoved() async throws {
    let catalogue = try TestCatalogue()
    let server = FakeServer()
    server.change { contents in
      for number in 1...6 { contents.album(number * 100, "Album \(number)") }
    }
    try await catalogue.refresh(server)
    let tracks = try await ids(catalogue)
    for (guids, files) in [(false, true), (true, false), (false, false)] {
      server.change { $0.renumber(by: 5000, guids: guids, files: files) }
      try await catalogue.refresh(server)
      #expect(try await gone(tracks, catalogue).isEmpty)
    }
    server.change { $0.remove(15_300) }
    try await catalogue.refresh(server)
    #expect(try await gone(tracks, catalogue).count == 3)
  }

  @Test func aTrackWithAnotherCopyIsNotRemoved() async throws {
    let catalogue = try TestCatalogue()
    for number in 1...3 {
      try catalogue.tree.flac(
        "blue/\(number).flac",
        [
          "ALBUM=Blue", "ALBUMARTIST=Joni", "ARTIST=Joni", "DATE=1971", "TITLE=Song \(number) of Blue",
          "TRACKNUMBER=\(number)",
        ], seconds: 180)
    }
    try catalogue.tree.album("other", ["ALBUM=Other", "ARTIST=Nick"])
    try await catalogue.refresh()
    let server = FakeServer()
    server.change { $0.album(100, "Blue") }
    try await catalogue.refresh(server)
    let files = try await catalogue.tracks(of: catalogue.album("Blue")).map(\.id)
    for number in 1...3 { try catalogue.tree.remove("blue/\(number).flac") }
    try await catalogue.refresh(accepting: true)
    #expect(files.count == 3 && files.allSatisfy { $0.source == "files" })
    #expect(try await gone(files, catalogue).isEmpty)
  }

  @Test func aSourceThatAPersonTookAwayTakesItsTracksAlong() async throws {
    let catalogue = try TestCatalogue()
    let server = FakeServer()
    server.change { $0.album(100, "Blue") }
    try await catalogue.refresh(server)
    let tracks = try await ids(catalogue)
    try await catalogue.database.write {
      try Catalogue.remove(source: "plex", now: Timestamp(seconds: 1_800_000_000), .to(nil), $0)
    }
    #expect(try await gone(tracks, catalogue, answering: []).count == 3)
  }

  @Test func unknownTracksAreNotRemoved() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("a", ["ALBUM=A", "ARTIST=Joni"])
    try await catalogue.refresh()
    let foreign = ["files:t999", "attic:t888", "plex:4711", "files:a1", "files:t"].compactMap { TrackID($0) }
    #expect(foreign.count == 5)
    #expect(try await gone(foreign, catalogue).isEmpty)
  }

  @Test func tooManyAtOnceAreRefused() async throws {
    let catalogue = try TestCatalogue()
    let tracks = Array(repeating: TrackID(source: "files", native: "t1"), count: 501)
    await #expect { try await gone(tracks, catalogue) } throws: { LunaraError($0).code == "library.tooManyIDs" }
  }
}
