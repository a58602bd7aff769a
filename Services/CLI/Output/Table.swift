/// The rows of a list. On a terminal they are aligned and coloured; elsewhere each row is a line with tabs between the
/// cells.
struct Table {
  struct Cell {
    let text: String
    let look: Style.Look
    let isRight: Bool

    init(_ text: String, _ look: Style.Look = .plain, isRight: Bool = false) {
      self.text = Printable.line(text)
      self.look = look
      self.isRight = isRight
    }

    static func number(_ text: some CustomStringConvertible) -> Cell { Cell(text.description, isRight: true) }
    static func faint(_ text: String) -> Cell { Cell(text, .faint) }
    static func strong(_ text: String) -> Cell { Cell(text, .strong) }
  }

  private var rows: [[Cell]]

  init(_ rows: [[Cell]] = []) { self.rows = rows }
  init(_ values: some Sequence<some TableRow>) { rows = values.map(\.row) }

  mutating func add(_ cells: Cell...) { rows.append(cells) }
  var isEmpty: Bool { rows.isEmpty }

  func text(for console: Console) -> String {
    guard let width = console.width else {
      return rows.map { $0.map(\.text).joined(separator: "\t") + "\n" }.joined()
    }
    let widths = columnWidths(within: width)
    return rows.map { row in
      let cells = zip(row, widths).map { cell, width in
        let text = Printable.fit(cell.text, width)
        let space = String(repeating: " ", count: max(0, width - Printable.columns(text)))
        let coloured = console.style.text(text, cell.look)
        return cell.isRight ? space + coloured : coloured + space
      }
      var line = cells.joined(separator: "  ")
      while line.hasSuffix(" ") { line.removeLast() }
      return line + "\n"
    }.joined()
  }

  /// Returns the columns' widths: the widest cell of each; if the terminal is too narrow, the widest columns are
  /// reduced, to 12 at least.
  private func columnWidths(within limit: Int) -> [Int] {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], Printable.columns(cell.text))
      }
    }
    let room = limit - 2 * max(0, widths.count - 1)
    while widths.reduce(0, +) > room, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }),
      widths[widest] > 12
    {
      widths[widest] -= 1
    }
    return widths
  }
}

protocol TableRow {
  var row: [Table.Cell] { get }
}
