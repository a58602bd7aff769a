import Model

/// What was found where something was looked at, and what to do about it.
struct Finding: Sendable, Equatable {
  /// How it stands.
  enum Verdict: String, Sendable, Comparable {
    case ok, warning, failure

    static func < (left: Verdict, right: Verdict) -> Bool { left.rank < right.rank }
    private var rank: Int { self == .ok ? 0 : self == .warning ? 1 : 2 }
  }

  /// What was looked at, in a word or two.
  let area: String
  let verdict: Verdict
  /// What was found, in a sentence.
  let what: String
  /// What to do; nil where nothing has to be done.
  let remedy: String?
  /// The code of the error behind it; nil where there is none.
  let code: String?

  /// All is well.
  static func ok(_ area: String, _ what: String) -> Finding {
    Finding(area: area, verdict: .ok, what: what, remedy: nil, code: nil)
  }
  /// It works, but somebody may be surprised.
  static func warning(_ area: String, _ what: String, _ remedy: String, code: String? = nil) -> Finding {
    Finding(area: area, verdict: .warning, what: what, remedy: remedy, code: code)
  }
  /// It does not work.
  static func failure(_ area: String, _ what: String, _ remedy: String, code: String? = nil) -> Finding {
    Finding(area: area, verdict: .failure, what: what, remedy: remedy, code: code)
  }
  /// An error, whose message says what happened and what to do.
  static func failure(_ area: String, _ error: LunaraError) -> Finding {
    Finding(area: area, verdict: .failure, what: error.message, remedy: nil, code: error.code)
  }
  /// An error that does not keep anything from working.
  static func warning(_ area: String, _ error: LunaraError) -> Finding {
    Finding(area: area, verdict: .warning, what: error.message, remedy: nil, code: error.code)
  }
}

/// What was gathered about one thing. What it means is worked out from it alone.
protocol Evidence: Sendable {
  /// What it means.
  var findings: [Finding] { get }
}
