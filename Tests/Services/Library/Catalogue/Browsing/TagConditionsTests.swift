import Messages
import Model
import Storage
import Testing

@testable import Catalogue

/// Lists of albums and tracks that are narrowed by tags.
@Suite(.timeLimit(.minutes(2)))
struct TagConditionsTests {
  /// A tag of each kind with the albums that have it, and the tracks.
  private static let cases: [(Library.Tag.Kind, String, albums: String, tracks: String)] = [
    (.genre, "jázz ", "A1 A2 B1", "A1-1 A1-2 A2-1 A2-2 B1-1 B1-2"), (.mood, "w0", "A1 B1", "A1-1 A1-2 B1-1 B1-2"),
    (.style, "w1", "A1 B1", "A1-1 A1-2 B1-1 B1-2"), (.label, "w2", "A1 B1", "A1-1 A1-2 B1-1 B1-2"),
    (.type, "w3", "A1 B1", "A1-1 A1-2 B1-1 B1-2"), (.media, "w4", "A1 B1", "A1-1 A1-2 B1-1 B1-2"),
    // A release without a type is an album.
    (.type, "album", "A2 A3 B2 B3", "A2-1 A2-2 A3-1 A3-2 B2-1 B2-2 B3-1 B3-2"),
    (.country, "w5", "A1 B1", "A1-1 A1-2 B1-1 B1-2"), (.language, "x", "A1 B1", "A1-1 A1-2 B1-1 B1-2"),
    (.grouping, "x", "A1 B1", "A1-1 A1-2 B1-1 B1-2"), (.key, "x", "A1 B1", "A1-1 A1-2 B1-1 B1-2"),
    (.format, "FLAC", "A1 A2", "A1-1 A1-2 A2-1 A2-2"), (.sampleRate, "96000", "A1 A2", "A1-1 A1-2 A2-1 A2-2"),
    (.bitDepth, "24", "A1 A2", "A1-1 A1-2 A2-1 A2-2"), (.year, "1970", "A2", "A2-1 A2-2"),
    (.decade, "1960s", "A1", "A1-1 A1-2"), (.decade, "1970", "A2 A3 B1 B2 B3", ""),
    (.rating, "3", "A3 B1", "A3-1 A3-2 B1-1 B1-2"), (.unplayed, "", "A2 B1 B3", "A2-1 A2-2 B1-1 B1-2 B3-1 B3-2"),
    (.added, "12d", "A1 A2", "A1-1 A1-2 A2-1 A2-2"), (.source, "plex", "A1 A2 A3 B1 B2 B3", ""),
    (.source, "files", "", ""), (.folder, "/m/A", "A1", "A1-1 A1-2"), (.folder, "/m/", "A1 A2", "A1-1 A1-2 A2-1 A2-2"),
    (.folder, "file:///m/A%20b", "A2", "A2-1 A2-2"), (.albumArtist, "ann", "A1 A2 A3", ""),
    // Ann has her own albums, and sings on one track of another.
    (.artist, "ANN", "A1 A2 A3 B2", "A1-1 A1-2 A2-1 A2-2 A3-1 A3-2 B2-1"),
    (.artist, "plex:r12", "B1 B2 B3", "B1-1 B1-2 B2-1 B2-2 B3-1 B3-2"),
    (.composer, "cynthia", "A1 A2 B1", "A1-1 A2-1 B1-1"), (.composer, "plex:r13", "A1 A2 B1", "A1-1 A2-1 B1-1"),
    (.performer, "cyn", "B1", "B1-1"), (.conductor, "cyn", "", ""), (.lyricist, "cyn", "", ""),
    (.remixer, "nobody", "", ""), (.work, "suite", "A1 B1", "A1-1 B1-1"), (.work, "library:w1", "A1 B1", "A1-1 B1-1"),
  ]

