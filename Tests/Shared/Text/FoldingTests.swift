import Testing
import Text

@testable import Text

struct FoldingTests {
  @Test(arguments: [
    ("Sigur Rós", "sigur ros"), ("Björk", "bjork"), ("Beyoncé", "beyonce"), ("Ænima", "aenima"), ("MØ", "mo"),
    ("Łona", "lona"), ("Straße", "strasse"), ("ＭＯＮＯ", "mono"), ("ﬁre", "fire"), ("İstanbul", "istanbul"),
    ("ΆΣΜΑ", "ασμα"), ("Ёлка", "елка"), ("Motörhead", "motorhead"), ("Ħal Þór", "hal thor"), ("مُحَمَّد", "محمد"),
    ("שָׁלוֹם", "שלום"), ("ｶﾞ", "ガ"),
  ])
  func caseWidthAndMarksAreFolded(_ text: String, _ expected: String) { #expect(text.folded == expected) }

  @Test func composedAndDecomposedTextFoldAlike() {
    #expect("Bj\u{F6}rk".folded == "Bjo\u{308}rk".folded)
    #expect("Bj\u{F6}rk".caseFolded == "Bjo\u{308}rk".caseFolded)
    #expect(Array("Bjo\u{308}rk".normalised.utf8) == Array("Bj\u{F6}rk".utf8))
  }

  @Test func vowelsOfIndicScriptsAndVoicedKanaStay() {
    #expect("की".folded != "का".folded)
    #expect("が".folded != "か".folded)
  }

  @Test func keysKeepMarksAndLoseCase() {
    #expect("SIGUR RÓS".caseFolded == "sigur rós")
    #expect("Sigur Ros".caseFolded != "Sigur Rós".caseFolded)
  }

  @Test func textOfAnyLengthSurvives() {
    // U+FDFA folds into eighteen letters.
    let long = String(repeating: "\u{FDFA}", count: 500)
    #expect(long.folded.unicodeScalars.count == 500 * 18)
    #expect("".folded.isEmpty && "".normalised.isEmpty && "".trimmed.isEmpty)
  }

  @Test func blanksOfAllKindsAreTrimmed() {
    #expect(" \t Abba\u{A0}\u{3000}\n".trimmed == "Abba")
    #expect(" \u{A0} ".trimmed.isEmpty)
    #expect("in side".trimmed == "in side")
  }
}
