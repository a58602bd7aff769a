import Model
import Testing

@testable import Sync

@Suite struct ListMergerTests {
  /// A case of the table: the common list, both sides after edits, and what both have at the end.
  struct Case: Sendable, CustomTestStringConvertible {
    let base, here, there, merged: String
    var testDescription: String { "\(base): \(here) + \(there) = \(merged)" }

    init(_ base: String, _ here: String, _ there: String, _ merged: String) {
      (self.base, self.here, self.there, self.merged) = (base, here, there, merged)
    }
  }

  static let cases = [
    // Nothing was changed, or the same on both sides.
    Case("", "", "", ""), Case("abc", "abc", "abc", "abc"), Case("abc", "abxc", "abxc", "abxc"),
    Case("abc", "ac", "ac", "ac"), Case("abc", "cab", "cab", "cab"), Case("", "ab", "ab", "ab"),
    // One side was changed.
    Case("abc", "abcx", "abc", "abcx"), Case("abc", "xabc", "abc", "xabc"), Case("abc", "axybc", "abc", "axybc"),
    Case("abc", "abc", "abcx", "abcx"), Case("abc", "abc", "xyabc", "xyabc"), Case("abc", "abc", "axbyc", "axbyc"),
    Case("abc", "ac", "abc", "ac"), Case("abc", "abc", "ac", "ac"), Case("abc", "", "abc", ""),
    Case("abcd", "dabc", "abcd", "dabc"), Case("abcd", "abcd", "bcda", "bcda"), Case("abcd", "abcd", "dcba", "dcba"),
    Case("abcdef", "defabc", "abcdef", "defabc"), Case("abcdef", "abcdef", "efabcd", "efabcd"),
    // Both were changed: what was added keeps the entry before it.
    Case("abc", "abcx", "abcy", "abcyx"), Case("abc", "axbc", "abyc", "axbyc"), Case("abc", "xabc", "abcy", "xabcy"),
    Case("abc", "axxbc", "abyc", "axxbyc"), Case("", "ab", "cd", "cdab"), Case("abc", "abxc", "abcy", "abxcy"),
    // Both added the same track: it is added once.
    Case("abc", "abcx", "xabc", "abcx"), Case("abc", "abcxy", "abcyz", "abcxyz"),
    // One removed, the other one moved: it is removed.
    Case("abcd", "abd", "cabd", "abd"), Case("abcd", "cabd", "abd", "abd"), Case("abcd", "bcd", "acd", "cd"),
    // One removed the entry behind which the other one added.
    Case("abcd", "acd", "abxcd", "axcd"), Case("abcd", "abxcd", "acd", "axcd"),
    // Both moved: different entries, and the same one.
    Case("abcdef", "fabcde", "bcdefa", "fabcde"), Case("abcdef", "fabcde", "bacdef", "fbacde"),
    Case("abcd", "dabc", "adbc", "dabc"),
    // The same track several times.
    Case("aa", "aaa", "aa", "aaa"), Case("aa", "aa", "aaa", "aaa"), Case("aa", "a", "aa", "a"),
    Case("aab", "aab", "ab", "ab"), Case("aab", "ab", "ab", "ab"), Case("a", "aba", "a", "aba"),
    Case("abab", "abba", "abab", "abba"), Case("aba", "ab", "abac", "abc"),
  ]

  @Test(arguments: cases, [ListCapabilities.plex, .subsonic, .listenBrainz, .spotify])
  func bothSidesBecomeTheMergedList(_ item: Case, _ capabilities: ListCapabilities) throws {
    var pair = try ListPair(item.base, capabilities)
    pair.edit(here: item.here)
    pair.edit(there: item.there)
    try pair.settle()
    #expect(pair.here == item.merged)
    #expect(pair.there == item.merged)
    #expect(pair.state.links.map(\.missing).allSatisfy { $0 == 0 })
    try pair.run()
    #expect(pair.plan.localEdits.isEmpty && pair.plan.remoteSteps.isEmpty)
  }

  @Test(arguments: cases, [ListCapabilities.onlyReplacing, .onlyAdding, .withoutOrder, .readOnly])
  func aProviderThatCannotDoAllGetsWhatItCanAndOursIsMerged(_ item: Case, _ capabilities: ListCapabilities) throws {
    var pair = try ListPair(item.base, capabilities)
    pair.edit(here: item.here)
    pair.edit(there: item.there)
    try pair.settle()
    #expect(pair.here == item.merged)
    if capabilities.removal != .never { #expect(pair.there.sorted() == item.merged.sorted()) }
    try pair.run()
    #expect(pair.here == item.merged)
    #expect(pair.plan.remoteSteps.isEmpty)
  }
}
