import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Catalogue
@testable import Records

/// The best result of a search, and the tags and people in its results.
@Suite(.timeLimit(.minutes(2)))
struct BestMatchTests {
  private func catalogue() async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    func add(_ artist: String, _ album: String, _ title: String, _ more: String...) throws {
      try catalogue.tree.flac(
        "\(artist) \(album)/1.flac", ["TITLE=\(title)", "ARTIST=\(artist)", "ALBUM=\(album)"] + more)
    }
    try add("Joni Mitchell", "Blue", "Carey", "GENRE=Folk", "DATE=1971")
    try add("Miles Davis", "Kind of Blue", "So What", "GENRE=Modal Jazz", "DATE=1959")
    try add("Blue Öyster Cult", "Agents of Fortune", "The Reaper", "GENRE=Rock", "DATE=1976")
    try add("The Beatles", "Abbey Road", "Because", "GENRE=Rock", "DATE=1969")
    try add("Radiohead", "OK Computer", "Airbag", "GENRE=Art Rock", "DATE=1997")
    try add("Glenn Gould", "Partitas", "One", "COMPOSER=Johann Sebastian Bach", "GENRE=Baroque", "DATE=1977")
    try await catalogue.refresh()
    return catalogue
  }

  private func best(_ words: String, _ catalogue: TestCatalogue, limit: Int = 50) async throws -> String? {
    let found = try await catalogue.search(words, limit: limit)
    guard let best = found.best else { return nil }
    // It is always in the list of its kind, which is no longer than it may be.
    let name =
      switch best.kind {
      case .artist: found.artists.first { $0.id.playable == best.id }?.name
      case .album: found.albums.first { $0.id.playable == best.id }?.title
      case .track: found.tracks.first { $0.id.playable == best.id }?.title
      case .playlist: found.playlists?.first { $0.id.playable == best.id }?.title
      case .unknown: String?.none
      }
    #expect(found.artists.count <= limit && found.albums.count <= limit && found.tracks.count <= limit)
    return "\(best.kind) \(name ?? "that is not listed")"
  }

  @Test(
    arguments: [
      ("blue", "album Blue"), ("Radiohead", "artist Radiohead"), ("beatles", "artist The Beatles"),
      ("the beatles", "artist The Beatles"), ("radioh", "artist Radiohead"), ("beat", "artist The Beatles"),
      ("so what", "track So What"), ("miles kind of blue", "album Kind of Blue"), ("kind blue", "album Kind of Blue"),
      ("abbey", "album Abbey Road"), ("mitchell", "artist Joni Mitchell"), ("bach", "artist Johann Sebastian Bach"),
      ("reaper", "track The Reaper"), ("nothing of it", nil), ("", nil),
    ] as [(String, String?)])
  func theBestResultIsTheOneThatIsMeant(_ words: String, _ expected: String?) async throws {
    #expect(try await best(words, catalogue()) == expected)
  }

  @Test func theBestResultIsListedWhereTheListEndsBeforeIt() async throws {
    let catalogue = try TestCatalogue()
    for number in 10..<60 {
      try catalogue.tree.flac(
        "\(number)/1.flac", ["TITLE=Moon \(number)", "ARTIST=Band \(number)", "ALBUM=Aa Moon \(number)"])
    }
    try catalogue.tree.flac("z/1.flac", ["TITLE=Last", "ARTIST=Zz", "ALBUM=Moon"])
    try await catalogue.refresh()
    #expect(try await best("moon", catalogue, limit: 5) == "album Moon")
    let albums = try await catalogue.search("moon", limit: 5).albums
    #expect(albums.count == 5 && albums.last?.title == "Moon" && Set(albums.map(\.id)).count == 5)
  }

  @Test func ofSeveralTheOneThatIsHeardAndRatedIsTheBest() async throws {
    let catalogue = try TestCatalogue()
    for artist in ["A", "B", "C"] {
      try catalogue.tree.flac("\(artist)/1.flac", ["TITLE=Home", "ARTIST=\(artist)", "ALBUM=Album of \(artist)"])
    }
    try await catalogue.refresh()
    let tracks = try await catalogue.search("home").tracks
    #expect(try await catalogue.search("home").best?.id == tracks[0].id.playable)
    let second = try #require(CatalogueID(tracks[1].id)).number
    try await catalogue.write("UPDATE tracks SET rating = 10, played_at = 5 WHERE id = \(second)")
    #expect(try await catalogue.search("home").best?.id == tracks[1].id.playable)
  }

  @Test func tagsAreFoundByTheBeginningsOfTheirWords() async throws {
    let catalogue = try await catalogue()
    func tags(_ words: String) async throws -> [String] {
      try await catalogue.search(words).tags?.map { "\($0.kind?.rawValue ?? "-") \($0.name) \($0.albums)" } ?? []
    }
    #expect(try await tags("rock") == ["genre Rock 2", "genre Art Rock 1"])
    #expect(try await tags("modal ja") == ["genre Modal Jazz 1"])
    #expect(try await tags("r") == [])
    #expect(try await tags("1977") == ["year 1977 1"])
    #expect(try await tags("70s") == ["decade 1970 3"])
    #expect(try await tags("1970s") == ["decade 1970 3"])
    #expect(try await tags("1950S") == ["decade 1950 1"])
    for none in ["1812", "75s", "99999"] { #expect(try await tags(none) == []) }
    let narrowed = try await catalogue.search("1970s").tags?.first
    #expect(narrowed?.kind == .decade && narrowed?.name == "1970")
  }

  @Test func tagsAreCountedAgainWhenTheCatalogueChanges() async throws {
    let catalogue = try await catalogue()
    let cache = SearchCache(.none)
    func albums() async throws -> Int? {
      try await catalogue.database.read {
        try Catalogue.search(.init(words: "folk"), keeping: cache, $0).tags?.first?.albums
      }
    }
    #expect(try await albums() == 1)
    try catalogue.tree.flac("new/1.flac", ["TITLE=T", "ARTIST=N", "ALBUM=New", "GENRE=Folk"])
    try await catalogue.refresh()
    #expect(try await albums() == 2)
  }

  @Test func peopleAreThoseWhoDidMoreThanBeingAnArtist() async throws {
    let catalogue = try await catalogue()
    let people = try await catalogue.search("bach").people
    #expect(people?.map(\.role) == [.composer] && people?.first?.person?.name == "Johann Sebastian Bach")
    #expect(people?.first?.albums == 1 && people?.first?.tracks == 1 && people?.first?.person?.id != nil)
    #expect(try await catalogue.search("radiohead").people == [])
  }
}
