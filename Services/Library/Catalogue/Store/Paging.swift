import FoundationEssentials
package import Messages
package import Model
package import Storage

/// The number of items and bytes that still fit into one answer, whose size the bus limits.
package struct PageBudget {
  /// The most bytes of an answer's JSON.
  private static let bytes = 190_000

  package private(set) var items: Int
  private var room = bytes
  private var isEmpty = true

  /// Begins a page of at most `items` items, with `reserved` bytes for the parts of the answer beside them.
  package init(items: Int, reserved: Int = 0) {
    self.items = items
    room -= reserved
  }

  /// Returns true and counts an item of `size` bytes where it fits; the first always does.
  package mutating func admits(_ size: Int) -> Bool {
    guard items > 0, size <= room || isEmpty else { return false }
    isEmpty = false
    items -= 1
    room -= size
    return true
  }

  /// The most bytes of JSON that a text takes. Control characters are written as six, quotes and backslashes as two.
  package static func size(_ text: String?) -> Int {
    guard var text else { return 4 }
    return text.withUTF8 { bytes in
      bytes.reduce(2) { $0 + ($1 < 32 ? 6 : $1 == 34 || $1 == 92 ? 2 : 1) }
    }
  }

  /// The most bytes of JSON that a list of texts takes beside its brackets.
  package static func size(_ texts: [String]) -> Int { texts.reduce(0) { $0 + size($1) + 1 } }
}

/// An item of a page, with the size of its JSON.
package protocol SizedItem {
  /// The most bytes that its JSON takes.
  var size: Int { get }
}

extension Library.Page where Item: SizedItem {
  /// Makes a page of the first rows that fit; it has a cursor where rows are left.
  package init<Row>(_ rows: [Row], _ budget: PageBudget, _ item: (Row) -> Item, next cursor: (Row) -> Cursor) {
    var budget = budget
    let shown = rows.prefix { budget.admits(item($0).size) }
    let last = shown.count < rows.count ? shown.last : nil
    self.init(items: shown.map(item), next: last.map { cursor($0).text })
  }
}

extension Catalogue {
  /// The most items of a page.
  package static let longestPage = 200

  /// Returns the number of items of a page for the number that was asked for.
  package static func limit(_ wanted: Int) -> Int { min(max(1, wanted), longestPage) }
}

/// The sort keys of a list.
///
/// A page begins after the sort keys of the last row before it, and not at an offset, so that rows that come or go
/// between two pages neither hide nor repeat others.
package struct ListOrder {
  /// A key, as SQL.
  package enum Key {
    case text(String)
    case number(String)

    fileprivate var sql: String {
      switch self {
      case .text(let sql), .number(let sql): sql
      }
    }
  }

  /// The name of the list and its order, which its cursors have.
  let list: String
  private let keys: [Key]
  private let isDescending: Bool

  package init(_ list: String, _ keys: Key..., isDescending: Bool = false) {
    self.init(list, keys, isDescending)
  }

  private init(_ list: String, _ keys: [Key], _ isDescending: Bool) {
    self.list = list
    self.keys = keys
    self.isDescending = isDescending
  }

  /// Returns this order, or the opposite one, whose cursors are others, for true.
  func reversed(_ isReversed: Bool?) -> ListOrder {
    isReversed == true ? ListOrder("\(list)-reversed", keys, !isDescending) : self
  }

  /// The keys, divided by commas.
  fileprivate var columns: String { keys.map(\.sql).joined(separator: ", ") }

  /// The order as SQL.
  var clause: String {
    "ORDER BY " + keys.map { isDescending ? "\($0.sql) DESC" : $0.sql }.joined(separator: ", ")
  }

  /// The SQL condition for the rows after the values of `start`.
  fileprivate var condition: String {
    "(\(columns)) \(isDescending ? "<" : ">") (\(keys.map { _ in "?" }.joined(separator: ", ")))"
  }

  /// Returns the sort values after which a page begins: those of the cursor, else of the text `first`, else the lowest,
  /// or the highest in a descending order. There a page that begins at a text has what begins with the text first.
  fileprivate func start(_ cursor: String?, _ first: String?) throws(LunaraError) -> [(any SQLBindable)?] {
    let cursor = try Cursor(cursor, of: list, count: keys.count)
    var values: [(any SQLBindable)?] = []
    for (index, key) in keys.enumerated() {
      switch key {
      case .text:
        let given = cursor?.values[index] ?? (index == 0 ? first.map { isDescending ? $0.lastWithPrefix : $0 } : nil)
        if let given {
          values.append(given)
        } else if isDescending {
          values.append(Self.behindAllTexts)
        } else {
          values.append("")
        }
      case .number: values.append(try cursor?.number(index) ?? (isDescending ? Int64.max : .min))
      }
    }
    return values
  }

  /// A value behind every text, as SQLite compares them: a BLOB.
  private static let behindAllTexts: [UInt8] = [0]

  /// Reads the keys, which are the last columns of a row.
  fileprivate func cursor(behind row: borrowing Row) throws -> Cursor {
    var values: [any LosslessStringConvertible] = []
    for (index, key) in keys.enumerated() {
      let column = row.count - keys.count + index
      switch key {
      case .text: values.append(try row.value(column) as String)
      case .number: values.append(try row.value(column) as Int64)
      }
    }
    return Cursor(list, values)
  }
}

extension String {
  /// A text behind all texts that begin with this one, by their bytes.
  var lastWithPrefix: String { self + "\u{10FFFF}" }
}

extension ReadTransaction {
  /// Returns a page of a list. `columns` and `source` are the SQL of the query, with `values` for its parameters.
  ///
  /// - Throws: `library.badCursor`.
  package func page<Item: SizedItem>(
    _ order: ListOrder, after: String?, startingAt first: String? = nil, _ budget: PageBudget, _ columns: String,
    _ source: String, _ values: [(any SQLBindable)?] = [], as read: (borrowing Row) throws -> Item
  ) throws -> Library.Page<Item> {
    let start = try order.start(after, first)
    let rows = try rows(
      "SELECT \(columns), \(order.columns) \(source) AND \(order.condition) \(order.clause) LIMIT ?",
      values: values + start + [budget.items + 1]
    ) { (item: try read($0), cursor: try order.cursor(behind: $0)) }
    return Library.Page(rows, budget, \.item) { $0.cursor }
  }

  /// Returns the cursor behind the row of a number; nil if there is none.
  func cursor(_ order: ListOrder, _ source: String, _ number: Int64) throws -> Cursor? {
    try row("SELECT \(order.columns) \(source)", number, as: order.cursor)
  }
}

/// The end of a page: the sort values of its last row, as an opaque text.
package struct Cursor: Equatable {
  /// The name of the list and its order; a cursor of another list is refused.
  var list: String
  var values: [String]

  package init(_ list: String, _ values: [any LosslessStringConvertible]) {
    self.list = list
    self.values = values.map(\.description)
  }

  /// Reads a cursor of the list `list` with `count` values; nil for nil. Throws `library.badCursor`.
  package init?(_ text: String?, of list: String, count: Int) throws(LunaraError) {
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

  package var text: String {
    Data(([list] + values).joined(separator: "\u{1F}").utf8).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// Returns a sort value as a number. Throws `library.badCursor`.
  package func number(_ index: Int) throws(LunaraError) -> Int64 {
    guard let number = Int64(values[index]) else { throw Self.bad(text) }
    return number
  }

  private static func bad(_ text: String) -> LunaraError {
    LunaraError(
      "library.badCursor", "\(text.prefix(80)) is no cursor of this list. Begin at the first page, without `--after`.")
  }
}
