import Bus
import HTTP
import Messages
import Model
import ServiceKit
import TestSupport
import Testing

@testable import lunara_web

@Suite struct WebServiceTests {
  @Test func thePageAndItsFilesAreServedWithTagsAndSafely() async throws {
    let household = try await ServedHousehold()
    let page = try await household.get("/")
    #expect(page.status == 200)
    #expect(page.header("Content-Type") == "text/html; charset=utf-8")
    #expect(page.text.contains("<title>Lunara</title>"))
    #expect(page.header("Content-Security-Policy")?.contains("default-src 'none'; script-src 'self'") == true)
    #expect(page.header("X-Content-Type-Options") == "nosniff")
    #expect(page.header("Cache-Control") == "no-cache")
    let tag = try #require(page.header("ETag"))
    let again = try await household.get("/", headers: [("If-None-Match", "\"other\", \(tag)")])
    #expect(again.status == 304)
    #expect(again.body.isEmpty)
    #expect(try await household.get("/app.js").header("Content-Type") == "text/javascript; charset=utf-8")
    // A path that names a place in the page gets the page, never a file of the system.
    #expect(try await household.get("/etc/passwd").body == page.body)
    // Sent unchanged over a socket, since HTTP clients remove the dots from a path.
    for path in ["/../../etc/passwd", "/%2e%2e%2f%2e%2e%2fetc/passwd", "/app.js/../../etc/passwd"] {
      let reader = try EventReader(port: household.service.port, path: path)
      #expect(try await reader.next(containing: "web.notFound", through: "").hasPrefix("HTTP/1.1 404"))
      reader.close()
    }
    #expect(try await household.get("/nothing.js").errorCode == "web.notFound")
    await household.stop()
  }

