import Bus
import HTTP
import Messages
import Model
import TestSupport
import Testing

@testable import lunara_web

/// Statistics over HTTP, with a library that gives prepared answers.
@Suite(.timeLimit(.minutes(2))) struct StatisticsEndpointTests {
  @Test func statisticsAreAskedForAsTheQuerySays() async throws {
    let household = try await ServedHousehold()
    let asked = household.asked
    await household.library.serve(Library.ReadStatistics.self) { request, _ in
      asked.record("statistics \(request.from ?? "-") \(request.to ?? "-") \(request.limit)")
      guard request.from != "2026-02-30" else { throw LunaraError("library.badDay", "No day.") }
      return Library.Statistics(
        from: "2026-01-01", to: "2026-01-01", firstDay: "2026-01-01",
        totals: .init(plays: 1, heard: Milliseconds(1500)),
        tracks: [.init(key: "files:t1", title: "<b>", plays: 1, heard: Milliseconds(1500), isHere: false)],
        steps: [.init(name: "2026-01-01", plays: 1, heard: Milliseconds(1500), genres: [1])])
    }
    let answer = try await household.get("/api/v1/statistics?from=2026-01-01&to=2026-12-31&limit=20")
    #expect(
      answer.text
        == #"{"from":"2026-01-01","to":"2026-01-01","firstDay":"2026-01-01","totals":{"plays":1,"skips":0,"#
        + #""heardSeconds":1.5,"artists":0,"albums":0,"tracks":0,"firstHeard":0,"days":0},"artists":[],"albums":[],"#
        + #""tracks":[{"key":"files:t1","title":"<b>","plays":1,"heardSeconds":1.5,"isHere":false}],"genres":[],"#
        + #""rediscovered":[],"steps":[{"name":"2026-01-01","plays":1,"heardSeconds":1.5,"genres":[1]}],"hours":[],"#
        + #""weekdays":[]}"#)
    _ = try await household.get("/api/v1/statistics")
    #expect(try await household.get("/api/v1/statistics?from=2026-02-30").errorCode == "library.badDay")
    #expect(
      asked.all.filter { $0.hasPrefix("statistics") } == [
        "statistics 2026-01-01 2026-12-31 20", "statistics - - 10", "statistics 2026-02-30 - 10",
      ])
    #expect(try await household.get("/api/v1/statistics?limit=101").errorCode == "web.badParameter")
    await household.stop()
  }
}
