/// How text looks: with quiet colours on a terminal, as it is elsewhere.
struct Style: Sendable {
  /// Whether escape sequences may be written.
  let isColoured: Bool

  /// Text as it is.
  static let plain = Style(isColoured: false)

  /// A heading, or the name of what matters in a line.
  func strong(_ text: String) -> String { wrap(text, "1") }
  /// What is there for completeness.
  func faint(_ text: String) -> String { wrap(text, "2") }
  /// All is well.
  func good(_ text: String) -> String { wrap(text, "32") }
  /// Something to look at.
  func notable(_ text: String) -> String { wrap(text, "33") }
  /// Something is wrong.
  func bad(_ text: String) -> String { wrap(text, "31") }
  /// Text with one of these looks.
  func text(_ text: String, _ look: Look) -> String {
    switch look {
    case .plain: text
    case .strong: strong(text)
    case .faint: faint(text)
    case .good: good(text)
    case .notable: notable(text)
    case .bad: bad(text)
    }
  }

  /// The looks that have a meaning.
  enum Look: Sendable {
    case plain, strong, faint, good, notable, bad
  }

  /// One of a few colours that tell things of one kind apart.
  func hue(_ index: Int, _ text: String) -> String { wrap(text, ["36", "35", "34", "32", "33", "96"][index % 6]) }

  private func wrap(_ text: String, _ code: String) -> String {
    isColoured && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
