import HTTP
import ServiceKit
import TestSupport
import Testing

@testable import lunara_resolver

/// The ports of the household, which no plugin is ever granted.
@Suite struct HouseholdServersTests {
  /// Ports in the sources that are not the household's. At 8888 the browser comes back from a plugin's sign-in, for the
  /// minutes that it takes; other programs use that port as well.
  private static let others: Set<UInt16> = [8888]

  /// Returns the ports that the sources and the descriptions of settings name.
  private static func namedPorts() throws -> Set<UInt16> {
    var numbers: [Substring] = []
    for source in try sources(in: "Services") + sources(in: "Shared") {
      for line in source.split(separator: "\n") where line.contains("UInt16") && line.contains("=") {
        numbers += line.matches(of: /\b[1-9][0-9]{3,4}\b/).map(\.output)
      }
      numbers += source.matches(of: /[pP]ort\w*(?:: \w+)? ?[:=] ?([1-9][0-9]{3,4})\b/).map(\.output.1)
    }
    for setting in Settings.known {
      numbers += setting.meaning.matches(of: /(?::|port )([1-9][0-9]{3,4})\b/).map(\.output.1)
    }
    return Set(numbers.compactMap { UInt16($0) })
  }

  @Test func everyPortThatTheHouseholdUsesIsRefused() throws {
    let ports = try Self.namedPorts()
    #expect(ports.isSuperset(of: [7699, 7700, 8787, 8788]), "the sources name their ports in another way: \(ports)")
    let household = HouseholdServers(isPeer: { $0 == "192.168.1.7" })
    for port in ports.subtracting(Self.others).union(7700...7763) {
      for host in ["127.0.0.1", "localhost", "[::1]", "192.168.1.7"] {
        #expect(household.contains(try #require(Origin("http://\(host):\(port)"))), "\(host):\(port)")
      }
      #expect(household.contains(ConnectionAddress(bytes: [127, 0, 0, 1], port: port)), "\(port)")
      #expect(!household.contains(ConnectionAddress(bytes: [192, 168, 1, 8], port: port)), "\(port)")
    }
  }

  @Test func portsOfSettingsCountBesideTheUsualOnes() {
    let household = HouseholdServers(page: 9000, media: 9001, bus: 9100, mpd: 9200)
    for port in [8787, 8788, 7699, 7700, 7763, 9000, 9001, 9100, 9163, 6600, 6663, 9200, 9263] as [UInt16] {
      #expect(household.contains(ConnectionAddress(bytes: [127, 0, 0, 1], port: port)), "\(port)")
    }
    for port in [7698, 7764, 8789, 9002, 9164] as [UInt16] {
      #expect(!household.contains(ConnectionAddress(bytes: [127, 0, 0, 1], port: port)), "\(port)")
    }
  }
}
