import Model

/// Why a source does not do what was asked of it, in the words that reach a person.
enum SourceRefusal {
  /// It cannot be reached, or answers nonsense.
  static func away(_ source: String, cause: String?) -> LunaraError {
    LunaraError(
      "library.sourceAway",
      "The source \(source) cannot be reached, so nothing was changed. Check that its server runs, and try again.",
      cause: cause)
  }

  /// It refuses the token or password.
  static func signedOut(_ source: String) -> LunaraError {
    LunaraError(
      "library.signedOut",
      "The source \(source) does not take the sign-in any more. Sign in again with `lunara login \(source)`.")
  }

  /// It no longer has what is asked for.
  static func gone(_ item: String, at source: String) -> LunaraError {
    LunaraError(
      "library.gone", "The source \(source) no longer has \(item). Refresh it with `lunara sync \(source)`.")
  }

  /// It keeps no ratings of that kind.
  static func notRateable(_ item: String, _ source: String) -> LunaraError {
    LunaraError("library.notRateable", "\(item) cannot be rated: the source \(source) keeps no ratings of that kind.")
  }
}
