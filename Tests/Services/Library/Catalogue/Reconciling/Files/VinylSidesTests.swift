import Testing

@testable import Catalogue

/// Tracks that are numbered by the sides of a record.
struct VinylSidesTests {
  private func places(_ texts: [String], discs: [Int?] = []) -> [String] {
    let tracks = texts.enumerated().map { index, text in
      VinylSides.Track(index: index, text: text, disc: discs.indices.contains(index) ? discs[index] : nil)
    }
    let places = VinylSides.places(of: tracks)
    return texts.indices.map { places[$0].map { "\($0.disc).\($0.number)" } ?? "-" }
  }

  @Test func sidesOfVinylCountOnAndKeepTheirNames() {
    #expect(places(["A1", "A2", "B1", "B2", "C1", "D1"]) == ["1.1", "1.2", "1.3", "1.4", "2.1", "2.2"])
    #expect(places(["b-1", "a 2", "A1"]) == ["1.3", "1.2", "1.1"])
    #expect(places(["A", "B"]) == ["1.1", "1.2"])
    #expect(places(["A", "AA"]) == ["1.1", "1.2"])
    let place = VinylSides.places(of: [.init(index: 7, text: "B2", disc: nil)])[7]
    #expect(place?.text == "B2")
  }

  @Test func aTaggedDiscCounts() {
    #expect(places(["A1", "B1", "A1", "B1"], discs: [1, 1, 2, 2]) == ["1.1", "1.2", "2.1", "2.2"])
  }

  @Test(arguments: ["", "12", "ABC1", "A123", "A1b", "É1", "CD1"])
  func otherTextsAreNoSides(_ text: String) { #expect(places([text]) == ["-"]) }

  @Test func aLetterIsASideOnlyAmongSides() {
    #expect(places(["A", "B", "Intro"]) == ["-", "-", "-"])
    #expect(places(["A1", "A2", "Bonus", "C"]) == ["1.1", "1.2", "-", "-"])
    #expect(VinylSides.places(of: [.init(index: 0, text: "A", disc: nil)], hasNumbers: true).isEmpty)
  }

  @Test func romanNumbersAreNumbers() {
    #expect(
      places(["I", "II", "III", "IV", "V", "x", "XXXIX"]) == ["1.1", "1.2", "1.3", "1.4", "1.5", "1.10", "1.39"])
    #expect(places(["I", "V"], discs: [nil, 2]) == ["1.1", "2.5"])
    #expect(places(["IIII", "VX"]) == ["-", "-"])
    #expect(places(["C", "D"]) == ["2.1", "2.2"])
  }
}
