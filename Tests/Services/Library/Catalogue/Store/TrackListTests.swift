import Messages
import Model
import Storage
import Testing
import Text

@testable import Catalogue
@testable import Records

/// Pages of tracks, and of tracks by what describes their albums.
@Suite(.timeLimit(.minutes(5)))
struct TrackListTests {
  private func tracks(
    _ catalogue: TestCatalogue, _ sort: Library.Sort, limit: Int, seed: Int64? = nil,
    between: () async throws -> Void = {}
  ) async throws -> [Track] {
    var tracks: [Track] = []
    var after: String?
    repeat {
      let request = Library.ListTracks(after: after, limit: limit, sort: sort, seed: seed)
      let page = try await catalogue.database.read { try Catalogue.tracks(request, randomSeed: 3, $0) }
      #expect(page.items.count <= limit)
      tracks += page.items
      after = page.next
      try await between()
    } while after != nil
    return tracks
  }

  @Test(arguments: [Library.Sort.name, .added, .year, .played, .random])
  func pagesHoldEveryTrackOnceInOrder(_ sort: Library.Sort) async throws {
    let catalogue = try TestCatalogue()
    try await catalogue.stock(albums: 60, tracks: 2)
    let whole = try await tracks(catalogue, sort, limit: 200, seed: 5)
    #expect(whole.count == 120 && Set(whole.map(\.id)).count == 120)
    for limit in [1, 7, 119, 120] { #expect(try await tracks(catalogue, sort, limit: limit, seed: 5) == whole) }
    switch sort {
    case .name: #expect(whole.map(\.title.folded) == whole.map(\.title.folded).sorted())
    case .year:
      let years = whole.compactMap(\.year)
      #expect(years == years.sorted(by: >) && whole.suffix(120 - years.count).allSatisfy { $0.year == nil })
    case .random: #expect(try await tracks(catalogue, sort, limit: 50, seed: 6) != whole)
    case .added, .played, .title, .rating, .plays: break
    }
  }

  @Test(arguments: [Library.Sort.name, .added, .year, .played, .random])
  func tenThousandArePagedWhileOthersComeAndGo(_ sort: Library.Sort) async throws {
    let catalogue = try TestCatalogue()
    try await catalogue.stock(albums: 10_000)
    var next = 20_000
    var gone: Set<String> = []
    let paged = try await tracks(catalogue, sort, limit: 200, seed: 8) {
      // New tracks appear everywhere, and some that were or were not listed yet are removed.
      try await catalogue.stock(albums: 20, from: next)
      let victim = 1001 + (next * 7919) % 10_000
      try await catalogue.write("DELETE FROM tracks WHERE album = \(victim)")
      gone.insert("plex:t\(victim)01")
      next += 20
    }
    let listed = paged.map(\.id.description)
    #expect(Set(listed).count == listed.count)
    let stayed = (1001..<11_001).map { "plex:t\($0)01" }.filter { !gone.contains($0) }
    #expect(Set(listed).isSuperset(of: stayed))
  }

  @Test func copiesAreListedOnceAndKnownByAnyID() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", ["ALBUM=X", "ARTIST=A"])
    try await catalogue.refresh()
    try await catalogue.stock(albums: 1)
    let own = try #require(try await catalogue.tracks().first { $0.id.source == "files" })
    let shown = try #require(CatalogueID(own.id)).number
    try await catalogue.write("UPDATE tracks SET shelf = NULL, shown = \(shown) WHERE id = 100101")
    #expect(try await tracks(catalogue, .name, limit: 10).count == 3)
    for text in [own.id.description, "plex:t100101"] {
      let id = try #require(TrackID(text))
      let detail = try await catalogue.database.read { try Catalogue.track(.init(id: id), $0) }
      #expect(detail.track.id == own.id)
      #expect(
        detail.copies.map { "\($0.id) \($0.format ?? "") \($0.isLossless)" } == [
          "\(own.id) flac true", "plex:t100101 mp3 false",
        ])
      #expect(detail.copies.map { $0.path?.bytes } == [catalogue.tree.path("x/01.flac"), nil])
      #expect(detail.copies.map { $0.audio?.summary } == ["FLAC 16/44.1", nil])
    }
  }

  @Test func aRandomOrderHasEveryNumberOnce() {
    for (seed, largest) in [(1, 1), (2, 100), (-5, 4095), (.max, 4096)] as [(Int64, Int64)] {
      let order = RandomOrder(seed: seed, largest: largest)
      #expect(order.count > largest && order.count <= max(4, largest * 4))
      #expect(Set((0..<order.count).map { order.number(at: $0) }) == Set(0..<order.count))
    }
  }

  @Test func albumsAreFoundByWhatDescribesThem() async throws {
    let catalogue = try TestCatalogue()
    for (index, genre) in ["Jazz", "jázz", "Rock", "JAZZ"].enumerated() {
      try catalogue.tree.flac(
        "\(index)/1.flac",
        ["TITLE=T", "ALBUM=\(index)", "ARTIST=A\(index)", "GENRE=\(genre)", "DATE=\(1990 + index / 2)"])
    }
    try await catalogue.refresh()
    func found(_ kind: Library.Tag.Kind, _ name: String, _ sort: Library.Sort) async throws -> [String] {
      let request = Library.ListAlbums(sort: sort, seed: 1, tag: .init(kind: kind, name: name))
      return try await catalogue.database.read { try Catalogue.albums(request, randomSeed: 1, $0) }.items.map(\.title)
    }
    for sort in [Library.Sort.name, .added, .year, .played, .random] {
      #expect(Set(try await found(.genre, "jazz ", sort)) == ["0", "1", "3"], "\(sort)")
      #expect(Set(try await found(.year, "1991", sort)) == ["2", "3"], "\(sort)")
      #expect(try await found(.mood, "jazz", sort).isEmpty)
    }
    func tags(_ kind: Library.Tag.Kind, after: String? = nil) async throws -> Library.Page<Library.TagCount> {
      try await catalogue.database.read { try Catalogue.tags(.init(of: kind, after: after, limit: 1), $0) }
    }
    let first = try await tags(.genre)
    #expect(first.items == [.init(name: "Jazz", albums: 3)])
    #expect(try await tags(.genre, after: first.next).items == [.init(name: "Rock", albums: 2 - 1)])
    let year = try await tags(.year)
    #expect(year.items == [.init(name: "1991", albums: 2)])
    let last = try await tags(.year, after: year.next)
    #expect(last.items == [.init(name: "1990", albums: 2)] && last.next == nil)
  }

  @Test func aListBeginsWhereATextWouldStand() async throws {
    let catalogue = try TestCatalogue()
    for name in ["Abba", "The Middle", "Mono", "Zed"] {
      try catalogue.tree.flac("\(name)/1.flac", ["TITLE=T", "ALBUM=x", "ARTIST=\(name)"])
    }
    try await catalogue.refresh()
    let albums = try await catalogue.database.read {
      try Catalogue.albums(.init(limit: 2, startingAt: "M"), randomSeed: 1, $0)
    }
    #expect(albums.items.map(\.artist) == ["The Middle", "Mono"])
    let rest = try await catalogue.database.read {
      try Catalogue.albums(.init(after: albums.next, limit: 2, startingAt: "M"), randomSeed: 1, $0)
    }
    #expect(rest.items.map(\.artist) == ["Zed"] && rest.next == nil)
    let artists = try await catalogue.database.read { try Catalogue.artists(.init(startingAt: "mo"), $0) }
    #expect(artists.items.map(\.name) == ["Mono", "Zed"])
  }
}
