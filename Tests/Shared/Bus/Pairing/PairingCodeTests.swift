import Testing

@testable import Bus

/// Codes as people type them, and the datagrams by which machines find each other.
@Suite struct PairingCodeTests {
  @Test(arguments: ["K7QM-3XPD", "k7qm3xpd", " k7qm 3xpd ", "K7-QM-3X-PD"])
  func aCodeIsTakenHoweverItIsTyped(text: String) { #expect(PairingCode(text)?.text == "K7QM-3XPD") }

  @Test func lettersThatLookLikeDigitsAreThose() {
    #expect(PairingCode("oOiI-lL01") == PairingCode("0011-1101"))
  }

  @Test(arguments: ["", "K7QM-3XP", "K7QM-3XPD-9", "K7QM-3XPU", "K7QM-3XP!", "Küche123"])
  func whatIsNoCodeIsNone(text: String) { #expect(PairingCode(text) == nil) }

  @Test func whatIsShownIsWhatIsMeantAndNoTwoAreAlike() {
    let codes = (0..<200).map { _ in PairingCode.random() }
    #expect(Set(codes).count == 200)
    #expect(codes.allSatisfy { PairingCode($0.text) == $0 && $0.text.count == 9 })
    #expect(!"\(codes[0])".contains(codes[0].text) && !String(reflecting: codes[0]).contains(codes[0].text))
  }

  @Test func aQuestionIsAnsweredWithThePlaceAndNothingElseIs() {
    let (question, other) = (PairingSeek.ask(), PairingSeek.ask())
    let place = PairingSeek.Place(port: 7699, door: 0x0102_0304_0506_0708)
    let answer = PairingSeek.answer(question, place) ?? []
    #expect(PairingSeek.place(in: answer, to: question) == place && answer.count <= question.count)
    #expect(PairingSeek.place(in: answer, to: other) == nil)
    #expect(PairingSeek.answer(answer, place) == nil && PairingSeek.answer([], place) == nil)
    #expect(PairingSeek.answer(Array(question.dropLast()), place) == nil)
    let nowhere = PairingSeek.answer(question, PairingSeek.Place(port: 0, door: 1)) ?? []
    #expect(!nowhere.isEmpty && PairingSeek.place(in: nowhere, to: question) == nil)
  }
}
