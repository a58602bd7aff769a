import FoundationEssentials
import Messages
import Model

/// The room that is left in one answer: a number of items, and no more bytes than the bus carries in a frame.
struct PageBudget {
  /// The most bytes of an answer's JSON.
  private static let bytes = 190_000

  private(set) var items: Int
  private var room = bytes
  private var isEmpty = true

  /// Begins a page of at most `items` items.
  init(items: Int) { self.items = items }

  /// Returns true and counts an item of `size` bytes where it fits; the first always does.
  mutating func admits(_ size: Int) -> Bool {
    guard items > 0, size <= room || isEmpty else { return false }
    isEmpty = false
    items -= 1
    room -= size
    return true
  }

  /// Reserves bytes for the parts of the answer beside its items.
  mutating func reserve(_ size: Int) { room -= size }

  /// The most bytes of JSON that a text takes. Control characters are written as six, quotes and backslashes as two.
  static func size(_ text: String?) -> Int {
    guard var text else { return 4 }
    return text.withUTF8 { bytes in
      bytes.reduce(2) { $0 + ($1 < 32 ? 6 : $1 == 34 || $1 == 92 ? 2 : 1) }
    }
  }
}

/// An item of a page that knows its size.
protocol SizedItem {
  /// The most bytes that its JSON takes.
  var size: Int { get }
}

extension Library.Page where Item: SizedItem {
  /// Makes a page of the first rows that fit; it has a cursor where rows are left.
  init<Row>(_ rows: [Row], limit: Int, _ item: (Row) -> Item, next cursor: (Row) -> Cursor) {
    var budget = PageBudget(items: limit)
    let shown = rows.prefix { budget.admits(item($0).size) }
    let last = shown.count < rows.count ? shown.last : nil
    self.init(items: shown.map(item), next: last.map { cursor($0).text })
  }
}

extension Catalogue {
  /// The most items of a page.
  static let longestPage = 200

  /// Returns the number of items of a page for the number that was asked for.
  static func limit(_ wanted: Int) -> Int { min(max(1, wanted), longestPage) }
}

/// The end of a page: the sort values of its last row, as a text that means nothing to others.
struct Cursor: Equatable {
  /// The name of the list and its order; a cursor of another list is refused.
  var list: String
  /// The sort values.
  var values: [String]

  init(_ list: String, _ values: [any LosslessStringConvertible]) {
    self.list = list
    self.values = values.map(\.description)
  }

  /// Reads a cursor of the list `list` with `count` values; nil for nil.
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

  /// The cursor as a text.
  var text: String {
    Data(([list] + values).joined(separator: "\u{1F}").utf8).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// Returns a sort value as a number.
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
