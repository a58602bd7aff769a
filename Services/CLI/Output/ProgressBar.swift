import Messages

/// How far something is, on one line of a terminal.
struct ProgressBar {
  private static let width = 24

  /// The line.
  let text: String

  /// The bar of a source that is being refreshed.
  init(name: String, _ progress: Library.Progress) {
    var parts = [Printable.line(name)]
    if let total = progress.total, total > 0 {
      let share = min(1, max(0, Double(progress.done) / Double(total)))
      let full = Int(share * Double(Self.width))
      parts.append(String(repeating: "━", count: full) + String(repeating: "─", count: Self.width - full))
      parts.append("\(progress.done) of \(total)")
    } else {
      parts.append("\(progress.done)")
    }
    if let rate = progress.rate, rate >= 0.1 {
      parts.append(rate < 10 ? "\((rate * 10).rounded() / 10)/s" : "\(Int64(min(1e12, rate.rounded())))/s")
    }
    text = parts.joined(separator: "  ")
  }
}
