import Model
import Testing

@testable import lunara_web

@Suite struct RouteTests {
  @Test func everyPathOfTheInterfaceIsUnderstood() throws {
    let album = try #require(AlbumID("files:a12"))
    let art = try #require(ArtID("files:a/b c"))
    let kitchen = try #require(RoomName("kitchen"))
    #expect(try Route(method: "GET", path: "/") == .file("index.html"))
    #expect(try Route(method: "GET", path: "/app.js") == .file("app.js"))
    #expect(try Route(method: "HEAD", path: "/app.js") == .file("app.js"))
    #expect(try Route(method: "GET", path: "/api/v1/rooms") == .rooms)
    #expect(try Route(method: "GET", path: "/api/v1/albums") == .albums)
    #expect(try Route(method: "GET", path: "/api/v1/albums/files:a12") == .album(album))
    #expect(try Route(method: "GET", path: "/api/v1/search") == .search)
    #expect(try Route(method: "GET", path: "/api/v1/queue") == .queue)
    #expect(try Route(method: "GET", path: "/api/v1/art/files:a/b c") == .art(art))
    #expect(try Route(method: "POST", path: "/api/v1/play") == .play)
    #expect(try Route(method: "POST", path: "/api/v1/rooms/kitchen/transport") == .transport(kitchen))
    #expect(try Route(method: "POST", path: "/api/v1/rooms/kitchen/queue") == .edit(kitchen))
    #expect(try Route(method: "GET", path: "/api/v1/events") == .events)
    #expect(try Route(method: "GET", path: "/metrics") == .metrics)
    #expect(try Route(method: "GET", path: "/healthz") == .health)
  }

  @Test(arguments: ["/api/v1/nothing", "/api/v2/rooms", "/api/", "/api/v1/albums/", "/api/v1/rooms/kitchen"])
  func anUnknownPathOfTheInterfaceIsNotFound(path: String) {
    #expect(code { _ = try Route(method: "GET", path: path) } == "web.notFound")
  }

  @Test func aMalformedIdIsRefused() {
    #expect(code { _ = try Route(method: "GET", path: "/api/v1/albums/a12") } == "web.badID")
    #expect(code { _ = try Route(method: "GET", path: "/api/v1/art/:") } == "web.badID")
    #expect(code { _ = try Route(method: "POST", path: "/api/v1/rooms/The Kitchen/transport") } == "web.badID")
    #expect(code { _ = try Route(method: "POST", path: "/api/v1/rooms/The Kitchen/queue") } == "web.badID")
    #expect(code { _ = try Route(method: "GET", path: "/api/v1/rooms/kitchen/queue") } == "web.methodNotAllowed")
  }

  @Test func whatChangesSomethingTakesOnlyPOSTAndWhatReadsOnlyGET() {
    #expect(code { _ = try Route(method: "GET", path: "/api/v1/play") } == "web.methodNotAllowed")
    #expect(code { _ = try Route(method: "HEAD", path: "/api/v1/play") } == "web.methodNotAllowed")
    #expect(code { _ = try Route(method: "POST", path: "/api/v1/rooms") } == "web.methodNotAllowed")
    #expect(code { _ = try Route(method: "DELETE", path: "/") } == "web.methodNotAllowed")
  }
}

/// The code of the error that `body` throws; nil where it throws none.
func code(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch {
    return LunaraError(error).code
  }
}
