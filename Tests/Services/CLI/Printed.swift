import Synchronization

@testable import lunara

/// Records what commands print in tests.
final class Printed: Sendable {
  private let texts = Mutex((output: "", errors: ""))

  /// The standard output.
  var output: String { texts.withLock { $0.output } }
  /// The standard error.
  var errors: String { texts.withLock { $0.errors } }

  /// A console that prints here.
  func console(
    isJSON: Bool = false, width: Int? = nil, errorWidth: Int? = nil, style: Style = .plain
  ) -> Console {
    Console(isJSON: isJSON, width: width, errorWidth: errorWidth, style: style) { stream, text in
      self.texts.withLock { stream == .output ? ($0.output += text) : ($0.errors += text) }
    }
  }
}
