import Testing

@testable import lunara_web

@Suite struct ClientAddressTests {
  @Test(
    arguments: [
      ("127.0.0.1", "127.0.0.1"), ("0:0::1", "::1"), ("::ffff:127.0.0.1", "127.0.0.1"), ("FD00::0:7", "fd00::7"),
      ("localhost", nil), ("10.0.0.0/8", nil), ("", nil), ("127.1", nil), ("[::1]", nil), ("unknown", nil),
    ] as [(String, String?)])
  func addressesHaveOneForm(text: String, address: String?) { #expect(ClientAddress.canonical(text) == address) }

  @Test func theLastForwardedAddressCounts() {
    func forwarded(_ lines: String...) -> String? {
      ClientAddress.forwarded([("Host", "a")] + lines.map { ("x-forwarded-for", $0) })
    }
    #expect(forwarded("10.0.0.1, 10.0.0.2") == "10.0.0.2")
    // Earlier lines of the header may come from the client itself.
    #expect(forwarded("10.0.0.1", "10.0.0.2") == "10.0.0.2")
    #expect(forwarded("10.0.0.1", "10.0.0.2, ::FFFF:10.0.0.3") == "10.0.0.3")
    #expect(forwarded("10.0.0.1,") == nil && forwarded("junk") == nil && forwarded() == nil)
  }
}
