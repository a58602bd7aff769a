import Client
import Model

/// The explanation of an error code.
struct Explanation: Sendable, Equatable {
  /// The code.
  let code: String
  /// The event that the code stands for.
  let meaning: String
  /// The remedy.
  let remedy: String

  /// Reads the tables of `docs/errors.md`: the rows whose first cell is a code, then what it means, then what to do.
  static func all(in page: String) -> [Explanation] {
    page.split(separator: "\n").compactMap { line in
      guard line.hasPrefix("| `") else { return nil }
      let cells = line.split(separator: "|").map(trimmed)
      guard cells.count >= 2 else { return nil }
      return Explanation(
        code: cells[0].filter { $0 != "`" }, meaning: cells[1],
        remedy: cells.dropFirst(2).joined(separator: " "))
    }.sorted { $0.code < $1.code }
  }

  /// All codes, from the page that is part of this program.
  static func all() -> [Explanation] { all(in: String(decoding: PackageResources.errors_md, as: UTF8.self)) }

  /// The shape of `explain`.
  var json: JSON { .object(["code": .text(code), "meaning": .text(meaning), "remedy": .text(remedy)]) }

  private static func trimmed(_ cell: Substring) -> String {
    var cell = cell.drop { $0 == " " }
    while cell.last == " " { cell.removeLast() }
    return String(cell)
  }
}
