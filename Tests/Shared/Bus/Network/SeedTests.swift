import Testing

@testable import Bus

/// How a machine on several networks is named to one that has reached it on one of them.
@Suite struct SeedTests {
  @Test(arguments: [
    ("10.0.0.1", "10.0.0.9", nil, "10.0.0.1"), ("10.0.0.1", "10.0.0.9", "tcp://*:7800", "10.0.0.1:7800"),
    ("fd00::7", "fd00::9", nil, "fd00::7"), ("fd00::7", "fd00::9", "tcp://*:7800", "[fd00::7]:7800"),
    // Who comes from this machine itself can use what nobody else could.
    ("127.0.0.1", "127.0.0.1", nil, "127.0.0.1"), ("127.0.0.1", "10.0.0.9", nil, nil), ("::1", "fd00::9", nil, nil),
    ("fe80::1%eth0", "fe80::2%eth0", nil, nil), ("fe80::1", "fe80::2", nil, nil), ("?", "?", nil, nil),
    // It does not listen there.
    ("10.0.0.1", "10.0.0.9", "tcp://192.168.1.10", nil), ("fd00::7", "fd00::9", "tcp://0.0.0.0", nil),
  ])
  func theAddressThatWasReachedIsNamedWhereItIsOfUse(local: String, peer: String, listen: String?, seed: String?) {
    #expect(Network(listen: listen).seed(reachedAt: local, from: peer) == seed)
  }

  @Test func whatIsSetToBeToldIsTold() {
    #expect(Network(advertise: "attic.example").seed(reachedAt: "10.0.0.1", from: "10.0.0.9") == nil)
  }
}
