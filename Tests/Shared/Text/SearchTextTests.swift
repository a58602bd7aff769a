import TestSupport
import Testing
import Text

@testable import Text

struct SearchTextTests {
  @Test func everyWordIsIndexedOnceFolded() {
    #expect(SearchText.indexed("Blue Train", "John Coltrane", "Blue Note") == "blue train john coltrane note")
    #expect(SearchText.indexed("Hafsól", nil) == "hafsol")
    #expect(SearchText.indexed("").isEmpty)
  }

  @Test func punctuationInsideAWordSplitsAndJoinsIt() {
    #expect(SearchText.indexed("AC/DC") == "ac dc acdc")
    #expect(SearchText.indexed("R.E.M.") == "r e m rem")
    #expect(SearchText.indexed("Don't") == "don t dont")
  }

  @Test func textsOfASCIIGiveTheSameWordsByTheirBytes() {
    var random = Seeded(4)
    let letters = Array(0...127).map(UInt8.init) + Array("aaabbcABC019 '-./&!  ".utf8)
    for _ in 0..<2000 {
      let texts: [String?] = (0..<3).map { _ in
        let bytes = (0..<Int.random(in: 0...14, using: &random)).compactMap { _ in letters.randomElement(using: &random)
        }
        return bytes.count == 7 ? nil : String(decoding: bytes, as: UTF8.self)
      }
      #expect(SearchText.indexed(texts[0], texts[1], texts[2]) == SearchText.folded(texts), "\(texts)")
    }
  }

  @Test func aLongNoteIsIndexedLikeAShortOne() {
    let words = (0..<9000).map { "w\($0)" }
    let text = (words + ["W5,", "AC/DC"]).joined(separator: " ")
    #expect(SearchText.indexed(text) == words.joined(separator: " ") + " ac dc acdc")
    let same = Array(repeating: "Rain", count: 20_000).joined(separator: "  ")
    #expect(SearchText.indexed(same, "Rain!") == "rain")
  }

  @Test func scriptsWithoutBlanksAreIndexedByCharacter() {
    #expect(SearchText.indexed("東京事変") == "東 京 事 変")
    #expect(SearchText.indexed("宇多田ヒカル") == "宇 多 田 ヒ カ ル")
    #expect(SearchText.indexed("방탄소년단") == "방탄소년단")
  }

  @Test func wordsOfPunctuationAloneCanBeFound() {
    #expect(SearchText.indexed("!!!") == "\u{E021}\u{E021}\u{E021}")
    #expect(SearchText.query("!!!") == "\"\u{E021}\u{E021}\u{E021}\"*")
    #expect(SearchText.indexed("♥") == "♥")
  }

  @Test func aQueryAsksForEveryWordAsAPrefix() {
    #expect(SearchText.query("Kind  BLUE") == #""kind"* AND "blue"*"#)
    #expect(SearchText.query("Miles Davis - So What") == #""miles"* AND "davis"* AND "so"* AND "what"*"#)
    // A word that is a prefix of another one is left out.
    #expect(SearchText.query("the a an the") == #""the"* AND "an"*"#)
    #expect(SearchText.query("ac/dc") == #"("acdc"* OR ("ac" AND "dc"*))"#)
    #expect(SearchText.query("東京") == #"("東" AND "京"*)"#)
  }

  @Test(arguments: [
    ("simon and garfunkel", ["simon garfunkel", "simonandgarfunkel"]), ("sixx am", ["sixxam"]), ("and", []),
    ("chk", ["!!!"]), ("florence plus the machine", ["florenceplusthemachine", "florence + the machine"]),
    ("Sixx:A.M.", []),
  ])
  func wordsThatAreNotFoundAreMeantWithoutConjunctionsOrAsOne(text: String, alternatives: [String]) {
    #expect(SearchText.alternatives(text) == alternatives)
  }

  @Test func withoutWordsThereIsNoQuery() {
    #expect(SearchText.query("") == nil)
    #expect(SearchText.query(" \t\n ") == nil)
  }

  @Test func queryOperatorsAreSearchedAsText() {
    #expect(SearchText.query(#""a" OR b*"#) == #""a"* AND "or"* AND "b"*"#)
    #expect(SearchText.query("NEAR(x)") == #"("nearx"* OR ("near" AND "x"*))"#)
  }

  @Test func aQueryIsLimitedInLength() throws {
    let query = try #require(SearchText.query((0..<1000).map { "w\($0)" }.joined(separator: " ")))
    #expect(query.utf8.count < 500)
    let word = try #require(SearchText.query(String(repeating: "x", count: 100_000)))
    #expect(word.utf8.count < 100)
  }
}
