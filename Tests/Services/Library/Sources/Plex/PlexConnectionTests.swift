import HTTP
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import Sources

@Suite struct PlexChoiceTests {
  @Test func theNearestAddressIsChosenWithoutWaitingForOthers() {
    var choice = PlexChoice(kinds: [.relay, .local, .remote])
    choice.tried(1, isThere: true)
    #expect(choice.chosen == 1)
  }

  @Test func aNearerAddressIsWaitedForBriefly() {
    var choice = PlexChoice(kinds: [.local, .plain, .remote, .relay])
    choice.tried(3, isThere: true)
    #expect(choice.best == 3 && !choice.isOver)
    choice.tried(2, isThere: true)
    #expect(choice.best == 2 && !choice.isOver)
    choice.graceIsOver()
    #expect(choice.chosen == 2)
    choice.tried(0, isThere: true)
    #expect(choice.chosen == 2)
  }

  @Test func afterAllNearerAddressesFailTheBestIsChosen() {
    var choice = PlexChoice(kinds: [.local, .plain, .remote, .relay])
    choice.tried(2, isThere: true)
    choice.tried(0, isThere: false)
    #expect(choice.best == 2 && !choice.isOver)
    choice.tried(1, isThere: false)
    #expect(choice.chosen == 2)
  }

  @Test func withoutAnAnswerNoAddressIsChosen() {
    var choice = PlexChoice(kinds: [.local, .relay])
    choice.graceIsOver()
    choice.tried(0, isThere: false)
    #expect(choice.best == nil && !choice.isOver)
    choice.tried(1, isThere: false)
    #expect(choice.best == nil && choice.isOver)
    #expect(PlexChoice(kinds: []).isOver)
  }
}

@Suite struct PlexConnectionTests {
  private func usable(_ places: [(String, PlexConnection.Candidate.Kind)]) -> [String] {
    PlexConnection.usable(places.map { .init(url: $0.0, kind: $0.1) }).map(\.url)
  }

  @Test func anUnencryptedAddressIsNeverASecondChoice() {
    let encrypted = "https://10-0-0-2.hash.plex.direct:32400"
    #expect(usable([(encrypted, .local), ("http://10.0.0.2:32400", .plain)]) == [encrypted])
    #expect(usable([("https://nas.example", .remote), ("http://10.0.0.2:32400", .local)]) == ["https://nas.example"])
    // A server without encryption is used in the own network only.
    #expect(
      usable([("http://10.0.0.2:32400", .local), ("http://nas.example:32400", .remote)]) == ["http://10.0.0.2:32400"])
    // Requests to this machine do not leave it.
    #expect(usable([(encrypted, .local), ("http://127.0.0.1:32400", .plain)]).count == 2)
    #expect(usable([("https://nas@evil.example", .local), ("file:///etc", .local)]) == [])
  }

  @Test func aCertificateThatIsNotTrustedIsNamedAndNoTokenIsSent() async throws {
    let folder = TemporaryDirectory()
    let (certificate, key) = ("\(folder.path)/cert.pem", "\(folder.path)/key.pem")
    let made = try await TestProgram.run([
      "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
      "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate,
    ])
    try #require(made.status == 0, "\(made.output)")
    let asked = Atomic(0)
    let server = try HTTPServer(
      address: "127.0.0.1", port: 0, identity: TLSCertificate(certificate: certificate, key: key)
    ) { _ in
      asked.add(1, ordering: .relaxed)
      return HTTPServerResponse(text: "{}")
    }
    let http = HTTPClient(userAgent: "test/1")
    let base = "https://localhost:\(server.port)"
    let chosen = PlexConnection(
      http: http, name: "Nas", machine: "m",
      places: [.init(url: base, kind: .local), .init(url: "http://10.0.0.2:1", kind: .plain)], lastGood: nil)
    let typed = PlexTypedEndpoint(PlexAddress(base), expecting: "m", http: http)
    for endpoint in [chosen, typed] as [any PlexEndpoint] {
      await #expect {
        _ = try await endpoint.base()
      } throws: {
        let error = LunaraError($0)
        return error.code == "library.serverUntrusted" && error.message.contains("certificate of localhost")
      }
    }
    #expect(asked.load(ordering: .relaxed) == 0)
    await server.stop()
  }
}
