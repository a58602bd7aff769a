import Messages
import MusicTags
import TestSupport
import Testing

/// The answers of the programs that read tags.
struct InterpretationTests {
  private func interpreted(_ answer: TagReading.Answer) -> TagReading.Answer {
    var (answer, interpreter) = (answer, TagInterpreter(.default))
    interpreter.interpret(&answer, of: Array("1.flac".utf8))
    return answer
  }

  private func answer(_ values: (String, String)...) -> TagReading.Answer {
    var answer = TagReading.Answer(.read)
    answer.text = FileTags.properties(values)
    return interpreted(answer)
  }

  @Test func anAnswerHoldsTagsAndNoProperties() {
    let answer = answer(("ARTIST", "Little Feat feat. Bo"), ("TRACKNUMBER", "3/12"))
    let tags = FileTags(packed: String(decoding: answer.text, as: UTF8.self))
    #expect(tags == FileTags(("ARTIST", "Little Feat feat. Bo"), ("TRACKNUMBER", "3/12")))
    #expect(tags.artists.shown == ["Little Feat feat. Bo"] && tags.place.total == 12)
  }

  @Test func whatWasNotReadIsNotInterpreted() {
    var answer = TagReading.Answer(.broken)
    answer.text = [1, 2, 3]
    #expect(interpreted(answer) == answer)
  }

  @Test func tagsThatGrowAsTextFitIntoAnAnswer() {
    // A broken byte becomes a character of three.
    var answer = TagReading.Answer(.read)
    answer.text = Array("CUESHEET\0".utf8) + [UInt8](repeating: 0xFF, count: TagReading.textLimit - 10) + [0]
    answer = interpreted(answer)
    #expect(answer.outcome == .read && answer.text.count > 2 * TagReading.textLimit)
    #expect(answer.bytes.count <= TagReading.answerLimit)
  }

  @Test func tagsThatAreLongerThanAnAnswerAreRefused() {
    let answer = answer(("CUESHEET", String(repeating: "x", count: TagReading.packedLimit)))
    #expect(answer.outcome == .outOfMemory && answer.text.isEmpty)
  }
}
