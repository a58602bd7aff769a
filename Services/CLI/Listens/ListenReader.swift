import Messages
import Model

/// An entry of an export.
enum ListenReading {
  case listen(Scrobble.ImportedListen)
  /// A listen without artist, title or time, or with texts that are too long for one.
  case incomplete
  /// Something else.
  case other
}

/// Reads the listens of a file one after the other, so that the file may have any size. The first bytes decide the
/// format: JSON, or else a table.
struct ListenReader {
  /// The entries that could not be read as listens.
  struct LeftOut {
    private(set) var count = 0
    /// The line of the first.
    private(set) var line = 0

    mutating func add(line: Int) {
      if count == 0 { self.line = line }
      count += 1
    }
  }

  private enum Format {
    case undecided
    case json(ListenJSONScanner)
    case table(ListenTable)
  }

  let name: String
  private let read: () throws -> [UInt8]
  private var format = Format.undecided
  private var isAtEnd = false

  /// - Throws: `cli.badListenFile`.
  init(_ file: ListenExport.File) throws {
    name = file.name
    read = try file.open()
  }

  var leftOut: LeftOut {
    switch format {
    case .undecided: LeftOut()
    case .json(let scanner): scanner.leftOut
    case .table(let table): table.leftOut
    }
  }

  /// Returns the next listens; nil at the end of the file.
  ///
  /// - Throws: `cli.badListenFile` if reading fails, the file is cut off, or it is not a file of listens.
  mutating func next() throws -> [Scrobble.ImportedListen]? {
    guard !isAtEnd else { return nil }
    var bytes = try read()
    isAtEnd = bytes.isEmpty
    if case .undecided = format {
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
      guard let first = bytes.first(where: { $0 > 32 }) else { return [] }
      format =
        first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? .json(ListenJSONScanner()) : .table(ListenTable())
    }
    switch format {
    case .undecided: return []
    case .json(var scanner):
      format = .undecided
      defer { format = .json(scanner) }
      guard isAtEnd else { return scanner.listens(in: bytes) }
      if let line = scanner.openLine {
        throw problem("breaks off in line \(line), or has an error there. What stands before it was imported")
      }
      return []
    case .table(var table):
      format = .undecided
      defer { format = .table(table) }
      do { return try isAtEnd ? table.end() : table.listens(in: bytes) } catch is ListenTable.NoHeader {
        throw problem(
          "is in no form of listens that is known: those of ListenBrainz, Last.fm and Maloja are, in JSON or CSV")
      }
    }
  }

  private func problem(_ what: String) -> LunaraError {
    LunaraError("cli.badListenFile", "\(name) \(what). Correct it, then import the whole file again.")
  }
}
