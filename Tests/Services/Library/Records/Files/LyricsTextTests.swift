import Messages
import Model
import Testing

@testable import Records

@Suite struct LyricsTextTests {
  private func shown(_ text: LyricsText) -> [String] {
    text.lines.map { line in "\(line.start.map { "\($0.rawValue) " } ?? "")\(line.text)" }
  }

  private func shown(_ text: String) -> [String] { shown(LyricsText(text)) }

  @Test func timesOfEveryFormAreRead() {
    #expect(
      shown("[00:01]a\n[00:02.5]b\n[01:02.25]c\n[00:04.125]d\n[00:03:50]e\n[1:00:00.5]f\r\n[100:00.00]g") == [
        "1000 a", "2500 b", "3500 e", "4125 d", "62250 c", "3600500 f", "6000000 g",
      ])
  }

  @Test func aLineWithSeveralTimesIsSungSeveralTimes() {
    #expect(shown("[00:10.00][00:02.00] Again \n[00:05.00]Once") == ["2000 Again", "5000 Once", "10000 Again"])
  }

  @Test func tagsOfTheWholeAreNoLines() {
    let text = LyricsText("[ar:Nova]\n[ti:Song]\n[la:en]\n[offset:+500]\n\n[00:01.00]One\n[00:02.00]\n[00:00.20]Zero")
    #expect(shown(text) == ["0 Zero", "500 One", "1500 "])
    #expect(text.language == "en" && text.isTimed)
    #expect(shown("[offset:-500]\n[00:01.00]One") == ["1500 One"])
  }

  @Test func timesOfWordsAreLeftOut() {
    #expect(shown("[00:01.00]<00:01.00> One <00:01.50> two <3\n[00:09.00]a < b") == ["1000 One  two <3", "9000 a < b"])
  }

  @Test func aTextWithoutTimesKeepsItsVerses() {
    let text = LyricsText("\n\n[Chorus]\nLa <la>\n\nLa: la\n\n")
    #expect(shown(text) == ["[Chorus]", "La <la>", "", "La: la"])
    #expect(!text.isTimed && text.language == nil)
    #expect(LyricsText("").lines.isEmpty && LyricsText("\n \n").lines.isEmpty)
  }

  @Test func damagedTimesAreWords() {
    #expect(
      shown("[00:xx]a\n[:]b\n[00:1.]c\n[99999999:00]d\n[00:01") == [
        "[00:xx]a", "[:]b", "[00:1.]c", "[99999999:00]d", "[00:01",
      ])
  }

  @Test func aSegmentHasItsOwnLinesFromItsStart() {
    let text = "[00:01.00]One\n[00:10.00]Two\n[00:12.50]Three\n[00:20.00]Four"
    var cut = LyricsText(text)
    cut.cut(to: AudioSegment(start: 441_000, end: 882_000, sampleRate: 44_100))
    #expect(shown(cut) == ["0 Two", "2500 Three"])
    cut = LyricsText(text)
    cut.cut(to: AudioSegment(start: 882_000, sampleRate: 44_100))
    #expect(shown(cut) == ["0 Four"])
    cut = LyricsText("Plain")
    cut.cut(to: AudioSegment(start: 0, sampleRate: 44_100))
    #expect(cut.lines.isEmpty)
  }

  @Test func longLyricsEndWhereAMessageDoes() {
    let line = String(repeating: "x", count: 200)
    let text = LyricsText(Array(repeating: line, count: 5000).joined(separator: "\n"))
    #expect(text.lines.count == 272)
    #expect(LyricsText(Array(repeating: "[00:01.00]", count: 5000).joined(separator: "\n")).lines.count == 3000)
  }
}
