import Model
import Testing

@testable import lunara_web

@Suite struct RequestGuardTests {
  private let loopback = RequestGuard(address: "127.0.0.1", names: ["music.home", " Radio.Example. "])

  private func refusal(
    _ requestGuard: RequestGuard, _ headers: [String: String], isCommand: Bool = false, isInterface: Bool = false
  ) -> String? {
    requestGuard.refusal(isCommand: isCommand, isInterface: isInterface) { headers[$0] }?.code
  }

  @Test(
    arguments: [
      "localhost", "localhost:8787", "LOCALHOST:1", "localhost.", "127.0.0.1:8787", "127.9.9.9", "[::1]:8787", "[::1]",
      "music.home", "music.home:443", "radio.example:8787",
    ])
  func loopbackAndConfiguredNamesAreServed(host: String) {
    #expect(refusal(loopback, ["Host": host]) == nil)
  }

  @Test(
    arguments: [
      "evil.example", "evil.example:8787", "localhost.evil.example", "127.0.0.1.evil.example", "127.evil.example",
      "192.168.1.7:8787", "[fe80::1]", "", ":8787", "music.home.evil.example",
    ])
  func aNameThatAnotherSiteCouldPointHereIsRefused(host: String) {
    #expect(refusal(loopback, ["Host": host]) == "web.hostRefused")
  }

  @Test func aRequestWithoutHostIsRefused() { #expect(refusal(loopback, [:]) == "web.hostRefused") }

  @Test func beyondLoopbackNumericAddressesAreServedAndNamesAreNot() {
    let everywhere = RequestGuard(address: "0.0.0.0")
    #expect(refusal(everywhere, ["Host": "192.168.1.7:8787"]) == nil)
    #expect(refusal(everywhere, ["Host": "[fd00::7]:8787"]) == nil)
    #expect(refusal(everywhere, ["Host": "evil.example"]) == "web.hostRefused")
  }

  private func command(_ headers: [String: String]) -> String? {
    var all = ["Host": "localhost:8787", "Content-Type": "application/json"]
    all.merge(headers) { $1 }
    return refusal(loopback, all, isCommand: true)
  }

  @Test func thePageItselfAndProgramsMaySteer() {
    #expect(command([:]) == nil)
    #expect(command(["Origin": "http://localhost:8787", "Sec-Fetch-Site": "same-origin"]) == nil)
    #expect(command(["Content-Type": "Application/JSON; charset=utf-8"]) == nil)
    #expect(command(["Origin": "https://music.home", "Host": "music.home"]) == nil)
  }

  @Test(
    arguments: [
      ["Origin": "https://evil.example"], ["Origin": "null"], ["Origin": "http://localhost:3000"],
      ["Origin": "http://localhost:8787.evil.example"], ["Sec-Fetch-Site": "cross-site"],
      ["Sec-Fetch-Site": "same-site"], ["Origin": "http://localhost:8787", "Sec-Fetch-Site": "cross-site"],
    ])
  func anotherSiteMayNotSteer(headers: [String: String]) { #expect(command(headers) == "web.crossOrigin") }

  @Test(arguments: ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""])
  func requestsThatAFormCanSendAreRefused(type: String) { #expect(command(["Content-Type": type]) == "web.notJSON") }

  @Test func readingNeedsNoOrigin() {
    #expect(refusal(loopback, ["Host": "localhost", "Origin": "https://evil.example"]) == nil)
  }

  @Test func anotherSiteMayLinkHereButReadNothing() {
    func read(_ headers: [String: String]) -> String? {
      refusal(loopback, headers.merging(["Host": "localhost"]) { $1 }, isInterface: true)
    }
    #expect(read([:]) == nil)
    #expect(read(["Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"]) == nil)
    #expect(read(["Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"]) == nil)
    let link = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"]
    #expect(read(link) == nil)
    #expect(read(link.merging(["Sec-Fetch-Dest": "iframe"]) { $1 }) == "web.crossOrigin")
    for site in ["cross-site", "same-site"] {
      #expect(read(["Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors"]) == "web.crossOrigin")
    }
    // The files of the page may be requested from anywhere.
    #expect(refusal(loopback, ["Host": "localhost", "Sec-Fetch-Site": "cross-site"]) == nil)
  }
}
