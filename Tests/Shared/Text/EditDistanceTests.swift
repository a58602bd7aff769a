import Testing
import Text

struct EditDistanceTests {
  @Test func changesAndSwapsAreCounted() {
    #expect(EditDistance.between("", "abc") == 3)
    #expect(EditDistance.between("abc", "abc") == 0)
    #expect(EditDistance.between("abc", "acb") == 1)
    #expect(EditDistance.between("kitten", "sitting") == 3)
    #expect(EditDistance.between("radiohead", "radiohaed") == 1)
    #expect(EditDistance.between("abcdef", "badcef") == 2)
    #expect(EditDistance.between("straße", "strase") == 1)
  }

  @Test func moreErrorsThanAreWantedAreNotCounted() {
    func errors(_ word: String, _ other: String) -> Int? { EditDistance(from: word) { $0 / 3 }.errors(in: other) }
    #expect(errors("night", "nigth") == 1)
    #expect(errors("night", "nothing") == nil)
    #expect(errors("abcd", "abcdef") == nil)
    #expect(errors("abcdef", "fedcba") == nil)
    #expect(errors("abcdef", "abcdef") == 0)
    #expect(errors("ab", "ac") == nil)
  }
}
