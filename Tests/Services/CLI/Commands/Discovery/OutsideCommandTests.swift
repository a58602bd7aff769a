import Bus
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara

/// The commands of sources outside and of wishes, with a service that gives prepared answers.
@Suite(.timeLimit(.minutes(2))) struct OutsideCommandTests {
  /// The requests to the service.
  private final class Asked: Sendable {
    private let texts = Mutex<[String]>([])
    func record(_ text: String) { texts.withLock { $0.append(text) } }
    var all: [String] { texts.withLock { $0 } }
  }

  private static let album = Discovery.MissingAlbum(
    releaseGroup: "g1", title: "Blue", artist: "Ada", date: "2026-11", source: "MusicBrainz")

  private func household(_ asked: Asked) async throws -> CommandFixture {
    let fixture = try CommandFixture()
    let library = try await fixture.library()
    await library.serve(Library.ListWishes.self) { _, _ in
      Library.Page(
        items: [
          .init(id: 3, artist: "Ada", album: "Blue", addedAt: Timestamp(seconds: 5), releaseGroup: "g1"),
          .init(id: 2, artist: "Moondog", album: nil, providers: ["spotify"], addedAt: Timestamp(seconds: 5)),
        ], next: nil)
    }
    let node = try await fixture.add("discovery@main")
    await node.serve(Discovery.ListSources.self) { _, _ in
      Discovery.SourceList(
        sources: [
          .init(name: "library", readAt: nil, items: 7),
          .init(
            name: "musicbrainz", readAt: nil, items: 3,
            problem: LunaraError("discovery.sourceAway", "MusicBrainz cannot be read now."),
            outside: .init(
              title: "MusicBrainz", adds: "Albums of your artists.", sends: "Ids.", isOn: true, needs: "A contact.")),
        ], showsMissing: false)
    }
    await node.serve(Discovery.SetSource.self) { request, _ in
      guard request.name == "musicbrainz" else { throw LunaraError("discovery.unknownSource", "There is none.") }
      asked.record("\(request.name) \(request.isOn)")
      return Done()
    }
    await node.serve(Discovery.RefreshSource.self) { request, _ in
      asked.record("refresh \(request.name ?? "all")")
      return Done()
    }
    await node.serve(Discovery.SetMissingAlbums.self) { request, _ in
      asked.record("missing \(request.isOn)")
      return Done()
    }
    await node.serve(Discovery.SetWish.self) { request, _ in
      asked.record("wish \(request.releaseGroup) \(request.isWished)")
      return Done()
    }
    await node.serve(Discovery.ListWishes.self) { _, _ in
      Discovery.WishList(wishes: [.init(album: Self.album, at: Timestamp(seconds: 5))])
    }
    await node.serve(Discovery.ListSimilarAlbums.self) { request, _ in
      asked.record("similar \(request.album) \(request.limit)")
      return Discovery.SimilarAlbums(
        items: [
          .init(
            id: AlbumID(source: "files", native: "a4"), title: "Red", artist: "Ada", year: 1971, signal: .recommended,
            reason: "Jazz as well, from 1971.", evidence: .init())
        ])
    }
    return fixture
  }

  @Test func sourcesAreListedWithWhatLeavesTheHouseAndSwitched() async throws {
    let asked = Asked()
    let fixture = try await household(asked)
    let (status, printed) = await fixture.run("discovery", "sources")
    #expect(status == .done)
    for part in ["musicbrainz", "on", "Leaves the house: Ids.", "Needs: A contact.", "cannot be read now"] {
      #expect(printed.output.contains(part), "\(part)")
    }
    let (_, json) = await fixture.run("discovery", "sources", "musicbrainz", "off", "--json")
    #expect(
      json.output.contains(#""outside":{"title":"MusicBrainz""#) && json.output.contains(#""showsMissing":false"#))
    for words in [["discovery", "missing", "on"], ["discovery", "refresh"], ["discovery", "refresh", "musicbrainz"]] {
      #expect(await fixture.run(words).0 == .done)
    }
    #expect(asked.all == ["musicbrainz false", "missing true", "refresh all", "refresh musicbrainz"])
    #expect(await fixture.run("discovery", "sources", "myspace", "on").0 == .failed)
    #expect(await fixture.run("discovery", "sources", "musicbrainz").0 == .wrongUsage)
    #expect(await fixture.run("discovery", "missing", "perhaps").0 == .wrongUsage)
    await fixture.close()
  }

  @Test func wishesAreListedWithWhatSourcesKnowAndAnAlbumOfAWallIsAddedByItsID() async throws {
    let asked = Asked()
    let fixture = try await household(asked)
    let (_, printed) = await fixture.run("wishes")
    for part in ["Blue", "2026-11", "Moondog", "spotify"] { #expect(printed.output.contains(part), "\(part)") }
    let (_, json) = await fixture.run("wishes", "--json")
    #expect(json.output.contains(#""releaseGroup":"g1","missing":{"releaseGroup":"g1","title":"Blue""#))
    let group = "f32fab67-77dd-3937-addc-9062e28e4c37"
    let (_, added) = await fixture.run("wishes", "add", group, "--json")
    #expect(added.output == #"{"releaseGroup":"\#(group)","isWished":true}"# + "\n")
    #expect(asked.all == ["wish \(group) true"])
    #expect(await fixture.run("discovery", "wishes").0 == .wrongUsage)
    await fixture.close()
  }

  @Test func similarAlbumsAreListedWithTheirReasons() async throws {
    let asked = Asked()
    let fixture = try await household(asked)
    let (status, printed) = await fixture.run("similar", "files:a3")
    #expect(status == .done && printed.output.contains("Red") && printed.output.contains("Jazz as well, from 1971."))
    let (_, json) = await fixture.run("similar", "files:a3", "--count", "50", "--json")
    #expect(json.output.hasPrefix(#"{"items":[{"id":"files:a4","title":"Red""#))
    #expect(asked.all == ["similar files:a3 12", "similar files:a3 50"])
    #expect(await fixture.run("similar", "files:a3", "--count", "51").0 == .wrongUsage)
    await fixture.close()
  }
}
