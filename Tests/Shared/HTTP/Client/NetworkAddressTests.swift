import Model
import Testing

@testable import HTTP

/// Addresses in private networks, which are refused for what strangers name.
@Suite struct NetworkAddressTests {
  @Test(arguments: [
    "127.0.0.1", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.1.1", "100.64.0.1", "0.0.0.0",
    "224.0.0.1", "255.255.255.255", "198.18.0.1", "192.0.2.1",
  ])
  func privateAddresses(_ text: String) {
    let bytes = text.split(separator: ".").compactMap { UInt8($0) }
    #expect(!NetworkAddress.isPublic(v4: bytes))
    // The same within an address of sixteen bytes.
    #expect(!NetworkAddress.isPublic(v6: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + bytes))
    #expect(!NetworkAddress.isPublic(v6: [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0] + bytes))
    #expect(!NetworkAddress.isPublic(v6: [0x20, 0x02] + bytes + [UInt8](repeating: 0, count: 10)))
  }

  @Test(arguments: [[1, 1, 1, 1], [8, 8, 8, 8], [172, 32, 0, 1], [100, 128, 0, 1], [192, 169, 1, 1]] as [[UInt8]])
  func publicAddresses(_ bytes: [UInt8]) { #expect(NetworkAddress.isPublic(v4: bytes)) }

  @Test func anOriginSaysIfItIsOfAPrivateNetwork() {
    for text in [
      "http://localhost:1", "http://127.0.0.1", "http://192.168.1.2:8080/v1", "http://[::1]", "http://[fe80::1]:1",
      "http://studio.local", "http://nas.home.arpa", "http://box.internal",
    ] { #expect(Origin(text)?.isPrivate == true, "\(text)") }
    for text in [
      "http://8.8.8.8", "http://[2a00:1450::1]", "http://music.example", "http://127.0.0.1.example", "http://local",
    ] {
      #expect(Origin(text)?.isPrivate == false, "\(text)")
    }
  }

  @Test func addressesOfSixteenBytes() {
    func address(_ first: [UInt8], last: UInt8 = 1) -> [UInt8] {
      first + [UInt8](repeating: 0, count: 15 - first.count) + [last]
    }
    for first in [[], [0xFC], [0xFD, 1], [0xFE, 0x80], [0xFF, 2], [0x20, 0x01, 0x0D, 0xB8], [0x20, 0x01, 0, 0]]
      as [[UInt8]]
    {
      #expect(!NetworkAddress.isPublic(v6: address(first)))
    }
    #expect(NetworkAddress.isPublic(v6: address([0x2A, 0x00, 0x14, 0x50])))
    #expect(NetworkAddress.isPublic(v6: address([0x20, 0x01, 0x48, 0x60])))
  }

  @Test func aRequestForAnAddressFromOutsideDoesNotReachThisMachine() async throws {
    let server = try RawServer(answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno")
    let client = HTTPClient(userAgent: "test/1")
    for host in ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"] {
      let request = HTTPRequest(.reads, url: "http://\(host):\(server.port)/", refusesPrivateAddresses: true)
      let code = await code { _ = try await client.send(request) }
      #expect(code == "http.privateAddress", "\(host)")
    }
    // A connection that another request left open is not used again.
    let port = server.port
    #expect(try await client.send(HTTPRequest(.reads, url: "http://127.0.0.1:\(port)/")).status == 200)
    let request = HTTPRequest(.reads, url: "http://127.0.0.1:\(port)/", refusesPrivateAddresses: true)
    #expect(await code { _ = try await client.send(request) } == "http.privateAddress")
  }
}
