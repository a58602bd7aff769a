import Model
import Testing

@testable import lunara_scrobble

struct ServerAddressTests {
  @Test(
    arguments: [
      (nil, "https://ws.audioscrobbler.com/2.0/", "https://www.last.fm/api/auth/", "ann"),
      ("https://libre.fm", "https://libre.fm/2.0/", "https://libre.fm/api/auth/", "ann@libre.fm"),
      ("https://libre.fm/2.0/", "https://libre.fm/2.0/", "https://libre.fm/api/auth/", "ann@libre.fm"),
      ("http://nas:42010/apis/audioscrobbler", "http://nas:42010/apis/audioscrobbler/", nil, "ann@nas:42010"),
      (
        "HTTPS://FM.Example/gnu/2.0", "HTTPS://FM.Example/gnu/2.0/", "HTTPS://FM.Example/gnu/api/auth/",
        "ann@fm.example"
      ),
    ] as [(String?, String, String?, String)])
  func aServerOfLastFMsProtocolIsNamedAsPeopleTypeIt(typed: String?, text: String, page: String?, account: String)
    throws
  {
    let address = try ServerAddress(typed, of: LastFMService.self)
    #expect(address.text == text)
    if let page { #expect(LastFMSignIn.page(of: address) == page) }
    #expect(address.accountName(of: "ann") == account)
  }

  @Test func aServerOfListenBrainzHasNoSlashAtItsEnd() throws {
    #expect(try ServerAddress(nil, of: ListenBrainzService.self).accountName(of: "ann") == "ann")
    let other = try ServerAddress("http://nas:42010/apis/listenbrainz/", of: ListenBrainzService.self)
    #expect(other.text == "http://nas:42010/apis/listenbrainz")
    #expect(other.accountName(of: "ann") == "ann@nas:42010")
  }

  @Test(arguments: [
    "", "libre.fm", "ftp://libre.fm", "https://", "https:///2.0", "https://ann:secret@libre.fm", "https://a.b/?token=x",
    "https://a.b/#x", "https://a b",
  ]) func whatIsNoAddressOrHoldsASecretIsRefusedWithoutShowingIt(typed: String) {
    let error = #expect(throws: LunaraError.self) { try ServerAddress(typed, of: LastFMService.self) }
    #expect(error?.code == "scrobble.badAddress")
    #expect(error?.description.contains("secret@") == false)
  }
}
