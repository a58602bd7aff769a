import Testing

@testable import lunara

/// A stream of bytes becomes lines.
struct LineSplitterTests {
  @Test func linesMayComeInPieces() {
    var splitter = LineSplitter()
    #expect(splitter.add(Array("one\ntw".utf8)) == [Array("one".utf8)])
    #expect(splitter.add(Array("o\n\nthr".utf8)) == [Array("two".utf8), []])
    #expect(splitter.end() == Array("thr".utf8))
    #expect(splitter.end() == nil)
  }

  @Test func aLineWithoutAnEndIsCut() {
    var splitter = LineSplitter(longest: 4)
    #expect(splitter.add(Array("abcdefghij\n".utf8)) == ["abcd", "efgh", "ij"].map { Array($0.utf8) })
  }
}
