import Messages
import Model
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

  @Test func aSourceIsConnectedByItsRecord() async throws {
    let house = try await SubsonicHouse()
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
