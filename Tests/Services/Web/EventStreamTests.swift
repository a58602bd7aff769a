import Bus
import HTTP
import Messages
import Model
import TestSupport
import Testing

@testable import lunara_web

@Suite struct EventStreamTests {
  @Test(.timeLimit(.minutes(1)))
  func aBrowserGetsEverythingFirstAndThenWhatChanges() async throws {
    let household = try await ServedHousehold().ready()
    let browser = try EventReader(port: household.service.port)
    let head = try await browser.next(containing: "event: snapshot\n")
    #expect(browser.head.contains("Content-Type: text/event-stream"))
    #expect(head.contains("retry: 500\n"))
    #expect(head.contains(#""name":"kitchen""#))
    await household.room.publish(roomState(.paused, rate: 0))
    let change = try await browser.next(containing: #""state":"paused""#)
    #expect(change.contains("event: rooms\n"))
    await household.room.publish(queueState(current: 2, revision: 9))
    #expect(try await browser.next(containing: #""revision":9"#).contains("event: queue\n"))
    browser.close()
    #expect(
      try await eventually {
        try await household.get("/metrics").text
      } satisfies: {
        $0.contains("lunara_web_browsers{name=\"main\",role=\"web\"} 0\n")
      })
    await household.stop()
  }

  @Test(.timeLimit(.minutes(1)))
  func aSilentHouseholdStillGivesASignOfLife() async throws {
    let household = try await ServedHousehold(heartbeat: .milliseconds(20)).ready()
    let browser = try EventReader(port: household.service.port)
    _ = try await browser.next(containing: "event: snapshot\n")
    #expect(try await browser.next(containing: "event: heartbeat\n").hasSuffix("event: heartbeat\ndata: {}\n\n"))
    browser.close()
    await household.stop()
  }

  @Test(.timeLimit(.minutes(1)))
  func aHeadRequestOpensNoStream() async throws {
    let household = try await ServedHousehold().ready()
    for path in ["/api/v1/events", "/now/kitchen/events"] {
      #expect(try await household.send("HEAD", path, headers: []).status == 200)
    }
    #expect(
      try await eventually {
        try await household.get("/metrics").text
      } satisfies: {
        $0.contains("lunara_web_browsers{name=\"main\",role=\"web\"} 0\n")
      })
    await household.stop()
  }

  @Test(.timeLimit(.minutes(3)))
  func aConnectionThatIsNotReadIsClosed() async throws {
    let household = try await ServedHousehold(heartbeat: .milliseconds(50)).ready()
    let browser = try EventReader(port: household.service.port, window: 4096)
    _ = try await browser.next(containing: "event: snapshot\n")
    // Every change carries a long queue, which fills the buffers; then keep-alives fill them further.
    let long = queueState(count: 50)
    var revision: Int64 = 10
    let isLeft = try await eventually(within: .seconds(120)) {
      revision += 1
      var next = long
      next.revision = revision
      await household.room.publish(next)
      return try await household.get("/metrics").text.contains("lunara_web_browsers{name=\"main\",role=\"web\"} 0\n")
    }
    #expect(isLeft)
    withExtendedLifetime(browser) {}
    await household.stop()
  }

  @Test(.timeLimit(.minutes(1)))
  func stoppingEndsTheStreams() async throws {
    let household = try await ServedHousehold().ready()
    let browser = try EventReader(port: household.service.port)
    _ = try await browser.next(containing: "event: snapshot\n")
    await household.stop()
    #expect(await browser.isEnded())
  }
}
