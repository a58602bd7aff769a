import Glibc
import System

/// Reads the lines of a file of any size, one after the other, without blank ones.
struct LineReader {
  private(set) var number = 0
  private let file: Descriptor
  private var bytes: ArraySlice<UInt8> = []

  init(_ path: String) throws(Errno) { file = try Descriptor(opening: path, O_RDONLY) }

  /// Returns the next line without the white space at its end; nil at the end of the file.
  ///
  /// - Throws: `Errno.fileTooLarge` for a line of more than `limit` bytes.
  mutating func next(limit: Int = .max) throws(Errno) -> [UInt8]? {
    var line: [UInt8] = []
    while true {
      if bytes.isEmpty { bytes = try file.readBytes(upTo: 65_536)[...] }
      let (part, isAtEnd) = (bytes.prefix { $0 != UInt8(ascii: "\n") }, bytes.isEmpty)
      let isWhole = part.count < bytes.count
      bytes = bytes.dropFirst(part.count + 1)
      line += part
      if line.count > limit || isWhole || (isAtEnd && !line.isEmpty) { number += 1 }
      guard line.count <= limit else { throw .fileTooLarge }
      if isWhole || isAtEnd {
        while let last = line.last, last <= 32 { line.removeLast() }
        if !line.isEmpty { return line }
        if isAtEnd { return nil }
      }
    }
  }
}
