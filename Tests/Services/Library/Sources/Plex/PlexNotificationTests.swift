import HTTP
import Messages
import Model
import Testing

@testable import Sources

@Suite struct PlexNotificationTests {
  private func listening(_ fixture: FakePlexServer) async throws -> Bool {
    try await fixture.order("notifications", #"{"ping":0.05}"#)["listening"]?.integer ?? 0 > 0
  }

  @Test func aChangeOfMusicIsNotified() async throws {
    let fixture = try await FakePlexServer()
    // The first return means that the stream is open, since earlier notifications are lost.
    try await fixture.server.awaitChange()
    #expect(try await listening(fixture))
    let change = Task { try await fixture.server.awaitChange() }
    try await fixture.order("add", #"{"artist":"A","album":"B","title":"C"}"#)
    try await change.value
    // A notification that comes between two waits is not lost.
    try await fixture.order("add", #"{"artist":"A","album":"B","title":"D"}"#)
    try await fixture.server.awaitChange()
  }

  @Test func aStreamThatBreaksIsAnErrorAndItsReturnAChange() async throws {
    let fixture = try await FakePlexServer()
    try await fixture.server.awaitChange()
    let wait = Task { await refusal { try await fixture.server.awaitChange() } }
    try await fixture.order("notifications", #"{"drop":true}"#)
    #expect(await wait.value == "library.sourceAway")
    try await fixture.server.awaitChange()
    #expect(try await listening(fixture))
  }

  @Test func aRefusedTokenIsASignOut() async throws {
    let fixture = try await FakePlexServer(token: "wrong")
    #expect(await refusal { try await fixture.server.awaitChange() } == "library.signedOut")
  }

  @Test(arguments: ["403", "404"])
  func aServerWithoutNotificationsIsAskedAgainMuchLater(_ fault: String) async throws {
    let fixture = try await FakePlexServer()
    try await fixture.order("fault", #"{"path":"/:/eventsource/notifications","fault":"\#(fault)","times":2}"#)
    // The fake clock lets days pass at once.
    try await fixture.server.awaitChange()
    #expect(try await listening(fixture))
  }

  @Test func aCancelledWaitEnds() async throws {
    let fixture = try await FakePlexServer()
    try await fixture.server.awaitChange()
    let wait = Task { try await fixture.server.awaitChange() }
    wait.cancel()
    await #expect(throws: CancellationError.self) { try await wait.value }
  }

  @Test(arguments: [
    (
      #"{"NotificationContainer":{"type":"timeline","size":1,"TimelineEntry":[{"identifier":"com.plexapp.plugins.library","sectionID":"1","itemID":"5","type":10,"state":5}]}}"#,
      true
    ),
    (#"{"NotificationContainer":{"type":"timeline","TimelineEntry":[{"type":"9","state":"9"}]}}"#, true),
    (#"{"type":"timeline","_children":[{"type":8,"state":5}]}"#, true),
    (#"{"TimelineEntry":{"type":10,"state":0,"metadataState":"deleted"}}"#, true),
    (#"{"NotificationContainer":{"type":"timeline","TimelineEntry":[{"type":10,"state":3}]}}"#, false),
    (#"{"NotificationContainer":{"type":"timeline","TimelineEntry":[{"type":4,"state":5}]}}"#, false),
    (
      #"{"NotificationContainer":{"type":"timeline","TimelineEntry":[{"identifier":"com.plexapp.system","type":10,"state":5}]}}"#,
      false
    ),
    (#"{"NotificationContainer":{"type":"playing","PlaySessionStateNotification":[{"state":"playing"}]}}"#, false),
    ("{}", false), ("ping", false),
  ])
  func onlyMusicThatIsReadyOrGoneIsAChange(_ data: String, _ isChange: Bool) {
    #expect(PlexNotifications.isChange(ServerSentEvent(data: data)) == isChange)
  }
}
