import Glibc
import Model

/// A damaged file that can be read in part.
struct DamagedFile {
  /// What reads it.
  let connection: Connection
  /// The copy that was made of it, with another header; nil where there is none.
  private let copy: String?

  /// Opens a file; nil where nothing of it can be read at all.
  static func open(_ path: String) throws -> DamagedFile? {
    if let connection = try connect(path) { return DamagedFile(connection: connection, copy: nil) }
    // Where only the first bytes are damaged the rest of the file can be read with others: all that SQLite needs to know
    // from there is the same in each of our files.
    let copy = path + ".reheaded"
    let isCopied = duplicate(path, to: copy, isReheaded: true)
    if isCopied, access(path + "-wal", R_OK) == 0 { _ = duplicate(path + "-wal", to: copy + "-wal", isReheaded: false) }
    if isCopied, let connection = try connect(copy) { return DamagedFile(connection: connection, copy: copy) }
    remove(copy)
    return nil
  }

  /// Removes the copy. The connection is not used after this.
  func remove() { if let copy { Self.remove(copy) } }

  private static func remove(_ copy: String) { for suffix in ["", "-wal", "-shm"] { unlink(copy + suffix) } }

  private static func connect(_ path: String) throws -> Connection? {
    do {
      let connection = try Connection(path, .salvaging, patience: .zero)
      try connection.control("BEGIN")
      let isReadable = try connection.withStatement("SELECT 1 FROM sqlite_schema LIMIT 1") { try $0.step() }
      return isReadable ? connection : nil
    } catch let error as LunaraError where TableRescue.isHole(error) {
      return nil
    }
  }

  private static let pageSize = 4096

  /// Copies a file, where that is wanted with a header of our own.
  private static func duplicate(_ path: String, to copy: String, isReheaded: Bool) -> Bool {
    let source = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard source >= 0 else { return false }
    defer { close(source) }
    var status = stat()
    guard fstat(source, &status) == 0, !isReheaded || status.st_size >= pageSize else { return false }
    let target = Glibc.open(copy, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard target >= 0 else { return false }
    defer { close(target) }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = read(source, &buffer, buffer.count)
      guard count > 0, write(target, buffer, count) == count else {
        return count == 0 && rehead(target, isReheaded, status)
      }
    }
  }

  private static func rehead(_ target: Int32, _ isWanted: Bool, _ status: stat) -> Bool {
    guard isWanted else { return true }
    let header = header(pages: Int(status.st_size) / pageSize)
    return pwrite(target, header, header.count, 0) == header.count
  }

  /// A header (sqlite.org/fileformat2.html#the_database_header).
  private static func header(pages: Int) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: 100)
    func put(_ number: Int, at offset: Int) {
      for byte in 0..<4 { header[offset + byte] = UInt8(truncatingIfNeeded: number >> (24 - 8 * byte)) }
    }
    header.replaceSubrange(0..<15, with: Array("SQLite format 3".utf8))
    // Page size 4096, with a write-ahead log, no reserved bytes, the three fixed fractions.
    header.replaceSubrange(16..<24, with: [0x10, 0, 2, 2, 0, 64, 32, 32])
    // Counter of changes, pages, schema cookie, schema format, UTF-8, and the version that all this is valid for.
    for (number, offset) in [(1, 24), (pages, 28), (1, 40), (4, 44), (1, 56), (1, 92), (3_040_001, 96)] {
      put(number, at: offset)
    }
    return header
  }
}
