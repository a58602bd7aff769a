import Glibc
import Testing

@testable import Bus

struct SocketTests {
  @Test func anErrorOfASocketNamesItsOwnRemedy() {
    #expect(Socket.remedy(after: EADDRNOTAVAIL).contains("does not have that address"))
    #expect(Socket.remedy(after: ENOSPC).contains("disk is full"))
    #expect(Socket.remedy(after: EMFILE).contains("ulimit"))
  }

  @Test func anAddressThatIsMissingHereIsNamedAsTheCause() throws {
    let socket = try Socket(.requests)
    // The addresses of this network are reserved for documentation (RFC 5737), so no machine has them.
    let error = #expect(throws: (any Error).self) { try socket.bind("tcp://192.0.2.1:4777") }
    #expect("\(error.map { "\($0)" } ?? "")".contains("does not have that address"))
  }
}
