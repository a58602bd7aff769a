import HTTP
import Messages
import Model
import ServiceKit
import TestSupport
import Testing

@testable import lunara_library

@Suite(.timeLimit(.minutes(2)))
struct SubsonicSettingsTests {
  @Test func nothingIsToldOrExposedWhereNobodyDecided() throws {
    let none = try SubsonicSettings(nil)
    #expect(none.forwardsPlays == nil && none.exposesPassword == nil)
    let all = try SubsonicSettings(#"{"exposesPassword":true,"forwardsPlays":true,"later":1}"#)
    #expect(all.forwardsPlays == true && all.exposesPassword == true)
    #expect(throws: (any Error).self) { try SubsonicSettings("{") }
  }

  @Test func whatAPersonDecidesStaysUntilTheyDecideAnew() throws {
    var request = Library.AddSource(type: "subsonic", address: "http://nas")
    #expect(try SubsonicSettings.merged(nil, with: request) == nil)
    request.exposesPassword = true
    let first = try SubsonicSettings.merged(nil, with: request)
    #expect(first == #"{"exposesPassword":true}"#)
    (request.exposesPassword, request.forwardsPlays) = (nil, true)
    let second = try SubsonicSettings(try SubsonicSettings.merged(first, with: request))
    #expect(second.exposesPassword == true && second.forwardsPlays == true)
    request.forwardsPlays = false
    let third = try SubsonicSettings(try SubsonicSettings.merged(first, with: request))
    #expect(third.exposesPassword == true && third.forwardsPlays == false)
  }

  @Test func variablesSetOneUp() throws {
    let settings = try Settings(environment: [
      "LUNARA_SUBSONIC_URL": "http://nas:4533", "LUNARA_SUBSONIC_USER": "ann", "LUNARA_SUBSONIC_PASSWORD": "s3",
      "LUNARA_CONFIG": "/dev/null",
    ])
    let http = HTTPClient(userAgent: "test")
    #expect(
      SubsonicServer.kind(http, settings).setup
        == SourceDescriptor.Setup(address: "http://nas:4533", account: "ann", secret: "s3"))
    #expect(SubsonicServer.kind(http).setup == nil)
  }

  @Test func aSourceIsConnectedByItsRecord() async throws {
    let house = try await FakeSubsonicServer()
    let kind = SubsonicServer.kind(house.http)
    var record = SourceRecord(name: "subsonic", kind: "subsonic", address: house.base, account: "tester")
    let password = house.standIn.announced["password"]?.string
    let identity = try await kind.connect(record, password).identify()
    #expect(identity.machine == house.base && identity.name.hasPrefix("lunara-stand-in at 127.0.0.1"))
    record.account = nil
    _ = try await kind.connect(record, house.standIn.announced["apiKey"]?.string).identify()
    #expect(try await code { _ = try kind.connect(record, nil) } == "library.signedOut")
    record.address = "no address"
    #expect(try await code { _ = try kind.connect(record, "x") } == "library.badAddress")
  }
}
