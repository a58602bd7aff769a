import Model
import Testing

@testable import HTTP

@Suite struct RedirectionTests {
  private func request(_ method: String = "GET", _ url: String = "https://a.example/x") -> HTTPRequest {
    HTTPRequest(
      method: method, url: url,
      headers: [
        ("Authorization", "secret"), ("X-Plex-Token", "secret"), ("accept", "text/html"), ("Content-Type", "b"),
      ],
      body: method == "POST" ? [1] : nil)
  }

  private func next(_ request: HTTPRequest, _ status: Int, _ location: String?) throws -> HTTPRequest? {
    try Redirection.next(after: request, status: status, location: location)
  }

  @Test func otherStatusesAreNoRedirection() throws {
    #expect(try next(request(), 200, "https://a.example/y") == nil)
    #expect(try next(request(), 302, nil) == nil)
    #expect(try next(request(), 302, "ftp://a.example/y") == nil)
  }

  @Test(arguments: ["https://a.example/y", "https://A.example:443/y"])
  func theSameServerGetsTheSameHeaders(_ location: String) throws {
    let next = try #require(try next(request(), 302, location))
    #expect(next.url == location)
    #expect(next.headers.count == 4)
  }

  @Test(arguments: ["https://b.example/y", "https://a.example:444/y", "https://a.example.b.example/"])
  func anotherServerGetsNoSecret(_ location: String) throws {
    let next = try #require(try next(request(), 307, location))
    #expect(next.headers.map(\.0) == ["accept", "Content-Type"])
  }

  @Test func encryptionIsNotGivenUp() throws {
    let error = #expect(throws: LunaraError.self) { _ = try next(request(), 302, "http://a.example/y") }
    #expect(error?.code == "http.insecure")
    #expect(try next(request("GET", "http://a.example/"), 301, "https://a.example/") != nil)
  }

  @Test(arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
  func theStatusDecidesWhetherAPostStaysAPost(_ status: Int, _ method: String) throws {
    let next = try #require(try next(request("POST"), status, "https://a.example/y"))
    #expect(next.method == method)
    #expect(next.body == (method == "POST" ? [1] : nil))
  }

  @Test func aHeadStaysAHead() throws {
    #expect(try next(request("HEAD"), 303, "https://a.example/y")?.method == "HEAD")
  }
}