  @Test func whoTakesGzipGetsThePageSmallAndIsToldApartByItsTag() async throws {
    let household = try await ServedHousehold()
    // The client accepts gzip by default, and decompresses it.
    let identity = ("Accept-Encoding", "identity")
    let (small, plain) = (
      try await household.get("/app.js"), try await household.get("/app.js", headers: [identity])
    )
    #expect(small.header("Content-Encoding") == "gzip" && plain.header("Content-Encoding") == nil)
    #expect(small.body == plain.body && !plain.body.isEmpty)
    #expect(small.header("Vary") == "Accept-Encoding" && plain.header("Vary") == "Accept-Encoding")
    let (tag, other) = (try #require(small.header("ETag")), try #require(plain.header("ETag")))
    #expect(tag != other)
    let again = try await household.get("/app.js", headers: [("If-None-Match", tag)])
    #expect(again.status == 304 && again.body.isEmpty)
    #expect(try await household.get("/app.js", headers: [("If-None-Match", tag), identity]).status == 200)
    await household.stop()
  }

  @Test func whatNeverReachesAHandlerIsRefusedInTheSameShape() async throws {
    let household = try await ServedHousehold()
    let reader = try EventReader(port: household.service.port, path: "/api/v1/albums/%00")
    let answer = try await reader.next(containing: "web.malformed", through: "")
    #expect(answer.hasPrefix("HTTP/1.1 400"))
    #expect(answer.contains("Content-Type: application/json"))
    #expect(answer.contains("X-Content-Type-Options: nosniff"))
    reader.close()
    let large = String(repeating: " ", count: (1 << 20) + 1)
    let refused = try await household.post("/api/v1/play", large)
    #expect(refused.status == 413 && refused.errorCode == "web.tooLarge")
    await household.stop()
  }

  @Test func readingGoesToTheLibraryAndTheRoom() async throws {
    let household = try await ServedHousehold().ready()
    let albums = try await household.get("/api/v1/albums?limit=60&sort=year")
    #expect(albums.status == 200)
    #expect(albums.header("Content-Type") == "application/json")
    #expect(albums.text.contains(#""next":"2""#))
    #expect(try await household.get("/api/v1/albums?after=2").text.contains(#""next":null"#))
    #expect(
      try await household.get("/api/v1/albums/files%3Aa1").text.contains(
        #""tracks":[{"id":"files:t1","title":"Track 1""#))
    #expect(try await household.get("/api/v1/search?q=first%20light").text.contains(#""collections":[]"#))
    let queue = try await household.get("/api/v1/queue?first=0&limit=50")
    #expect(queue.text.contains(#""current":0"#))
    #expect(queue.text.contains(#""positionSeconds":"#))
    #expect(
      household.asked.all == [
        "albums after - limit 60 sort year", "albums after 2 limit 100 sort name", "search first light limit 50",
        "queue 0 50",
      ])
    await household.stop()
  }

  @Test func intentsGoToTheRouterAndTransportToTheRoom() async throws {
    let household = try await ServedHousehold().ready()
    let played = try await household.post(
      "/api/v1/play", #"{"ids":["files:a1"],"room":"kitchen","mode":"next","startAt":1}"#)
    #expect(played.status == 200)
    #expect(played.text.contains(#""room":"kitchen""#))
    let paused = try await household.post("/api/v1/rooms/kitchen/transport", #"{"action":"pause"}"#)
    #expect(paused.status == 200)
    #expect(paused.text.contains(#""state":"paused""#))
    let edited = try await household.post(
      "/api/v1/rooms/kitchen/queue", #"{"action":"remove","index":2,"entry":"e3"}"#)
    #expect(edited.status == 200 && edited.text.contains(#""revision":4"#))
    _ = try await household.post("/api/v1/play", #"{"ids":["files:a1"],"continues":{"sort":"year"}}"#)
    #expect(
      household.asked.all == [
        "play files:a1 next from 1 in kitchen", "pause", "remove 2 of e3", "play files:a1 now from 0 in - then year",
      ])
    await household.stop()
  }

  @Test func kindsOfSourcesAndServicesAreToldAsTheyAreDescribed() async throws {
    let household = try await ServedHousehold().ready()
    let scrobbler = try await household.bus.node("scrobble@main")
    await fakeScrobbler(scrobbler, asked: household.asked)
    let sources = try await household.get("/api/v1/sources").text
    #expect(
      sources.hasSuffix(
        #""kinds":[{"kind":"shelf","title":"Shelves","signIn":["link"],"settings":[{"key":"address","title":"Shelf","meaning":"its place","isSecret":false,"isSwitch":false,"isRequired":true}],"capabilities":["plays"]}]}"#
      ))
    #expect(
      try await household.get("/api/v1/scrobbles/services").text
        == #"{"items":[{"kind":"diary","title":"Diary","address":"https://diary.example","signIn":["link"],"hint":"Bring a pen.","settings":[],"capabilities":["loves"]}]}"#
    )
    let added = try await household.post(
      "/api/v1/sources", #"{"type":"shelf","address":"hall","settings":[{"key":"lit","value":"true"}]}"#)
    #expect(added.text == #"{"name":"shelf"}"#)
    for service in ["shelf", "diary"] {
      let begun = try await household.post("/api/v1/sign-ins", #"{"service":"\#(service)"}"#)
      #expect(begun.text.contains(#""service":"\#(service)","state":"waiting""#))
    }
    // Signing in to a source works without the scrobbler.
    await scrobbler.close()
    _ = try await household.post("/api/v1/sign-ins", #"{"service":"shelf"}"#)
    #expect(
      household.asked.all == [
        "add shelf hall lit=true", "library sign-in shelf", "scrobbler sign-in diary", "library sign-in shelf",
      ])
    await household.stop()
  }

  @Test func picturesAreServedByWhatTheyAre() async throws {
    let household = try await ServedHousehold()
    let picture = try await household.get("/api/v1/art/files%3Ap1")
    #expect(picture.status == 200)
    #expect(picture.body == ServedHousehold.picture)
    #expect(picture.header("Content-Type") == "image/png")
    #expect(picture.header("Cache-Control") == "private, max-age=31536000, immutable")
    #expect(picture.header("Vary") == "Accept" && picture.header("ETag") != nil)
    _ = try await household.get("/api/v1/art/files%3Ap1?size=300")
    #expect(household.asked.all == ["art for host-1", "art for host-1 300"])
    #expect(try await household.get("/api/v1/art/files%3Ap1?size=big").errorCode == "web.badParameter")
    #expect(try await household.get("/api/v1/art/files%3Ap9").errorCode == "web.noPicture")
    #expect(try await household.get("/api/v1/art/files%3Ax").status == 404)
    await household.stop()
  }

  @Test func whatIsWrongIsSaidWithTheStatusThatFits() async throws {
    let household = try await ServedHousehold().ready()
    func status(_ path: String) async throws -> Int { try await household.get(path).status }
    #expect(try await status("/api/v1/albums/files%3Anone") == 404)
    #expect(try await status("/api/v1/albums/none") == 400)
    #expect(try await status("/api/v1/albums?limit=1000") == 400)
    #expect(try await status("/api/v1/search") == 400)
    #expect(try await status("/api/v1/queue?room=attic") == 404)
    #expect(try await household.post("/api/v1/play", "{").errorCode == "web.badBody")
    #expect(try await household.post("/api/v1/play", "{}", headers: []).status == 415)
    #expect(
      try await household.post("/api/v1/rooms/attic/transport", #"{"action":"pause"}"#).errorCode
        == "client.roomUnknown")
    #expect(household.asked.all.isEmpty)
    await household.stop()
  }

  @Test func aLibraryThatIsGoneIsUnavailableAndTheRestGoesOn() async throws {
    let household = try await ServedHousehold().ready()
    await household.library.close()
    let albums = try await household.get("/api/v1/albums")
    #expect(albums.status == 503 || albums.status == 504)
    #expect(albums.errorCode?.hasPrefix("bus.") == true)
    #expect(try await household.get("/api/v1/rooms").text.contains(#""state":"playing""#))
    await household.stop()
  }

  @Test func otherSitesMayNeitherReadNorSteer() async throws {
    let household = try await ServedHousehold().ready()
    let rebound = try await household.get("/api/v1/rooms", headers: [("Host", "evil.example")])
    #expect(rebound.status == 403)
    #expect(rebound.errorCode == "web.hostRefused")
    let foreign = try await household.post(
      "/api/v1/rooms/kitchen/transport", #"{"action":"pause"}"#,
      headers: [("Content-Type", "application/json"), ("Origin", "https://evil.example")])
    #expect(foreign.errorCode == "web.crossOrigin")
    #expect(foreign.header("Access-Control-Allow-Origin") == nil)
    #expect(household.asked.all.isEmpty)
    await household.stop()
  }

  @Test func metricsAndHealthAreServed() async throws {
    let household = try await ServedHousehold()
    #expect(try await household.get("/healthz").text == "ok\n")
    _ = try await household.get("/nothing.js")
    let text = try await household.get("/metrics").text
    #expect(text.contains("lunara_web_requests_total{name=\"main\",role=\"web\",status=\"2xx\"} 1\n"))
    #expect(text.contains("lunara_web_requests_total{name=\"main\",role=\"web\",status=\"4xx\"} 1\n"))
    #expect(text.contains("lunara_web_browsers{name=\"main\",role=\"web\"} 0\n"))
    #expect(text.contains("# TYPE lunara_bus_heard_frames_total counter\n"))
    await household.stop()
  }

  @Test func aPortInUseIsOneClearError() async throws {
    let household = try await ServedHousehold()
    let port = household.service.port
    let node = try await household.bus.node("web@second")
    do {
      _ = try await WebService(
        node: node, log: .quiet, hostID: "h", at: .init(port: port), files: try PageFiles.ofThisProgram())
      Issue.record("the port was taken twice")
    } catch let error as LunaraError {
      #expect(error.code == "web.addressInUse")
      #expect(error.message.contains("127.0.0.1:\(port)"))
      #expect(error.message.contains("LUNARA_WEB"))
    }
    await node.close()
    await household.stop()
  }
}
