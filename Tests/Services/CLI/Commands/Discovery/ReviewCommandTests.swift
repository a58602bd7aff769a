import Bus
import Messages
import Model
import Synchronization
import System
import TestSupport
import Testing

@testable import lunara

/// The commands of reviews, with a service that gives prepared answers.
@Suite(.timeLimit(.minutes(2))) struct ReviewCommandTests {
  /// The reviews that the service has, and the requests to it.
  private final class Reviews: Sendable {
    struct State: Sendable {
      var review: Discovery.Review?
      var problem: LunaraError?
      /// The number of times that a review is still being written when it is looked for.
      var looks = 0
      var made: [Discovery.MakeReview] = []
      var set: [Discovery.SetReviews] = []
    }
    let state = Mutex(State())
  }

  private static let review = Discovery.Review(
    summary: "It came late, \(String(repeating: "and late again ", count: 8)). It is loud.",
    points: ["The bass leads.", "Drums follow.", "\u{1B}[31mRed."], tenths: 84, label: "Low Point", tier: 8,
    keyTracks: ["Tram at Night", "Depot"], model: "small", writtenAt: Timestamp(seconds: 1_796_000_000))

  private func household(_ reviews: Reviews) async throws -> CommandFixture {
    let fixture = try CommandFixture()
    _ = try await fixture.library()
    let node = try await fixture.add("discovery@main")
    @Sendable func status(_ album: AlbumID) -> Discovery.ReviewStatus {
      reviews.state.withLock { state in
        let isBeingMade = state.looks > 0 && !state.made.isEmpty
        if isBeingMade { state.looks -= 1 }
        return .init(
          album: album, review: isBeingMade || state.looks > 0 ? nil : state.review,
          isBeingMade: isBeingMade, problem: isBeingMade ? nil : state.problem, isOn: true)
      }
    }
    await node.serve(Discovery.ReadReview.self) { request, _ in status(request.album) }
    await node.serve(Discovery.MakeReview.self) { request, _ in
      reviews.state.withLock { $0.made.append(request) }
      return status(request.album)
    }
    await node.serve(Discovery.ReadReviewSettings.self) { _, _ in
      let last = reviews.state.withLock { $0.set.last }
      return Discovery.ReviewSettings(endpoint: last?.endpoint, model: last?.model, sends: "Little leaves the house.")
    }
    await node.serve(Discovery.SetReviews.self) { request, _ in
      reviews.state.withLock { $0.set.append(request) }
      return Discovery.ReviewSettings(
        endpoint: request.endpoint, model: request.model, hasKey: request.key?.isEmpty == false,
        dailyCap: request.dailyCap ?? 20, sends: "Little leaves the house.")
    }
    return fixture
  }

  @Test func aReviewThatIsKeptIsPrintedWrappedAndMakesNone() async throws {
    let reviews = Reviews()
    reviews.state.withLock { $0.review = Self.review }
    let fixture = try await household(reviews)
    let (status, printed) = await fixture.run("review", "files:a1")
    #expect(status == .done && printed.output.contains("Low Point · tier 8 of 8 · 8.4 of 10"))
    #expect(printed.output.contains("• The bass leads.") && printed.output.contains("Key tracks: Tram at Night, Depot"))
    #expect(printed.output.contains("Written by small on 2026-") && printed.output.contains("; it may be wrong."))
    #expect(printed.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(!printed.output.contains("\u{1B}") && reviews.state.withLock { $0.made.isEmpty })
    let (_, json) = await fixture.run("review", "files:a1", "--json")
    #expect(json.output.hasPrefix(#"{"album":"files:a1","review":{"summary":"It came late"#))
    #expect(json.output.contains(#""isBeingMade":false,"problem":null,"isOn":true}"#))
    await fixture.close()
  }

  @Test func itWaitsForANewReviewAndThrowsWhatWentWrong() async throws {
    let reviews = Reviews()
    reviews.state.withLock { ($0.review, $0.looks) = (Self.review, 2) }
    let fixture = try await household(reviews)
    #expect(await fixture.run("review", "files:a1").1.output.contains("Low Point"))
    #expect(reviews.state.withLock { $0.made.map(\.isAgain) } == [nil])
    reviews.state.withLock { $0.problem = LunaraError("discovery.modelBusy", "Too many requests.") }
    let (status, printed) = await fixture.run("review", "files:a1", "--again")
    #expect(status == .failed && printed.errors.contains("discovery.modelBusy"))
    #expect(reviews.state.withLock { $0.made.last?.isAgain } == true)
    await fixture.close()
  }

  @Test func settingsAreShownChangedAndSwitchedOff() async throws {
    let reviews = Reviews()
    let fixture = try await household(reviews)
    let (_, first) = await fixture.run("review", "settings")
    #expect(first.output.contains("reviews are off") && first.errors.contains("Little leaves the house."))
    #expect(await fixture.run("review", "settings", "--cap", "5").0 == .wrongUsage)
    let folder = TemporaryDirectory()
    try Files.replace("\(folder.path)/key", with: "sk-1\nrest\n", .init(mode: 0o600))
    let words = ["--endpoint", "http://127.0.0.1:1/v1", "--model", "m", "--key-file", "\(folder.path)/key"]
    let (_, set) = await fixture.run(["review", "settings"] + words)
    #expect(set.output.contains("stored") && !set.output.contains("sk-1"))
    #expect(reviews.state.withLock { $0.set.last?.key } == "sk-1")
    // Settings that are not named stay.
    let (_, capped) = await fixture.run("review", "settings", "--cap", "5", "--json")
    #expect(capped.output.contains(#""endpoint":"http://127.0.0.1:1/v1""#) && capped.output.contains(#""dailyCap":5"#))
    #expect(reviews.state.withLock { $0.set.last?.key } == nil)
    let missing = await fixture.run("review", "settings", "--key-file", "\(folder.path)/none")
    #expect(missing.0 == .failed && missing.1.errors.contains("cli.badKeyFile"))
    #expect(await fixture.run("review", "settings", "off", "--cap", "5").0 == .wrongUsage)
    #expect(await fixture.run("review", "settings", "off").0 == .done)
    let last = try #require(reviews.state.withLock { $0.set.last })
    #expect(last.endpoint == nil && last.key == nil)
    await fixture.close()
  }
}
