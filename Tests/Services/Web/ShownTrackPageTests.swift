import Bus
import HTTP
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara_web

/// Pages that say which described tracks they show.
@Suite(.timeLimit(.minutes(1))) struct ShownTrackPageTests {
  private static let page = "page-0123456789"
  private static let track = DescribedTrack(title: "Tram", artist: "Nova")

  private static func shown(_ state: Resolver.ShownState) -> Resolver.ShownTrack {
    let badge = Resolver.Badge(
      plugin: .init(id: "tape", name: "Tape"), color: "#123456", confidence: 0.7, isAvailable: true)
    return .init(id: track.track.id, state: state, badges: state == .found ? [badge] : [])
  }

  /// Starts a resolver that notes what is shown.
  private func resolver(
    of household: ServedHousehold
  ) async throws -> (node: Node, shown: ShownRequests) {
    let node = try await household.bus.node("resolver@main")
    let copy = ShownRequests()
    await node.serve(Resolver.ShowTracks.self) { request, _ in
      copy.add(request)
      return Resolver.ShownTrackList(tracks: request.tracks.map { _ in Self.shown(.asking) })
    }
    await node.publish(Resolver.PluginState(enabled: 2, revision: 7, music: 1, concerts: 1))
    return (node, copy)
  }

  private func body(_ page: String = Self.page, tracks: String = #"[{"title":"Tram","artist":"Nova"}]"#) -> String {
    #"{"page":"\#(page)","place":"queue","tracks":\#(tracks),"hovered":{"title":"Tram","artist":"Nova"}}"#
  }

  @Test func whatIsFoundComesAsAnEventAndAPageThatIsGoneGivesItsPlacesUp() async throws {
    let household = try await ServedHousehold().ready()
    let (node, shown) = try await resolver(of: household)
    let other = try EventReader(port: household.service.port)
    let browser = try EventReader(port: household.service.port, path: "/api/v1/events?page=\(Self.page)")
    _ = try await browser.next(containing: "event: snapshot\n")
    #expect(
      try await eventually(equals: #"{"tracks":[{"id":"\#(Self.track.track.id)","state":"asking","sources":[]}]}"#) {
        try await household.post("/api/v1/shown", body()).text
      })
    let request = try #require(shown.all.last)
    #expect(request.context == "\(Self.page) queue" && request.place == .queue)
    #expect(request.tracks == [Self.track] && request.hovered == Self.track)
    await node.publish(Resolver.ShownTracksState(tracks: [Self.shown(.found)]))
    let event = try await browser.next(containing: "event: found\n")
    #expect(event.contains(##""state":"found","sources":[{"plugin":"tape","name":"Tape","color":"#123456""##))
    // A reader that shows nothing gets the plugins, and not what was found for others.
    await node.publish(Resolver.PluginState(enabled: 1, revision: 8, music: 1, concerts: 0))
    let plugins = try await other.next(containing: #""revision":"8""#)
    #expect(plugins.contains("event: plugins\n") && !plugins.contains("event: found\n"))
    browser.close()
    #expect(await eventually(equals: true) { shown.all.last?.tracks.isEmpty })
    #expect(shown.all.last?.context == "\(Self.page) queue")
    other.close()
    await node.close()
    await household.stop()
  }

  @Test func theSnapshotSaysWhatPluginsCanDo() async throws {
    let household = try await ServedHousehold().ready()
    let (node, _) = try await resolver(of: household)
    #expect(
      try await eventually {
        let browser = try EventReader(port: household.service.port)
        let snapshot = try await browser.next(containing: "event: snapshot\n")
        browser.close()
        return snapshot.contains(#""plugins":{"enabled":2,"revision":"7","music":1,"concerts":1}"#)
      })
    await node.close()
    await household.stop()
  }

  @Test func aPageWithoutANameAndAHouseholdWithoutPluginsAreRefused() async throws {
    let household = try await ServedHousehold().ready()
    #expect(try await household.post("/api/v1/shown", body("x")).errorCode == "web.badBody")
    #expect(try await household.post("/api/v1/shown", body("Page One Two")).errorCode == "web.badBody")
    let many = "[" + Array(repeating: #"{"title":"T"}"#, count: 101).joined(separator: ",") + "]"
    #expect(try await household.post("/api/v1/shown", body(tracks: many)).errorCode == "web.badBody")
    #expect(try await household.post("/api/v1/shown", body()).errorCode == "resolver.noPlugins")
    #expect(try await household.get("/api/v1/events?page=x").errorCode == "web.badParameter")
    await household.stop()
  }

  @Test func concertsNearAPlaceAreChosenWithoutTellingPlugins() async throws {
    let household = try await ServedHousehold().ready()
    let node = try await household.bus.node("resolver@main")
    let asked = Mutex<[Resolver.ListConcerts]>([])
    await node.serve(Resolver.ListConcerts.self) { request, _ in
      asked.withLock { $0.append(request) }
      return Resolver.ConcertList(
        concerts: [
          .init(artist: "Ada", date: "2999-01-01", latitude: 47.1, longitude: 15.4),
          .init(artist: "Ben", date: "2999-01-02", latitude: 48.2, longitude: 16.4),
          .init(artist: "Cy", date: "2999-01-03"),
        ], artists: 3)
    }
    #expect(
      try await eventually(equals: 200) {
        try await household.get("/api/v1/concerts?near=47.07,15.44&within=50").status
      })
    let near = try await household.get("/api/v1/concerts?near=47.07,15.44&within=50").text
    #expect(near.contains(#""artist":"Ada""#) && !near.contains("Ben") && near.contains(#""unplaced":1"#))
    #expect(near.contains(#""distanceKm":4.5"#))
    #expect(try await household.get("/api/v1/concerts?months=2").text.hasPrefix(#"{"concerts":[],"#))
    #expect(try await household.get("/api/v1/concerts?near=Graz").errorCode == "web.badParameter")
    #expect(asked.withLock { $0.allSatisfy { $0.artist == nil } })
    await node.close()
    await household.stop()
  }
}

/// The requests that a resolver of a test got.
private final class ShownRequests: Sendable {
  private let requests = Mutex<[Resolver.ShowTracks]>([])

  var all: [Resolver.ShowTracks] { requests.withLock { $0 } }
  func add(_ request: Resolver.ShowTracks) { requests.withLock { $0.append(request) } }
}