  @Test(arguments: cases.indices) func tagsOfEveryKindNarrowAndExclude(_ index: Int) async throws {
    let (kind, name, albums, tracks) = Self.cases[index]
    let catalogue = try await BrowsingCatalogue()
    let all = ["A1", "A2", "A3", "B1", "B2", "B3"]
    let expected = albums.split(separator: " ").map(String.init)
    let tag = Library.Tag(kind: kind, name: name)
    for sort in [Library.Sort.name, .added, .year, .played, .random] {
      #expect(try await catalogue.albums([tag], sort).sorted() == expected, "\(sort)")
    }
    let other = Library.Tag(kind: kind, name: name, isExcluded: true)
    #expect(try await catalogue.albums([other]) == all.filter { !expected.contains($0) })
    #expect(try await catalogue.albums([tag, other]).isEmpty)
    // Tracks are not listed above if the album's number says enough about them.
    guard !tracks.isEmpty || albums.isEmpty else { return }
    let found = tracks.split(separator: " ").map(String.init)
    for sort in [Library.Sort.name, .added, .year, .played, .random] {
      #expect(try await catalogue.tracks([tag], sort, limit: 3).sorted() == found, "\(sort)")
    }
    #expect(try await catalogue.tracks([other]).count == 12 - found.count)
  }

  /// More than 500 albums make the other form of each set.
  @Test func wideSetsAreThoseThatAreCounted() async throws {
    let catalogue = try TestCatalogue()
    try await catalogue.stock(albums: 1200)
    try await catalogue.write(
      "INSERT INTO album_tags SELECT id, 0, 'jazz', 'Jazz', 0 FROM albums WHERE id % 2 = 0",
      "INSERT INTO artist_names SELECT key, id, name, 0 FROM artists",
      "INSERT INTO credits SELECT id, 2, 0, 1010, 'x', NULL FROM tracks WHERE album % 3 = 0 OR album % 2 = 0",
      "INSERT INTO folders (id, path, device) SELECT id, CAST('/m/' || id AS BLOB), 1 FROM albums WHERE id % 2 = 1",
      """
      INSERT INTO files (folder, name, inode, size, modified, track, tags)
      SELECT album, CAST('f' AS BLOB), id, 1, 1, id, '' FROM tracks WHERE album % 2 = 1
      """,
      // A hidden copy in a folder stands for the track that is shown.
      "UPDATE tracks SET shelf = NULL, shown = 100201 WHERE id = 100301",
      "UPDATE folders SET path = CAST('/m/copy' AS BLOB) WHERE id = 1003")
    for tag in [
      Library.Tag(kind: .genre, name: "jazz"), Library.Tag(kind: .composer, name: "artist 101"),
      Library.Tag(kind: .artist, name: "artist 101"), Library.Tag(kind: .folder, name: "/m"),
    ] {
      for isExcluded in [false, true] {
        let tag = Library.Tag(kind: tag.kind, name: tag.name, isExcluded: isExcluded)
        let (albums, tracks) = try await catalogue.database.read { transaction in
          func numbers(_ subject: TagConditions.Subject, _ purpose: TagConditions.Purpose) throws -> Set<Int64> {
            let filter = try TagConditions([tag], of: subject, for: purpose, transaction)
            let rows = "FROM tracks t JOIN albums a ON a.id = t.shelf WHERE TRUE\(filter.sql)"
            return Set(
              try transaction.rows("SELECT \(subject == .tracks ? "t.id" : "a.id") \(rows)", values: filter.values) {
                try $0.value(0) as Int64
              })
          }
          let pair = (try numbers(.albums, .page), try numbers(.tracks, .page))
          #expect(try numbers(.albums, .count) == pair.0 && numbers(.tracks, .count) == pair.1, "\(tag)")
          return pair
        }
        #expect(!albums.isEmpty && !tracks.isEmpty && albums.count < 1199, "\(tag)")
      }
    }
  }

  @Test func everyKindIsTried() {
    let tried = Set(Self.cases.map(\.0))
    #expect(tried == Set(Library.Tag.Kind.allCases.filter { $0 != .unknown }))
  }

