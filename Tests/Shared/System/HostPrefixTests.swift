import System
import Testing

@Suite struct HostPrefixTests {
  private func address(_ text: String) throws -> HostPrefix { try #require(HostPrefix(text)) }

  @Test func anIPv6NetworkCountsAsOneAddress() throws {
    #expect(try address("2001:db8:1:2::1") == address("2001:db8:1:2:ffff::9"))
    #expect(try address("2001:db8:1:2::1") != address("2001:db8:1:3::1"))
    #expect(try address("::ffff:192.0.2.1") == address("192.0.2.1"))
    #expect(HostPrefix("attic.local") == nil)
  }
}
