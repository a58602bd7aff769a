import Bus
import HTTP
import Messages
import Model
import TestSupport
import Testing

@testable import lunara_web

/// Rediscovered albums and an album by chance over HTTP, with a library that gives prepared answers.
@Suite(.timeLimit(.minutes(2))) struct RediscoveryEndpointTests {
  private func household() async throws -> ServedHousehold {
    let household = try await ServedHousehold()
    let asked = household.asked
    let drawn = Library.ExplainedAlbum(
      album: Album(
        id: AlbumID(source: "files", native: "a1"), title: "<script>", artist: "Ada", trackCount: 2,
        duration: Milliseconds(120_000), addedAt: Timestamp(seconds: 1_700_000_000)),
      reason: "Never heard.")
    await household.library.serve(Library.ReadRediscovery.self) { request, _ in
      asked.record("rediscovery \(request.day ?? "today") \(request.limit)")
      return Library.RediscoveryDay(
        day: "2026-11-26",
        shelves: [.init(shelf: .unheard, title: "Here, and never heard", reason: "For a week.", items: [drawn])])
    }
    await household.library.serve(Library.DrawAlbum.self) { _, _ in drawn }
    return household
  }

  private static let album =
    #"{"id":"files:a1","title":"<script>","artist":"Ada","genres":[],"trackCount":2,"durationSeconds":120,"addedAt":"2023-11-14T22:13:20.000000Z","reason":"Never heard."}"#

  @Test func theShelvesOfADayAreAskedForAsTheQuerySays() async throws {
    let household = try await household()
    let answer = try await household.get("/api/v1/rediscovery?day=2026-12-24&limit=6")
    #expect(
      answer.text
        == #"{"day":"2026-11-26","shelves":[{"shelf":"unheard","title":"Here, and never heard","reason":"For a week.","items":["#
        + Self.album + "]}]}")
    _ = try await household.get("/api/v1/rediscovery")
    #expect(
      household.asked.all.filter { $0.hasPrefix("rediscovery") } == [
        "rediscovery 2026-12-24 6", "rediscovery today 12",
      ])
    #expect(try await household.get("/api/v1/rediscovery?limit=25").errorCode == "web.badParameter")
    await household.stop()
  }

  @Test func anAlbumByChanceIsNamedOrPlayed() async throws {
    let household = try await household().ready()
    #expect(try await household.get("/api/v1/random").text == Self.album)
    #expect(!household.asked.all.contains { $0.hasPrefix("play") })
    let played = try await household.post("/api/v1/random", #"{"room":"kitchen","mode":"later"}"#)
    #expect(played.status == 200 && played.text.hasPrefix(#"{"room":"kitchen","tracks":2,"#))
    #expect(played.text.hasSuffix(#","album":"# + Self.album + "}"))
    #expect(household.asked.all.contains("play files:a1 later from 0 in kitchen"))
    #expect(try await household.post("/api/v1/random", #"{"mode":"soon"}"#).errorCode == "web.badBody")
    await household.stop()
  }
}
