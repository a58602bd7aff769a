import HTTP
import Messages
import Model
import TestSupport
import Storage
import Synchronization
import Testing

@testable import Discovery

/// Reviews from the request to what is kept, with a stand-in for the endpoint.
@Suite(.timeLimit(.minutes(5))) struct ReviewServiceTests {
  private func code(_ body: () async throws -> Void) async -> String? {
    do { try await body() } catch { return LunaraError(error).code }
    return nil
  }

  @Test func reviewsAreOffUntilAPersonNamesAnEndpointAndNobodyIsAsked() async throws {
    let reviews = try await TestReviews()
    let status = try await reviews.service.read(.init(album: TestReviews.ids[0]))
    #expect(!status.isOn && status.review == nil && !status.isBeingMade)
    #expect(
      await code { _ = try await reviews.service.make(.init(album: TestReviews.ids[0])) } == "discovery.reviewsOff")
    try await reviews.switchOn()
    // Switching on and reading ask nobody: only a request for a review does.
    #expect(try await reviews.service.read(.init(album: TestReviews.ids[0])).isOn && reviews.requests.isEmpty)
    let other = AlbumID(source: "files", native: "gone")
    #expect(await code { _ = try await reviews.service.read(.init(album: other)) } == "discovery.unknownAlbum")
    await reviews.close()
  }

  @Test func theFirstQuestionWaitsUntilTheLibraryIsRead() async throws {
    let reviews = try await TestReviews()
    try await reviews.database.write { transaction in
      try transaction.execute("DELETE FROM albums")
      try transaction.execute("UPDATE shelf SET is_read = 0")
    }
    async let status = reviews.service.read(.init(album: TestReviews.ids[0]))
    try await reviews.shelve()
    #expect(try await status.album == TestReviews.ids[0])
    await reviews.close()
  }

  @Test func aReviewIsMadeOfFiveFieldsAndKeptForGood() async throws {
    let reviews = try await TestReviews()
    try reviews.says(TestReviews.good)
    try await reviews.switchOn(key: "sk-1")
    let review = try #require(try await reviews.made().review)
    #expect(review.label == "Quiet Masterwork" && review.tier == 2 && review.tenths == nil && review.model == "small")
    #expect(review.keyTracks == ["Tram at Night", "Depot", "Blue Hour"] && review.points.count == 3)
    #expect(review.writtenAt == Timestamp(seconds: TestAlbums.now))
    let request = try #require(reviews.requests.first)
    #expect(request.method == "POST" && request.path == "/v1/chat/completions")
    #expect(request.header("Authorization") == "Bearer sk-1")
    let messages = try #require(JSONView(request.body)?["messages"]?.elements)
    #expect(messages.compactMap { $0["role"]?.string } == ["system", "user"])
    #expect(
      messages[1]["content"]?.string
        == #"{"artist":"Nova Kessler","genres":["Jazz","Fusion"],"label":"Small Hours","title":"Night Lines","year":"1998"}"#
    )
    // It is read without the endpoint, after a restart too, and asking again asks nobody.
    await reviews.restart()
    reviews.answers(HTTPServerResponse(status: 500))
    #expect(try await reviews.made().review == review)
    #expect(reviews.requests.count == 1)
    await reviews.close()
  }

  @Test func theOldReviewIsSeenWhileANewOneIsWrittenAndStaysWhereThatFails() async throws {
    let reviews = try await TestReviews()
    try reviews.says(TestReviews.good)
    try await reviews.switchOn()
    let old = try #require(try await reviews.made().review)
    reviews.script.withLock { $0.isHeld = true }
    let during = try await reviews.service.make(.init(album: TestReviews.ids[0], isAgain: true))
    #expect(during.isBeingMade && during.review == old)
    reviews.script.withLock { $0.isHeld = false }
    try reviews.says(TestReviews.good.replacing("Quiet Masterwork", with: "Low Point"))
    _ = try await reviews.ended()
    try reviews.says(TestReviews.good.replacing("Quiet Masterwork", with: "Low Point"))
    #expect(try await reviews.made(again: true).review?.label == "Low Point")
    reviews.answers(HTTPServerResponse(status: 500))
    let failed = try await reviews.made(again: true)
    #expect(failed.review?.label == "Low Point" && failed.problem?.code == "discovery.modelFailed")
    await reviews.close()
  }

  @Test func aReviewOfAFormerVersionIsKeptAndNotThatOfAnAlbumOfAnotherYear() async throws {
    let reviews = try await TestReviews()
    try reviews.says(TestReviews.good)
    try await reviews.switchOn()
    let review = try #require(try await reviews.made().review)
    try await reviews.database.write { transaction in
      try transaction.execute("UPDATE reviews SET key = 'nova kessler' || char(31) || 'night lines'")
      try transaction.execute("UPDATE albums SET title = 'Night Lines', year = 2004 WHERE id = 'files:a2'")
    }
    #expect(try await reviews.service.read(.init(album: TestReviews.ids[0])).review == review)
    #expect(try await reviews.service.read(.init(album: TestReviews.ids[1])).review == nil)
    // Files that are read as new ones are an album that the review does not name.
    try await reviews.database.write { try $0.execute("UPDATE albums SET id = 'files:a7' WHERE id = 'files:a1'") }
    let moved = AlbumID(source: "files", native: "a7")
    #expect(try await reviews.service.read(.init(album: moved)).review == review)
    #expect(try await reviews.made(moved, again: true).review != nil)
    #expect(try await reviews.service.settings().kept == 1)
    await reviews.close()
  }

  @Test func reviewsAreWrittenOneAtATimeInTheOrderOfTheRequests() async throws {
    let reviews = try await TestReviews()
    try reviews.says(TestReviews.good)
    try await reviews.switchOn()
    reviews.script.withLock { $0.isHeld = true }
    for id in TestReviews.ids { #expect(try await reviews.service.make(.init(album: id)).isBeingMade) }
    // Who asks twice waits for the same one.
    #expect(try await reviews.service.make(.init(album: TestReviews.ids[1])).isBeingMade)
    #expect(await reviews.asked(1))
    reviews.script.withLock { $0.isHeld = false }
    for id in TestReviews.ids { #expect(try await reviews.ended(id).review != nil) }
    #expect(reviews.script.withLock { $0.mostBusy } == 1 && reviews.requests.count == 3)
    await reviews.close()
  }

  @Test func theDailyCapCountsEachRequestAndEndsWithTheDay() async throws {
    let reviews = try await TestReviews()
    try reviews.says("Sorry, I cannot do that.")
    try await reviews.switchOn(cap: 2)
    // An answer that cannot be read costs two requests.
    #expect(try await reviews.made().problem?.code == "discovery.modelUnclear")
    #expect(try await reviews.service.settings().today == 2)
    await reviews.restart()
    #expect(
      await code { _ = try await reviews.service.make(.init(album: TestReviews.ids[1])) } == "discovery.reviewCap")
    try reviews.says(TestReviews.good)
    reviews.now.withLock { $0 = Timestamp(seconds: $0.seconds + 86_400) }
    #expect(try await reviews.made(TestReviews.ids[1]).review != nil)
    #expect(try await reviews.service.settings().today == 1)
    await reviews.close()
  }

  @Test func theSecondAttemptIsShorterAndTheCapHoldsForItToo() async throws {
    let reviews = try await TestReviews()
    reviews.answers(
      try TestReviews.completion("{\"summary\": \"It beg", finish: "length"),
      try TestReviews.completion(TestReviews.good))
    try await reviews.switchOn()
    #expect(try await reviews.made().review != nil)
    let sizes = reviews.requests.map(\.body.count)
    #expect(sizes.count == 2 && sizes[1] < sizes[0])
    try reviews.says("prose")
    try await reviews.switchOn(cap: 3)
    #expect(try await reviews.made(TestReviews.ids[1]).problem?.code == "discovery.modelUnclear")
    #expect(reviews.requests.count == 3)
    await reviews.close()
  }

  @Test func whatIsBrokenOffLeavesNothingBehind() async throws {
    let reviews = try await TestReviews()
    try reviews.says(TestReviews.good)
    try await reviews.switchOn()
    reviews.script.withLock { $0.isHeld = true }
    _ = try await reviews.service.make(.init(album: TestReviews.ids[0]))
    #expect(await reviews.asked(1))
    await reviews.restart()
    let status = try await reviews.service.read(.init(album: TestReviews.ids[0]))
    #expect(status.review == nil && !status.isBeingMade && status.problem == nil)
    // The request was counted before it was made.
    #expect(try await reviews.service.settings().today == 1)
    await reviews.close()
  }

  @Test func switchedOffNothingIsWrittenAnyMoreAndReviewsStay() async throws {
    let reviews = try await TestReviews()
    try reviews.says(TestReviews.good)
    try await reviews.switchOn(key: "sk-1")
    _ = try await reviews.made()
    reviews.script.withLock { $0.isHeld = true }
    _ = try await reviews.service.make(.init(album: TestReviews.ids[1]))
    _ = try await reviews.service.make(.init(album: TestReviews.ids[2]))
    let settings = try await reviews.service.set(.init(endpoint: nil))
    #expect(settings.endpoint == nil && settings.model == nil && !settings.hasKey && settings.kept == 1)
    #expect(try await reviews.service.read(.init(album: TestReviews.ids[0])).review != nil)
    #expect(try await !reviews.service.read(.init(album: TestReviews.ids[2])).isBeingMade)
    #expect(reviews.requests.count <= 2)
    await reviews.close()
  }

  @Test func aReviewStaysWithAnAlbumThatIsRetaggedOrReadAsANewOne() async throws {
    let reviews = try await TestReviews()
    try reviews.says(TestReviews.good)
    try await reviews.switchOn()
    let review = try await reviews.made().review
    try await reviews.database.write { transaction in
      try transaction.execute("UPDATE albums SET title = 'NIGHT LINES', id = 'files:b9' WHERE id = 'files:a1'")
    }
    let new = AlbumID(source: "files", native: "b9")
    #expect(try await reviews.service.read(.init(album: new)).review == review)
    // The album of the old id has left the library.
    #expect(try await reviews.service.read(.init(album: TestReviews.ids[0])).review == review)
    try await reviews.database.write {
      try $0.execute("UPDATE albums SET title = 'Other', id = 'files:a1' WHERE id = 'files:b9'")
    }
    #expect(try await reviews.service.read(.init(album: TestReviews.ids[0])).review == review)
    await reviews.close()
  }

  @Test func theKeyIsSentToItsOwnServerOnly() async throws {
    let (first, second) = (try await TestReviews(), try await TestReviews())
    try await first.switchOn(key: "sk-1")
    #expect(try await first.switchOn().hasKey)
    try second.says(TestReviews.good)
    let moved = try await first.service.set(.init(endpoint: second.address))
    #expect(!moved.hasKey && moved.model == "small")
    #expect(try await first.made().review != nil)
    #expect(second.requests.first?.header("Authorization") == nil)
    #expect(try await first.switchOn().hasKey)
    #expect(try await !first.switchOn(key: "").hasKey)
    await first.close()
    await second.close()
  }

  @Test(arguments: [
    "http://models.example/v1", "http://8.8.8.8/v1", "ftp://127.0.0.1/", "models", "",
    "https://ann:secret@models.example/v1",
    "https://models.example/v1?key=1", "http://127.0.0.1.example/v1", "http://[2001:4860::1]/v1",
  ]) func anEndpointThatMayNotBeAskedIsRefused(address: String) async throws {
    #expect(throws: LunaraError.self) { _ = try ModelAddress(address) }
  }

  @Test(arguments: [
    "http://localhost:11434/v1/", "http://192.168.1.7:8080/v1", "http://[fd00::1]:1/v1", "http://studio.local:1234/v1",
    "https://models.example/v1/chat/completions", "http://[::1]:1/",
  ]) func anEndpointOfTheHouseNeedsNoEncryption(address: String) throws {
    let text = try ModelAddress(address).text
    #expect(!text.hasSuffix("/") && !text.hasSuffix("completions"))
  }

  @Test func settingsThatCannotBeRightAreRefused() async throws {
    let reviews = try await TestReviews()
    func refusal(_ request: Discovery.SetReviews) async -> String? {
      await code { _ = try await reviews.service.set(request) }
    }
    #expect(await refusal(.init(endpoint: reviews.address)) == "discovery.badEndpoint")
    #expect(await refusal(.init(endpoint: reviews.address, model: " ")) == "discovery.badEndpoint")
    #expect(await refusal(.init(endpoint: reviews.address, model: "m", key: "two words")) == "discovery.badEndpoint")
    #expect(await refusal(.init(endpoint: reviews.address, model: "m", key: "a\r\nX: 1")) == "discovery.badEndpoint")
    #expect(await refusal(.init(endpoint: reviews.address, model: "m", dailyCap: 0)) == "discovery.badEndpoint")
    #expect(try await reviews.service.settings().endpoint == nil)
    await reviews.close()
  }
}
