import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Records
@testable import Sources

/// Opinions follow their albums through hundreds of random merges, separations, removals, returns and renumberings.
@Suite(.timeLimit(.minutes(10)))
struct OpinionLinkTests {
  private static let titles = ["Blue", "Hejira", "Mingus", "Court"]

  @Test(arguments: 0..<8) func noOpinionIsLostWhateverHappensToItsAlbum(part: Int) async throws {
    for seed in part * 30..<part * 30 + 30 { try await run(UInt64(seed)) }
  }

  private func run(_ seed: UInt64) async throws {
    var random = Seeded(seed)
    let catalogue = try TestCatalogue()
    let servers = ["one", "two"].enumerated().map { index, name in
      var contents = FakeServer.Contents()
      contents.machine = "machine-\(index)"
      return (name: name, server: FakeServer(contents))
    }
    /// The opinion that was given last of each title, and the titles of which there were two albums at once.
    var given: [String: Library.Opinion] = [:]
    var doubled: Set<String> = []
    var revision = try await catalogue.opinionIDs().revision
    var known: [AlbumID: Library.Opinion] = [:]
    for step in 0..<8 {
      catalogue.wait(seconds: 60)
      let (name, server) = try #require(servers.randomElement(using: &random))
      let title = try #require(Self.titles.randomElement(using: &random))
      let isSplit = Int.random(in: 0..<5, using: &random) == 0
      if isSplit { doubled.insert(title) }
      switch Int.random(in: 0..<4, using: &random) {
      case 0: server.change { Self.remove(title, &$0) }
      case 1: server.change { $0.renumber(by: 10_000, guids: step % 2 == 0) }
      default:
        let native = 1000 * (step + 1)
        server.change { contents in
          Self.remove(title, &contents)
          contents.album(native, title, tracks: isSplit ? 5 : 3, seconds: isSplit ? 300 : 180)
        }
      }
      let stored = try await catalogue.storedOpinions()
      _ = try await catalogue.source(server, name).refresh(accepting: .all, progress: RefreshProgress())
      #expect(try await catalogue.storedOpinions() == stored, "seed \(seed), step \(step)")
      try await check(catalogue, given.filter { !doubled.contains($0.key) }, "seed \(seed), step \(step)")
      let ids = try await catalogue.opinionIDs()
      let now = Self.map(ids)
      #expect(now == known || ids.revision > revision, "a change without a revision: seed \(seed), step \(step)")
      guard let album = try await catalogue.albums().randomElement(using: &random) else { continue }
      let opinion = [Library.Opinion.like, .dislike, nil][Int.random(in: 0..<3, using: &random)]
      try await catalogue.opine(album.id, opinion)
      given[album.title] = opinion
      try await check(catalogue, given.filter { !doubled.contains($0.key) }, "seed \(seed), after step \(step)")
      let after = try await catalogue.opinionIDs()
      (revision, known) = (after.revision, Self.map(after))
    }
  }

  /// Expects that each title of which there was one album at most has the opinion that was given last.
  private func check(
    _ catalogue: TestCatalogue, _ given: [String: Library.Opinion], _ place: String
  ) async throws {
    #expect(try await catalogue.opinionFaults().isEmpty, "\(place)")
    let opinions = try await catalogue.opinions()
    for (title, opinion) in given {
      #expect(opinions.filter { $0.title == title }.map(\.opinion) == [opinion], "\(title), \(place)")
    }
  }

  private static func map(_ ids: Library.OpinionIDs) -> [AlbumID: Library.Opinion] {
    let pairs = ids.likes.map { ($0, Library.Opinion.like) } + ids.dislikes.map { ($0, .dislike) }
    return Dictionary(pairs) { first, _ in first }
  }

  private static func remove(_ title: String, _ contents: inout FakeServer.Contents) {
    for album in contents.albums where album.title == title {
      if let native = Int(album.native) { contents.remove(native) }
    }
  }
}
