import Model
import Testing

@testable import lunara_library

@Suite struct PlexQueryTests {
  @Test func operatorsAreSentAsTheyAreAndValuesEncoded() {
    let query = PlexQuery(["type": "10"]).with("addedAt>>", "1700000000").with("title!", "Æ & b=c")
    #expect(query.text == "?type=10&addedAt>>=1700000000&title!=%C3%86%20%26%20b%3Dc")
    #expect(PlexQuery().text == "")
  }

  @Test func listsOfIdsKeepTheirCommasAndPathsAreEscaped() {
    #expect(PlexQuery.encoded("1,2,3") == "1,2,3")
    #expect(PlexQuery.encoded("/library/metadata/1/thumb/2") == "%2Flibrary%2Fmetadata%2F1%2Fthumb%2F2")
    #expect(PlexQuery.encoded("../x?y#z") == "..%2Fx%3Fy%23z")
  }

  @Test(arguments: [
    ("nas", "http://nas:32400"), ("nas:1234", "http://nas:1234"), ("http://nas/", "http://nas:32400"),
    ("https://plex.example/", "https://plex.example"), ("http://nas/plex/", "http://nas/plex"),
    ("http://[::1]", "http://[::1]:32400"), ("[::1]:32400", "http://[::1]:32400"),
  ])
  func anAddressMayBeTypedInShort(_ typed: String, _ base: String) {
    #expect(PlexAddress(typed).url == base)
  }

  @Test(arguments: ["http://ann:s3@nas:32400", "s3@nas", "http://nas:32400/?X-Plex-Token=s3", "nas#s3"])
  func anAddressThatMayCarryASecretIsRefusedWithoutIt(_ typed: String) {
    #expect { try PlexAddress.check(typed) } throws: {
      ($0 as? LunaraError)?.code == "library.badAddress" && !"\($0)".contains("s3")
    }
  }
}
