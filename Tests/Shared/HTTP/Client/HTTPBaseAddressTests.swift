import Testing

@testable import HTTP

@Suite struct HTTPBaseAddressTests {
  @Test(arguments: [
    "@127.0.0.1:19999/part", ":80@127.0.0.1:19999/part", ".evil.example/part", "//127.0.0.1:19999/part",
    "/\\127.0.0.1:19999/part", "\\\\127.0.0.1/part", "http://127.0.0.1:19999/part", "?part", "#part", "", "part",
    "/part\r\nX-A: b", "/a part", "/part\u{0}",
  ])
  func aPathNeverBecomesAnotherServer(_ path: String) throws {
    for base in ["http://127.0.0.1:32400", "https://nas.example/plex"] {
      #expect(try #require(HTTPBaseAddress(base)).url(path) == nil)
    }
  }

  @Test(arguments: ["/library/parts/1/2/file.flac", "/a@b/c?d=e&f>>=1", "/%40x", "/", "/Ünï"])
  func aPathIsJoinedAsItIs(_ path: String) throws {
    #expect(try #require(HTTPBaseAddress("http://nas:32400/")).url(path) == "http://nas:32400" + path)
    #expect(try #require(HTTPBaseAddress("https://nas/plex")).url(path) == "https://nas/plex" + path)
  }

  @Test(arguments: [
    "", "nas", "ftp://nas", "http://", "http://user@nas", "http://user:word@nas:1", "http://nas?x", "http://nas#x",
    "http://nas\\x", "http://n as", "http://nas:99999",
  ])
  func anAddressThatIsNoServersIsRefused(_ text: String) { #expect(HTTPBaseAddress(text) == nil) }
}