  @Test func severalKindsMustAllHoldAndTwoOfOneKindMeanAnyOfThem() async throws {
    let catalogue = try await BrowsingCatalogue()
    let (jazz, rock) = (Library.Tag(kind: .genre, name: "jazz"), Library.Tag(kind: .genre, name: "rock"))
    #expect(try await catalogue.albums([jazz, rock]) == ["A1", "A2", "B1", "B2"])
    let ben = Library.Tag(kind: .albumArtist, name: "Ben")
    #expect(try await catalogue.albums([jazz, ben, rock]) == ["B1", "B2"])
    let seventies = Library.Tag(kind: .decade, name: "1970")
    let folk = Library.Tag(kind: .genre, name: "folk", isExcluded: true)
    #expect(try await catalogue.albums([jazz, seventies, folk]) == ["B1"])
    #expect(try await catalogue.tracks([jazz, seventies, folk]) == ["B1-1", "B1-2"])
    // The one tag of older programs counts as one more.
    let request = Library.ListAlbums(tag: jazz, tags: [ben])
    let both = try await catalogue.catalogue.database.read { try Catalogue.albums(request, randomSeed: 1, $0) }
    #expect(both.items.map(\.title) == ["B1"])
  }

  @Test(arguments: [
    ("year", "soon"), ("decade", "x"), ("rating", "6"), ("rating", "good"), ("added", "lately"), ("added", "-3d"),
    ("sampleRate", "high"), ("folder", "m/A"),
  ])
  func aNameThatItsKindCannotHaveIsRefused(_ kind: String, _ name: String) async throws {
    let catalogue = try await BrowsingCatalogue()
    let tag = Library.Tag(kind: try #require(Library.Tag.Kind(word: kind)), name: name)
    // Only tracks have a sample rate as a number.
    await #expect {
      _ = try await catalogue.tracks([tag])
    } throws: {
      ($0 as? LunaraError)?.code == "library.badTag"
    }
  }

  @Test func lettersYearsAndMonthsWorkInANarrowedList() async throws {
    let catalogue = try await BrowsingCatalogue()
    func marks(_ sort: Library.Sort, _ tags: [Library.Tag]) async throws -> [String] {
      let request = Library.IndexAlbums(sort: sort, tags: tags)
      let index = try await catalogue.catalogue.database.read { try Catalogue.index(request, $0) }
      #expect(index.total == index.marks.reduce(0) { $0 + $1.count })
      return index.marks.map { "\($0.name) \($0.first) \($0.count)" }
    }
    let jazz = Library.Tag(kind: .genre, name: "jazz")
    #expect(try await marks(.name, []) == ["A 0 3", "B 3 3"])
    #expect(try await marks(.name, [jazz]) == ["A 0 2", "B 2 1"])
    #expect(try await marks(.year, [jazz]) == ["1972 0 1", "1970 1 1", "1969 2 1"])
    #expect(try await marks(.played, [jazz]) == ["2023-11 0 1", " 1 2"])
    // A condition that all albums meet must not change the marks.
    let all = Library.Tag(kind: .source, name: "plex")
    for sort in [Library.Sort.name, .year, .added, .played] {
      #expect(try await marks(sort, [all]) == (try await marks(sort, [])), "\(sort)")
    }
  }

  @Test func windowsOfANarrowedListFitItsPages() async throws {
    let catalogue = try await BrowsingCatalogue()
    let tags = [Library.Tag(kind: .decade, name: "1970"), Library.Tag(kind: .genre, name: "folk", isExcluded: true)]
    for sort in [Library.Sort.name, .added, .year, .played, .random] {
      let whole = try await catalogue.albums(tags, sort)
      let request = Library.ReadAlbumWindow(sort: sort, seed: 4, tags: tags, first: 1, limit: 2)
      let window = try await catalogue.catalogue.database.read { try Catalogue.window(request, randomSeed: 1, $0) }
      #expect(window.total == 4 && window.items.map(\.title) == Array(whole[1...2]), "\(sort)")
    }
  }

  @Test func aNarrowedListGoesOnInTheQueue() async throws {
    let catalogue = try await BrowsingCatalogue()
    let tags = [Library.Tag(kind: .decade, name: "1970"), Library.Tag(kind: .genre, name: "folk", isExcluded: true)]
    for sort in [Library.Sort.name, .added, .year, .played, .random] {
      let whole = try await catalogue.albums(tags, sort)
      let first = try await catalogue.catalogue.album(whole[0])
      let request = Library.ListNextAlbums(
        list: Library.AlbumList(sort: sort, seed: 4, tags: tags), after: first.id, limit: 20)
      let next = try await catalogue.catalogue.database.read { try Catalogue.nextAlbums(request, $0) }
      #expect(next.items.map(\.title) == Array(whole.dropFirst()), "\(sort)")
    }
  }
}
