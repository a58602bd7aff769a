import FoundationEssentials
import Model

/// Where a page ended: the sort values of its last row, as a text that means nothing to others.
struct Cursor: Equatable {
  /// What is listed in which order; a cursor of another list is refused.
  var list: String
  /// The sort values.
  var values: [String]

  init(_ list: String, _ values: [any LosslessStringConvertible]) {
    self.list = list
    self.values = values.map(\.description)
  }

  /// Reads a cursor of this list with so many values; nil for nil.
  ///
  /// - Throws: `library.badCursor`.
  init?(_ text: String?, of list: String, count: Int) throws(LunaraError) {
    guard let text else { return nil }
    var base64 = text.replacing("-", with: "+").replacing("_", with: "/")
    while base64.utf8.count % 4 != 0 { base64 += "=" }
    guard let data = Data(base64Encoded: base64) else { throw Self.bad(text) }
    let parts = data.split(separator: 0x1F, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard parts.first == list, parts.count == count + 1 else { throw Self.bad(text) }
    self.list = list
    values = Array(parts.dropFirst())
  }

  /// The text.
  var text: String {
    Data(([list] + values).joined(separator: "\u{1F}").utf8).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// A value that is a number.
  ///
  /// - Throws: `library.badCursor`.
  func number(_ index: Int) throws(LunaraError) -> Int64 {
    guard let number = Int64(values[index]) else { throw Self.bad(text) }
    return number
  }

  private static func bad(_ text: String) -> LunaraError {
    LunaraError(
      "library.badCursor", "\(text.prefix(80)) is no place in this list. Begin at the first page, without `--after`.")
  }
}
