import CZlib
import Glibc
import Model
import System

/// Reads the files of a ZIP archive (APPNOTE.TXT of PKWARE), packed by deflate or not at all. Archives and files of
/// more than 4 GiB are refused.
struct ZipArchive: Sendable {
  struct Entry {
    var name: String
    fileprivate var method: Int
    fileprivate var packedSize: Int
    fileprivate var header: Int
  }

  /// The size of the last record, without its fields of variable length.
  private static let endSize = 22
  /// The size of an entry's record, likewise.
  private static let entrySize = 46
  /// The size of a file's header, likewise.
  private static let headerSize = 30
  private static let mostEntries = 65_534

  let entries: [Entry]
  private let file: Descriptor
  private let path: String

  /// Returns true if a file begins as an archive does.
  static func isArchive(_ path: String) throws(Errno) -> Bool {
    try Descriptor(opening: path, O_RDONLY).readBytes(upTo: 4) == [0x50, 0x4B, 3, 4]
  }

  /// Reads the table of contents. Throws `cli.badListenFile`.
  init(_ path: String) throws {
    do {
      file = try Descriptor(opening: path, O_RDONLY)
      let size = Int(try FileStatus(of: file).size)
      // The last record may be followed by a comment of up to 65,535 bytes.
      let start = max(0, size - Self.endSize - 65_535)
      let tail = try file.readWhole(size - start, at: start)
      let end = (0...max(0, tail.count - Self.endSize)).reversed().first {
        tail[$0...].starts(with: [0x50, 0x4B, 5, 6])
      }
      guard let end, tail.count >= end + Self.endSize else { throw Self.damaged(path) }
      let count = tail.number(at: end + 10, bytes: 2)
      let table = try file.readWhole(tail.number(at: end + 12, bytes: 4), at: tail.number(at: end + 16, bytes: 4))
      guard count <= Self.mostEntries, let entries = Self.entries(count, in: table) else { throw Self.damaged(path) }
      self.entries = entries
    } catch let error as Errno {
      throw LunaraError("cli.badListenFile", "\(path) cannot be read.", cause: error)
    }
    self.path = path
  }

  private static func entries(_ count: Int, in table: [UInt8]) -> [Entry]? {
    var entries: [Entry] = []
    var place = 0
    for _ in 0..<count {
      guard place + entrySize <= table.count, table[place...].starts(with: [0x50, 0x4B, 1, 2]) else { return nil }
      let nameEnd = place + entrySize + table.number(at: place + 28, bytes: 2)
      guard nameEnd <= table.count else { return nil }
      entries.append(
        Entry(
          name: String(decoding: table[(place + entrySize)..<nameEnd], as: UTF8.self),
          method: table.number(at: place + 10, bytes: 2), packedSize: table.number(at: place + 20, bytes: 4),
          header: table.number(at: place + 42, bytes: 4)))
      place = nameEnd + table.number(at: place + 30, bytes: 2) + table.number(at: place + 32, bytes: 2)
    }
    return entries
  }

  /// Returns a function that returns the next bytes of a file, none at its end. Throws `cli.badListenFile`.
  func open(_ entry: Entry) throws -> () throws -> [UInt8] {
    guard entry.method == 0 || entry.method == 8, let inflater = Inflater() else { throw Self.damaged(path) }
    let header = try read(Self.headerSize, at: entry.header)
    guard header.starts(with: [0x50, 0x4B, 3, 4]) else { throw Self.damaged(path) }
    var place = entry.header + Self.headerSize + header.number(at: 26, bytes: 2) + header.number(at: 28, bytes: 2)
    let end = place + entry.packedSize
    return {
      while place < end {
        let packed = try read(min(16_384, end - place), at: place)
        place += packed.count
        if entry.method == 0 { return packed }
        guard let bytes = inflater.unpack(packed) else { throw Self.damaged(path) }
        if !bytes.isEmpty { return bytes }
      }
      guard entry.method == 0 || inflater.isAtEnd else { throw Self.damaged(path) }
      return []
    }
  }

  private func read(_ count: Int, at place: Int) throws -> [UInt8] {
    do throws(Errno) {
      let bytes = try file.readWhole(count, at: place)
      if bytes.count == count { return bytes }
    } catch {
      throw LunaraError("cli.badListenFile", "\(path) cannot be read.", cause: error)
    }
    throw Self.damaged(path)
  }

  private static func damaged(_ path: String) -> LunaraError {
    LunaraError("cli.badListenFile", "\(path) is a damaged ZIP file, or of a kind that is not known. Unpack it first.")
  }
}

extension Descriptor {
  /// Returns the bytes at a place of a file: fewer than asked for only at its end.
  fileprivate func readWhole(_ count: Int, at place: Int) throws(Errno) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let more = try readBytes(upTo: min(count - bytes.count, 1 << 20), at: place + bytes.count)
      if more.isEmpty { break }
      bytes += more
    }
    return bytes
  }
}

extension [UInt8] {
  /// Returns the number at a place, its lowest byte first.
  fileprivate func number(at place: Int, bytes count: Int) -> Int {
    self[place..<(place + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

/// Unpacks deflate data (RFC 1951), part by part.
private final class Inflater {
  // zlib keeps the address of the stream, so it must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  private(set) var isAtEnd = false

  init?() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard lunara_inflate_begin(stream) == Z_OK else {
      stream.deallocate()
      return nil
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Unpacks further bytes; returns nil if they are damaged.
  func unpack(_ packed: [UInt8]) -> [UInt8]? {
    var result: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65_536)
    let isRight = packed.withUnsafeBufferPointer { input in
      // zlib only reads from this pointer.
      stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      stream.pointee.avail_in = UInt32(input.count)
      while true {
        let (code, count) = part.withUnsafeMutableBufferPointer { output in
          stream.pointee.next_out = output.baseAddress
          stream.pointee.avail_out = UInt32(output.count)
          let code = inflate(stream, Z_NO_FLUSH)
          return (code, output.count - Int(stream.pointee.avail_out))
        }
        result += part.prefix(count)
        if code == Z_STREAM_END { isAtEnd = true }
        // A call without progress means that the input is used up.
        guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else { return false }
        if code != Z_OK || count < part.count { return true }
      }
    }
    return isRight ? result : nil
  }
}
