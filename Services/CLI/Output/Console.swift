import System
import Client
import Glibc
import Model

/// The output of a command: results go to standard output, errors and remarks to standard error.
struct Console: Sendable {
  let isJSON: Bool
  /// The columns of the terminal to which results go; nil if standard output is not a terminal.
  let width: Int?
  /// The columns of the terminal to which progress goes; nil if standard error is not a terminal.
  let errorWidth: Int?
  let style: Style
  let errorStyle: Style
  /// Returns the current size of the terminal to which results go; nil if standard output is not a terminal.
  let screen: @Sendable () -> Screen?
  private let write: @Sendable (Stream, String) -> Void

  enum Stream: Sendable {
    case output, error
  }

  init(
    isJSON: Bool, width: Int? = nil, errorWidth: Int? = nil, style: Style = .plain, errorStyle: Style = .plain,
    screen: (@Sendable () -> Screen?)? = nil,
    write: @escaping @Sendable (Stream, String) -> Void
  ) {
    self.isJSON = isJSON
    self.width = width
    self.errorWidth = errorWidth
    self.style = style
    self.errorStyle = errorStyle
    self.screen = screen ?? { width.map { Screen(columns: $0, rows: 24) } }
    self.write = write
  }

  /// Returns the console of this process. The process exits if a text cannot be written.
  static func ofProcess(isJSON: Bool, environment: Environment) -> Console {
    let mayColour = (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    let isTerminal = isatty(1) == 1
    return Console(
      isJSON: isJSON, width: isTerminal ? Self.terminal(1).columns : nil,
      errorWidth: isatty(2) == 1 ? Self.terminal(2).columns : nil,
      style: Style(isColoured: isTerminal && mayColour),
      errorStyle: Style(isColoured: isatty(2) == 1 && mayColour),
      screen: { isTerminal ? Self.terminal(1) : nil }
    ) { stream, text in
      if !Descriptor.write(Array(text.utf8), to: stream == .output ? 1 : 2) { exit(ExitStatus.failed.rawValue) }
    }
  }

  func print(_ text: String) { write(.output, text) }
  func print(_ json: JSON) { write(.output, Printable.json(json.description) + "\n") }
  /// Prints results as one line of JSON for programs, or as text for people.
  func print(_ json: @autoclosure () throws -> JSON, text: @autoclosure () -> String) rethrows {
    if isJSON { print(try json()) } else { print(text()) }
  }
  /// Prints JSON for programs, or a table for people; prints a remark to people if the table is empty.
  func print(
    _ json: @autoclosure () throws -> JSON, _ table: @autoclosure () -> Table, ifEmpty remark: String
  ) rethrows {
    if isJSON { return print(try json()) }
    let table = table()
    table.isEmpty ? self.remark(remark) : print(table)
  }
  func print(_ table: Table) { write(.output, table.text(for: self)) }
  /// Prints a remark for people, which may have several lines.
  func remark(_ text: String) {
    guard !isJSON else { return }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { Printable.line(String($0)) }
    write(.error, errorStyle.faint(lines.joined(separator: "\n")) + "\n")
  }

  /// Shows progress on a line that the next call replaces; nil clears it. Does nothing with `isJSON`, or if standard
  /// error is not a terminal.
  func progress(_ text: String?) {
    guard !isJSON, let errorWidth else { return }
    write(.error, "\r" + Printable.fit(text ?? "", errorWidth - 1) + "\u{1B}[K")
  }

  func report(_ error: LunaraError) {
    if isJSON {
      write(.error, Printable.json(error.failureJSON.description) + "\n")
    } else {
      var text = "\(errorStyle.bad("lunara:")) \(Printable.line(error.message))\n"
      if let cause = error.cause { text += errorStyle.faint("  cause: \(Printable.line(cause))") + "\n" }
      text += errorStyle.faint("  code: \(error.code)") + "\n"
      write(.error, text)
    }
  }

  func report(_ error: UsageError, hint: String) {
    if isJSON {
      report(LunaraError("cli.usage", error.message))
    } else {
      write(.error, "\(errorStyle.bad("lunara:")) \(Printable.line(error.message))\n\(hint)")
    }
  }

  private static func terminal(_ descriptor: Int32) -> Screen {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 20 else {
      return Screen(columns: 80, rows: 24)
    }
    return Screen(columns: Int(size.ws_col), rows: max(4, Int(size.ws_row)))
  }
}
