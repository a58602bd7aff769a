import FoundationEssentials
import HTTP
import Model
import Testing

@testable import lunara_web

@Suite struct RouteTests {
  private func find(_ method: String, _ path: String) throws -> String? {
    try Endpoint.find(method: method, path: path)?.endpoint.name
  }

  @Test func everyPathOfTheInterfaceIsUnderstood() throws {
    #expect(try find("GET", "/api/v1/albums") == "listAlbums")
    #expect(try find("GET", "/api/v1/albums/index") == "indexAlbums")
    #expect(try find("GET", "/api/v1/albums/files:a12") == "readAlbum")
    #expect(try find("HEAD", "/api/v1/albums/files:a12") == "readAlbum")
    #expect(try find("GET", "/api/v1/tracks") == "listTracks")
    #expect(try find("GET", "/api/v1/tracks/index") == "indexTracks")
    #expect(try find("GET", "/api/v1/artists/files:r3") == "readArtist")
    #expect(try find("GET", "/api/v1/artists/files:r3/credits") == "listCredits")
    #expect(try find("GET", "/api/v1/works/library:w3") == "readWork")
    #expect(try find("GET", "/api/v1/art/files:a/b c") == "readArt")
    #expect(try find("PUT", "/api/v1/collections/plex:c1/pin") == "pinCollection")
    #expect(try find("GET", "/api/v1/rooms/kitchen") == "readRoom")
    #expect(try find("GET", "/api/v1/rooms/kitchen/queue") == "readQueue")
    #expect(try find("POST", "/api/v1/rooms/kitchen/queue") == "editQueue")
    #expect(try find("PUT", "/api/v1/sources/order") == "orderSources")
    #expect(try find("DELETE", "/api/v1/sources/order") == "removeSource")
    #expect(try find("DELETE", "/api/v1/plugins/spotify") == "removePlugin")
    #expect(try find("DELETE", "/api/v1/plugins/spotify/sign-in") == "signOutOfPlugin")
    #expect(try find("GET", "/now/kitchen") == "readCard")
    #expect(try find("GET", "/now/kitchen.svg") == "drawCard")
    #expect(try find("GET", "/now/kitchen/events") == "followCard")
    #expect(try find("GET", "/healthz") == "readHealth")
  }

  @Test func partsOfAPathAreTakenAsTheyAre() throws {
    func arguments(_ method: String, _ path: String) throws -> [String: String]? {
      try Endpoint.find(method: method, path: path)?.arguments
    }
    #expect(try arguments("GET", "/api/v1/art/files:a/b c") == ["id": "files:a/b c"])
    #expect(try arguments("DELETE", "/api/v1/sources//home/ann/Music") == ["name": "/home/ann/Music"])
    #expect(try arguments("GET", "/api/v1/sign-ins/plex/a/b") == ["service": "plex", "id": "a/b"])
    #expect(try arguments("GET", "/now/kitchen.svg") == ["room": "kitchen"])
  }

  @Test(arguments: ["/api/v1/nothing", "/api/v2/rooms", "/api/", "/api/v1/albums/", "/api/v1/rooms/", "/now/", "/"])
  func anUnknownPathBelongsToNoEndpoint(path: String) throws { #expect(try find("GET", path) == nil) }

  @Test func aMalformedIdIsRefused() {
    func call(_ arguments: [String: String]) -> Call {
      Call(
        request: .init(path: "/"), arguments: arguments,
        client: .init(address: "", isEncrypted: false, session: nil))
    }
    #expect(code { _ = try call(["id": "a12"]).id() as AlbumID } == "web.badID")
    #expect(code { _ = try call(["id": ":"]).id() as ArtID } == "web.badID")
    #expect(code { _ = try call(["room": "The Kitchen"]).room() } == "web.badID")
  }

  @Test func aMethodThatIsNotTakenIsRefused() {
    #expect(code { _ = try find("GET", "/api/v1/play") } == "web.methodNotAllowed")
    #expect(code { _ = try find("HEAD", "/api/v1/play") } == "web.methodNotAllowed")
    #expect(code { _ = try find("DELETE", "/api/v1/rooms/kitchen/queue") } == "web.methodNotAllowed")
    #expect(code { _ = try find("TRACE", "/api/v1/rooms") } == "web.methodNotAllowed")
  }

  @Test func eachOperationSaysWhichStatusesItCanAnswer() throws {
    struct Description: Decodable {
      struct Operation: Decodable {
        struct Nothing: Decodable {}
        var operationId: String
        var requestBody: Nothing?
        var responses: [String: Nothing]
      }
      var paths: [String: [String: Operation]]
    }
    let description = try JSONDecoder().decode(
      Description.self, from: Data(try PageFiles.ofThisProgram().openAPI.bytes()))
    for (path, operations) in description.paths {
      for operation in operations.values {
        let statuses = Set(operation.responses.keys)
        let endpoint = try #require(Endpoint.all.first { $0.name == operation.operationId })
        let name = Comment(rawValue: operation.operationId)
        // Every operation lists the statuses that any request may get, and none lists a default.
        #expect(statuses.isSuperset(of: ["200", "400", "403", "500", "503"]), name)
        #expect(!statuses.contains("default"), name)
        #expect(statuses.contains("401") == (endpoint.access == .members || operation.operationId == "signIn"), name)
        #expect(statuses.contains("415") == (operation.requestBody != nil), name)
        #expect(statuses.contains("413") == (operation.requestBody != nil), name)
        if path.contains("{") { #expect(statuses.contains("404"), name) }
      }
    }
  }

  @Test func theDescriptionAndTheServiceHaveTheSameRoutes() throws {
    struct Description: Decodable {
      struct Operation: Decodable { var operationId: String }
      var paths: [String: [String: Operation]]
    }
    let description = try JSONDecoder().decode(
      Description.self, from: Data(try PageFiles.ofThisProgram().openAPI.bytes()))
    let described = description.paths.flatMap { path, operations in
      operations.map { "\($0.key.uppercased()) \(path) \($0.value.operationId)" }
    }
    let served = Endpoint.all.map { "\($0.method) \($0.path) \($0.name)" }
    #expect(described.sorted() == served.sorted())
    #expect(Set(Endpoint.all.map(\.name)).count == served.count)
  }

  /// The argument of another endpoint may contain what follows an id in the path, so that their order decides.
  @Test func everyEndpointAnswersItsOwnPath() throws {
    for endpoint in Endpoint.all {
      var path = endpoint.path
      while let open = path.firstIndex(of: "{"), let close = path.firstIndex(of: "}") {
        path.replaceSubrange(open...close, with: "files:t1")
      }
      let found = try Endpoint.find(method: endpoint.method, path: path)
      #expect(found?.endpoint.name == endpoint.name, "\(endpoint.path)")
    }
  }
}

/// Returns the code of the error that `body` throws; nil where it throws none.
func code(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch {
    return LunaraError(error).code
  }
}
