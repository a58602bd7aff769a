import Messages
import Model
import Storage
import Testing
import Text

@testable import Catalogue

/// The orders of albums and tracks in both directions, page by page and by position.
@Suite(.timeLimit(.minutes(5)))
struct ListOrderTests {
  static let sorts: [Library.Sort] = [.name, .title, .added, .year, .played, .rating, .plays, .random]

  /// 40 albums of two tracks each, some of which have ratings, years and plays.
  private func catalogue() async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    let names = ["The Zombies", "émile", "Björk", "10cc", "ABBA", "東京", "Ärzte"]
    for number in 0..<40 {
      let year = number % 7 == 0 ? [] : ["DATE=\(1960 + number % 13)"]
      let title = "\(["Blue", "The Air", "9 Lives", "Night"][number % 4]) \(number * 37 % 40)"
      for track in 1...2 {
        try catalogue.tree.flac(
          "\(number)/\(track).flac",
          [
            "TITLE=\(title) \(track)", "TRACKNUMBER=\(track)", "ALBUM=\(title)",
            "ARTIST=\(names[number % names.count])",
          ]
            + year + (number % 3 == 0 ? ["GENRE=Jazz"] : []))
      }
    }
    try await catalogue.refresh()
    try await catalogue.write(
      "UPDATE albums SET rating = id % 11 WHERE id % 3 = 1", "UPDATE tracks SET rating = id % 11 WHERE id % 4 = 1")
    let tracks = try await catalogue.tracks()
    let counted = try (0..<60).map { index in
      try PlaysTests.counted(
        tracks[index * index % 29], listen: "c\(index)", at: 1_800_000_000 + Int64(index) * 1000)
    }
    try await catalogue.database.write { transaction in
      for counted in counted { try ListenRows.record(counted, at: counted.subject.startedAt, transaction) }
    }
    return catalogue
  }

  private func albums(
    _ catalogue: TestCatalogue, _ sort: Library.Sort, isReversed: Bool? = nil, limit: Int = 200,
    tags: [Library.Tag] = []
  ) async throws -> [Album] {
    var albums: [Album] = []
    var after: String?
    repeat {
      let request = Library.ListAlbums(
        after: after, limit: limit, sort: sort, seed: 5, tags: tags, isReversed: isReversed)
      let page = try await catalogue.database.read { try Catalogue.albums(request, randomSeed: 3, $0) }
      albums += page.items
      after = page.next
    } while after != nil
    return albums
  }

  private func tracks(
    _ catalogue: TestCatalogue, _ sort: Library.Sort, isReversed: Bool? = nil, limit: Int = 200,
    tags: [Library.Tag] = []
  ) async throws -> [Track] {
    var tracks: [Track] = []
    var after: String?
    repeat {
      let request = Library.ListTracks(
        after: after, limit: limit, sort: sort, seed: 5, tags: tags, isReversed: isReversed)
      let page = try await catalogue.database.read { try Catalogue.tracks(request, randomSeed: 3, $0) }
      tracks += page.items
      after = page.next
    } while after != nil
    return tracks
  }

  private let jazz = Library.Tag(kind: .genre, name: "jazz")

  @Test(arguments: ListOrderTests.sorts)
  func anOppositeOrderIsTheListBackwards(_ sort: Library.Sort) async throws {
    let catalogue = try await catalogue()
    for tags in [[], [jazz]] {
      let (albums, tracks) = (
        try await albums(catalogue, sort, tags: tags), try await tracks(catalogue, sort, tags: tags)
      )
      #expect(albums.count == (tags.isEmpty ? 40 : 14) && tracks.count == 2 * albums.count)
      #expect(Set(albums.map(\.id)).count == albums.count && Set(tracks.map(\.id)).count == tracks.count)
      for limit in [1, 7, 200] {
        let backwards = try await self.albums(catalogue, sort, isReversed: true, limit: limit, tags: tags)
        #expect(backwards == (sort == .random ? albums : albums.reversed()))
        let tracksBackwards = try await self.tracks(catalogue, sort, isReversed: true, limit: limit, tags: tags)
        #expect(tracksBackwards == (sort == .random ? tracks : tracks.reversed()))
      }
    }
  }

  @Test func ordersAreByTitleRatingAndPlays() async throws {
    let catalogue = try await catalogue()
    let titles = try await albums(catalogue, .title).map { SortKey.of($0.title) }
    #expect(
      titles == titles.sorted() && titles.first?.hasPrefix("19 lives ") == true && titles.contains(SortKey.of("Air 13"))
    )
    let ratings = try await albums(catalogue, .rating).map { $0.rating?.rawValue ?? -1 }
    #expect(ratings == ratings.sorted(by: >) && ratings.first == 10 && ratings.last == -1)
    let trackRatings = try await tracks(catalogue, .rating).map { $0.rating?.rawValue ?? -1 }
    #expect(trackRatings == trackRatings.sorted(by: >) && trackRatings.contains(where: { $0 >= 0 }))
    let features = try await catalogue.database.read { try Catalogue.albumFeatures(.init(), $0) }.items
    let plays = Dictionary(uniqueKeysWithValues: features.map { ($0.id, $0.plays) })
    let heard = try await albums(catalogue, .plays).map { plays[$0.id] ?? -1 }
    #expect(heard == heard.sorted(by: >) && heard.reduce(0, +) == 60 && heard.last == 0)
    #expect(try await tracks(catalogue, .plays).first?.id == tracks(catalogue, .played).first?.id)
  }

  @Test func aCursorOfOneDirectionIsNoneOfTheOther() async throws {
    let catalogue = try await catalogue()
    for sort in Self.sorts where sort != .random {
      let page = try await catalogue.database.read {
        try Catalogue.albums(.init(limit: 3, sort: sort), randomSeed: 1, $0)
      }
      await #expect {
        try await catalogue.database.read {
          try Catalogue.albums(.init(after: page.next, sort: sort, isReversed: true), randomSeed: 1, $0)
        }
      } throws: { ($0 as? LunaraError)?.code == "library.badCursor" }
    }
  }

  @Test(arguments: ListOrderTests.sorts, [nil, true])
  func windowsAreTheSamePartsOfTheListsThatPagesGive(_ sort: Library.Sort, _ isReversed: Bool?) async throws {
    let catalogue = try await catalogue()
    let lists = ListCache()
    for tags in [[], [jazz]] {
      let all = try await albums(catalogue, sort, isReversed: isReversed, tags: tags)
      let allTracks = try await tracks(catalogue, sort, isReversed: isReversed, tags: tags)
      for first in [0, 7, 12, 39, 79, 500] {
        let (part, trackPart) = try await catalogue.database.read { transaction in
          (
            try Catalogue.window(
              Library.ReadAlbumWindow(
                sort: sort, seed: 5, tags: tags, isReversed: isReversed, first: first, limit: 9), randomSeed: 3,
              keeping: lists, transaction),
            try Catalogue.trackWindow(
              Library.ReadTrackWindow(
                sort: sort, isReversed: isReversed, seed: 5, tags: tags, first: first, limit: 9), randomSeed: 3,
              keeping: lists, transaction)
          )
        }
        #expect(part.items == Array(all.dropFirst(first).prefix(9)) && part.total == all.count)
        #expect(trackPart.items == Array(allTracks.dropFirst(first).prefix(9)) && trackPart.total == allTracks.count)
        #expect(trackPart.first == first && (trackPart.seed == 5) == (sort == .random))
      }
    }
  }

  @Test(arguments: ListOrderTests.sorts, [nil, true])
  func marksHaveEveryItemOnce(_ sort: Library.Sort, _ isReversed: Bool?) async throws {
    let catalogue = try await catalogue()
    for tags in [[], [jazz]] {
      let (albums, tracks) = try await catalogue.database.read { transaction in
        (
          try Catalogue.index(Library.IndexAlbums(sort: sort, tags: tags, isReversed: isReversed), transaction),
          try Catalogue.trackIndex(Library.IndexTracks(sort: sort, isReversed: isReversed, tags: tags), transaction)
        )
      }
      for (index, total) in [(albums, tags.isEmpty ? 40 : 14), (tracks, tags.isEmpty ? 80 : 28)] {
        #expect(index.total == total)
        #expect(index.marks.isEmpty == (sort == .random || sort == .plays))
        var end = 0
        for mark in index.marks {
          #expect(mark.first == end && mark.count > 0)
          end += mark.count
        }
        #expect(index.marks.isEmpty || end == total)
      }
    }
  }

  @Test func marksOfAnOppositeOrderStandAtItsItems() async throws {
    let catalogue = try await catalogue()
    let all = try await tracks(catalogue, .name, isReversed: true)
    let index = try await catalogue.database.read {
      try Catalogue.trackIndex(Library.IndexTracks(isReversed: true), $0)
    }
    #expect(index.marks.map(\.name) == ["N", "B", "A", "#"])
    for mark in index.marks where mark.name != "#" {
      #expect(SortKey.of(all[mark.first].title).uppercased().hasPrefix(mark.name))
    }
    let stars = try await catalogue.database.read { try Catalogue.trackIndex(Library.IndexTracks(sort: .rating), $0) }
    #expect(stars.marks.first.map { Double($0.name) ?? 0 > 0 } == true && stars.marks.last?.name == "")
    let rated = try await tracks(catalogue, .rating)
    for mark in stars.marks {
      #expect(rated[mark.first].rating.map { $0.rawValue } == Double(mark.name).map { Int($0 * 2) })
    }
  }

  @Test func aListBeginsAtATextInBothDirections() async throws {
    let catalogue = try await catalogue()
    let backwards = try await catalogue.database.read {
      try Catalogue.albums(.init(limit: 200, isReversed: true, startingAt: "b"), randomSeed: 1, $0)
    }
    #expect(backwards.items.first?.artist == "Björk" && backwards.items.last?.artist == "10cc")
  }

  @Test func aQueueContinuesInTheOrderThatWasShown() async throws {
    let catalogue = try await catalogue()
    for sort in [Library.Sort.title, .rating, .plays, .year] {
      let all = try await albums(catalogue, sort, isReversed: true)
      let request = Library.ListNextAlbums(
        list: Library.AlbumList(sort: sort, isReversed: true), after: all[10].id, limit: 5)
      let next = try await catalogue.database.read { try Catalogue.nextAlbums(request, $0) }
      #expect(next.items == Array(all[11..<16]), "\(sort)")
    }
  }

  @Test func aRandomListOfTheUnheardLosesWhatIsHeard() async throws {
    let catalogue = try await catalogue()
    let lists = ListCache()
    let tags = [Library.Tag(kind: .unplayed, name: "")]
    func totals() async throws -> [Int] {
      try await catalogue.database.read { transaction in
        let tracks = try Catalogue.trackWindow(
          Library.ReadTrackWindow(sort: .random, seed: 5, tags: tags, first: 0, limit: 1), randomSeed: 1,
          keeping: lists, transaction)
        let albums = try Catalogue.window(
          Library.ReadAlbumWindow(sort: .random, seed: 5, tags: tags, first: 0, limit: 1), randomSeed: 1,
          keeping: lists, transaction)
        return [tracks.total, albums.total]
      }
    }
    let before = try await totals()
    #expect(before[0] > 1 && before[1] > 1)
    let unheard = try await catalogue.database.read {
      try Catalogue.window(
        Library.ReadAlbumWindow(sort: .random, seed: 5, tags: tags, first: 0, limit: 1), randomSeed: 1, $0)
    }
    let album = try #require(unheard.items.first)
    let track = try #require(try await catalogue.tracks(of: album).first)
    let counted = try PlaysTests.counted(track, listen: "y", at: 1_900_000_000)
    try await catalogue.database.write { try ListenRows.record(counted, at: counted.subject.startedAt, $0) }
    #expect(try await totals() == [before[0] - 1, before[1] - 1])
  }

  @Test func aListByPlaysIsCountedAgainAfterAListen() async throws {
    let catalogue = try await catalogue()
    let lists = ListCache()
    func last() async throws -> Track? {
      try await catalogue.database.read {
        try Catalogue.trackWindow(
          Library.ReadTrackWindow(sort: .plays, first: 0, limit: 1), randomSeed: 1, keeping: lists, $0)
      }.items.first
    }
    let other = try #require(try await tracks(catalogue, .plays).last)
    #expect(try await last()?.id != other.id)
    let counted = try (0..<40).map { try PlaysTests.counted(other, listen: "x\($0)", at: 1_900_000_000 + Int64($0)) }
    try await catalogue.database.write { transaction in
      for counted in counted { try ListenRows.record(counted, at: counted.subject.startedAt, transaction) }
    }
    #expect(try await last()?.id == other.id)
  }
}
