import Model
import Synchronization
import Testing

@testable import HTTP

@Suite struct RedirectionTests {
  private func request(_ method: String = "GET", _ url: String = "https://a.example/x") -> HTTPRequest {
    HTTPRequest(
      .changes, method: method, url: url,
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

  @Test(arguments: [
    "u=kim&t=0a1b&s=salt", "u=kim&p=enc:61", "apiKey=k", "X-Plex-Token=k", "id=1&x-plex-token=k", "api_key=k",
  ])
  func credentialsInTheAddressDoNotGoToAnotherServer(_ query: String) throws {
    let asked = request("GET", "http://a.example/rest/ping?\(query)")
    for location in ["http://b.example/rest/ping?\(query)", "https://a.example/rest/ping?f=json&\(query)#x"] {
      let error = #expect(throws: LunaraError.self) { _ = try next(asked, 302, location) }
      #expect(error?.code == "http.redirectRefused")
      #expect(error?.message.contains(query) == false)
    }
    #expect(try next(asked, 302, "http://a.example/other?\(query)") != nil)
    #expect(try next(asked, 302, "http://b.example/rest/ping?f=json") != nil)
  }

  @Test(arguments: [307, 308])
  func aBodyDoesNotGoToAnotherServer(_ status: Int) throws {
    let error = #expect(throws: LunaraError.self) { _ = try next(request("POST"), status, "https://b.example/y") }
    #expect(error?.code == "http.redirectRefused")
  }

  @Test(arguments: [301, 302, 303, 307])
  func aFormWithCredentialsIsNotRedirectedToAnotherServer(_ status: Int) throws {
    var form = HTTPRequest(
      .changes, method: "POST", url: "http://a.example/rest/ping",
      headers: [("content-type", "application/x-www-form-urlencoded")])
    form.body = Array("u=kim&t=0a1b&s=salt".utf8)
    let error = #expect(throws: LunaraError.self) { _ = try next(form, status, "http://b.example/rest/ping") }
    #expect(error?.code == "http.redirectRefused")
    #expect(try next(form, status, "http://a.example/rest/other") != nil)
  }

  @Test(arguments: [
    ("Authorization", "", true), ("cookie", "", true), ("X-Plex-Token", "", true), ("x-emby-token", "", true),
    ("Accept", "?u=kim&t=0a1b&s=salt", true), ("X-Plex-Client-Identifier", "?id=1", false), ("Icy-MetaData", "", false),
  ])
  func aRefusalIsThatOfARedirectionOnlyWhereASignInWasDropped(_ header: String, _ query: String, _ isOne: Bool) {
    let asked = HTTPRequest(.reads, url: "https://a.example/x\(query)", headers: [(header, "1")])
    let other = HTTPRequest(.reads, url: "https://b.example/x")
    for status in [401, 403] {
      let error = Redirection.refusal(by: status, after: [asked, other])
      #expect(error?.code == (isOne ? "http.redirectRefused" : nil))
    }
    #expect(Redirection.refusal(by: 404, after: [asked, other]) == nil)
    #expect(Redirection.refusal(by: 401, after: [asked, asked]) == nil)
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

  /// A server that redirects all requests.
  private func redirecting(to address: @escaping @Sendable () -> String) throws -> HTTPServer {
    try HTTPServer(address: "127.0.0.1", port: 0) { _ in
      HTTPServerResponse(status: 302, headers: [("Location", address())])
    }
  }

  @Test func noRedirectionLeadsToAnotherHostOfAPrivateNetwork() async throws {
    let asked = Mutex(0)
    let other = try HTTPServer(address: "127.0.0.2", port: 0) { _ in
      asked.withLock { $0 += 1 }
      return HTTPServerResponse(text: "hidden")
    }
    let port = other.port
    let client = HTTPClient(userAgent: "test/1")
    // The second one leads there by a redirection of its own.
    let first = try redirecting { "http://127.0.0.2:\(port)/x" }
    let firstPort = first.port
    let second = try redirecting { "http://127.0.0.1:\(firstPort)/x" }
    for server in [first, second] {
      let request = HTTPRequest(.reads, url: "http://127.0.0.1:\(server.port)/")
      #expect(await code { _ = try await client.send(request) } == "http.privateAddress")
      #expect(
        await code { _ = try await client.stream(request, idle: .seconds(9), followsRedirections: true) }
          == "http.privateAddress")
    }
    #expect(asked.withLock { $0 } == 0)
    for server in [first, second, other] { await server.stop() }
  }

  @Test func aServerMayRedirectToItsOtherNameAndPort() async throws {
    let other = try HTTPServer(address: "127.0.0.1", port: 0) { _ in HTTPServerResponse(text: "there") }
    let port = other.port
    let client = HTTPClient(userAgent: "test/1")
    for host in ["127.0.0.1", "localhost"] {
      let server = try redirecting { "http://\(host):\(port)/x" }
      let address = "http://127.0.0.1:\(server.port)/"
      #expect(try await client.send(HTTPRequest(.reads, url: address)).body == Array("there".utf8), "\(host)")
      await server.stop()
    }
    await other.stop()
  }

  @Test func theAddressOfEachConnectionIsChecked() async throws {
    let other = try HTTPServer(address: "127.0.0.1", port: 0) { _ in HTTPServerResponse(text: "there") }
    let port = UInt16(other.port)
    let server = try redirecting { "http://127.0.0.1:\(port)/x" }
    let client = HTTPClient(userAgent: "test/1")
    func request(_ url: String) -> HTTPRequest {
      HTTPRequest(.reads, url: url, mayConnect: { $0 != ConnectionAddress(bytes: [127, 0, 0, 1], port: port) })
    }
    // A name is refused by the address that it has, and so is the target of a redirection.
    for url in ["http://localhost:\(port)/", "http://127.0.0.1:\(server.port)/"] {
      #expect(await code { _ = try await client.send(request(url)) } == "http.addressRefused", "\(url)")
    }
    await server.stop()
    await other.stop()
  }

  @Test func onlyAddressesOfThisMachineAreLoopback() {
    for url in ["http://localhost", "http://LOCALHOST:1", "http://127.1.2.3", "http://127.1", "http://[::1]:1"] {
      #expect(Origin(url)?.isLoopback == true, "\(url)")
    }
    for url in [
      "http://127.evil.example", "http://127.0.0.1.evil.example", "http://localhost.evil.example", "http://[::2]",
      "http://128.0.0.1", "http://127.0.0.1.", "http://a.localhost",
    ] { #expect(Origin(url)?.isLoopback != true, "\(url)") }
  }
}
