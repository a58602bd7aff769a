import HTTP
import Messages
import Model
import Plugins
import Synchronization
import TestSupport
import Testing

@testable import lunara_resolver

/// The bounds of what a plugin may ask of the network.
@Suite struct PluginNetworkTests {
  @Test func onlyHostsThatAPersonSawAndServersThatAPersonAllowedMayBeAsked() throws {
    let access = PluginAccess(
      hosts: ["api.example.org", "*.media.example"], servers: ["http://192.168.1.5:11434", "words"])
    func permission(_ url: String) throws -> PluginAccess.Permission {
      access.permission(for: try #require(Origin(url)))
    }
    #expect(try permission("https://api.example.org/x") == .allowed(isPublic: true))
    #expect(try permission("https://a.media.example/x") == .allowed(isPublic: true))
    #expect(try permission("https://media.example/x") == .refused)
    #expect(try permission("http://api.example.org/x") == .refused)
    #expect(try permission("https://other.example/") == .refused)
    #expect(try permission("http://192.168.1.5:11434/api") == .allowed(isPublic: false))
    #expect(try permission("http://192.168.1.5:80/") == .refused)
    #expect(try permission("https://192.168.1.5:11434/") == .refused)
  }

  @Test func noMoreThanSixtyRequestsBeginWithinAMinute() async throws {
    let server = try HTTPServer(address: "127.0.0.1", port: 0) { _ in HTTPServerResponse(text: "ok") }
    let time = Atomic<Int64>(0)
    let network = PluginNetwork(
      http: HTTPClient(userAgent: "Lunara/test"), household: HouseholdServers(),
      now: { Milliseconds(time.load(ordering: .relaxed)) })
    let address = "http://127.0.0.1:\(server.port)"
    let access = PluginAccess(hosts: [], servers: [address])
    let fields = try #require(JSONView(Array(#"{"url":"\#(address)/"}"#.utf8)))
    for _ in 0..<60 { #expect(try await network.send(fields, of: "one", access).text == "ok") }
    await #expect(throws: LunaraError.self) { _ = try await network.send(fields, of: "one", access) }
    // Another plugin has a minute of its own, and the first one its next minute.
    #expect(try await network.send(fields, of: "two", access).status == 200)
    time.store(60_000, ordering: .relaxed)
    #expect(try await network.send(fields, of: "one", access).status == 200)
    await server.stop()
  }

  @Test func atMostFourRequestsOfAPluginRunAtATime() async throws {
    let gate = Gate()
    let running = Mutex((now: 0, most: 0))
    let server = try HTTPServer(address: "127.0.0.1", port: 0) { _ in
      running.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
      await gate.wait()
      running.withLock { $0.now -= 1 }
      return HTTPServerResponse(text: "ok")
    }
    let network = PluginNetwork(http: HTTPClient(userAgent: "Lunara/test"), household: HouseholdServers())
    let address = "http://127.0.0.1:\(server.port)"
    let access = PluginAccess(hosts: [], servers: [address])
    let fields = try #require(JSONView(Array(#"{"url":"\#(address)/"}"#.utf8)))
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<20 { group.addTask { try await network.send(fields, of: "one", access).status } }
      #expect(await eventually(equals: 4) { gate.waiting })
      gate.open()
      for try await status in group { #expect(status == 200) }
    }
    #expect(running.withLock { $0.most } == 4)
    await server.stop()
  }

  @Test func requestsToAppleKeepItsPaceAndAreRepeatedThreeTimes() {
    var pacing = ApplePacing()
    #expect(pacing.next(at: Milliseconds(1000)) == Milliseconds(1000))
    #expect(pacing.next(at: Milliseconds(1100)) == Milliseconds(2200))
    #expect(pacing.wait(after: 200, attempt: 0) == nil)
    #expect(pacing.wait(after: 429, attempt: 0) == Milliseconds(2000))
    #expect(pacing.wait(after: 403, attempt: 1) == Milliseconds(4000))
    // Two errors in a row make the gap a second longer.
    #expect(pacing.next(at: Milliseconds(2200)) == Milliseconds(2200 + 1200 + 1000))
    #expect(pacing.wait(after: 429, attempt: 2) == Milliseconds(8000))
    #expect(pacing.wait(after: 429, attempt: 3) == nil)
    // No answer at all is repeated too, and an answer takes one error off.
    #expect(pacing.wait(after: nil, attempt: 0) == Milliseconds(2000))
    #expect(pacing.wait(after: 200, attempt: 1) == nil)
    #expect(pacing.next(at: Milliseconds(2200)) == Milliseconds(4400 + 1200 + 2000))
  }

  @Test func whatAPluginSaysOfATrackIsCleanedAndBounded() throws {
    func track(_ text: String, _ plugin: String = "p") throws -> FoundTrack? {
      let value = try #require(PluginValue(json: Array(text.utf8)))
      return SourceAnswers.track(value, of: plugin, for: DescribedTrack(title: "T", artist: "A"))
    }
    let plain = try #require(
      try track(
        #"{"title":" T ","artist":"A","duration":"61.5","isrc":" gbaye0601498 ","albumArt":"https://a.example/c"}"#))
    #expect(plain.source.title == "T" && plain.source.duration == Milliseconds(61_500))
    #expect(plain.source.isrc == "GBAYE0601498" && plain.source.cover == "https://a.example/c")
    let odd = try #require(
      try track(#"{"title":"T","artist":"A","duration":-1,"isrc":"X","albumArt":"javascript:alert(1)","id":7}"#))
    #expect(odd.source.duration == nil && odd.source.isrc == nil && odd.source.cover == nil)
    #expect(odd.source.ids == ["id": "7"])
    #expect(try track(#"{"artist":"A"}"#) == nil && (try track(#""T""#)) == nil)
    // YouTube's 180 s and Bandcamp's 210 s mean that the length is not known.
    #expect(try track(#"{"title":"T","artist":"A","duration":180}"#, "youtube")?.source.duration == nil)
    #expect(try track(#"{"title":"T","artist":"A","duration":180}"#)?.source.duration == Milliseconds(180_000))
    let long = try #require(try track(#"{"title":"\#(String(repeating: "x", count: 9000))","artist":"A"}"#))
    #expect(long.source.title.count == 300)
    let stream = try #require(
      try track(
        #"{"title":"T","artist":"A","source":{"type":"direct","url":"https://a.example/t","expiresIn":1e12,"headers":{"Host":"b","X-A":"1","X-B":"a\r\nC: d"}}}"#
      )?.stream)
    #expect(stream.headers == ["X-A": "1"] && stream.expiresIn == Milliseconds(30 * 86_400_000))
  }
}
