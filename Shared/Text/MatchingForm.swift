import CUtf8proc

/// The form in which names that come from different services are compared.
extension String {
  /// The text in lower case and in Unicode's normal form KD, without its marks and everything but letters and numbers:
  /// `Sigur Rós` and `AC/DC` become `sigurros` and `acdc`.
  ///
  /// Resolver plugins are written for exactly this form. Unlike `folded` it drops the marks of every script, so that
  /// kana lose their voicing, and keeps letters that Unicode does not decompose, such as `ß` and `ø`.
  public var matchingForm: String {
    var lowered = String.UnicodeScalarView()
    let scalars = Array(unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      if scalar == "Σ", Self.endsWord(at: index, in: scalars) {
        lowered.append("ς")
      } else {
        lowered.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
      }
    }
    var kept = String.UnicodeScalarView()
    for scalar in String(lowered).compatibilityDecomposed.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
        .letterNumber, .otherNumber:
        kept.append(scalar)
      default: break
      }
    }
    return String(kept)
  }

  /// Returns true if a capital sigma becomes a final one: behind a letter with case, and not before one.
  private static func endsWord(at index: Int, in scalars: [Unicode.Scalar]) -> Bool {
    func isCased(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
      scalars.first { !$0.properties.isCaseIgnorable }?.properties.isCased ?? false
    }
    return isCased(scalars[..<index].reversed()) && !isCased(scalars[(index + 1)...])
  }
}
