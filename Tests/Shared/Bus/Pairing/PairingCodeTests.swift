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
  func invalidCodesAreRefused(text: String) { #expect(PairingCode(text) == nil) }

  @Test func printedCodesParseAndDiffer() {
    let codes = (0..<200).map { _ in PairingCode.random() }
    #expect(Set(codes).count == 200)
    #expect(codes.allSatisfy { PairingCode($0.text) == $0 && $0.text.count == 9 })
    #expect(!"\(codes[0])".contains(codes[0].text) && !String(reflecting: codes[0]).contains(codes[0].text))
  }

  @Test func aQuestionIsAnsweredWithThePlaceAndNothingElseIs() {
    let (question, other) = (PairingSearch.ask(), PairingSearch.ask())
    let place = PairingSearch.Place(port: 7699, host: 0x0102_0304_0506_0708)
    let answer = PairingSearch.answer(question, place) ?? []
    #expect(PairingSearch.place(in: answer, to: question) == place && answer.count <= question.count)
    #expect(PairingSearch.place(in: answer, to: other) == nil)
    #expect(PairingSearch.answer(answer, place) == nil && PairingSearch.answer([], place) == nil)
    #expect(PairingSearch.answer(Array(question.dropLast()), place) == nil)
    let nowhere = PairingSearch.answer(question, PairingSearch.Place(port: 0, host: 1)) ?? []
    #expect(!nowhere.isEmpty && PairingSearch.place(in: nowhere, to: question) == nil)
  }
}
