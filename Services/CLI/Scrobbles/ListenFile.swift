import System
import Glibc
import Messages
import Model

/// Files of listens.
enum ListenFile {
  /// Makes a new file, which only its owner may read.
  ///
  /// - Throws: `cli.badListenFile`.
  static func create(_ name: String) throws -> Descriptor {
    let number = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard number >= 0 else {
      throw LunaraError(
        "cli.badListenFile", "\(name) cannot be made. Name a file that is not there yet, in a folder of yours.",
        cause: String(cString: strerror(errno)))
    }
    return Descriptor(owning: number)
  }

  /// Writes bytes to it.
  ///
  /// - Throws: `cli.badListenFile`.
  static func write(_ bytes: [UInt8], to file: Descriptor, _ name: String) throws {
    guard Descriptor.write(bytes, to: file.number) else {
      throw LunaraError("cli.badListenFile", "\(name) cannot be written. Is the disk full?")
    }
  }

  /// The listens of a file, one after the other, so that a file may have any size.
  struct Lines: ~Copyable {
    private let name: String
    private let file: UnsafeMutablePointer<FILE>
    private var number = 0

    /// Opens a file.
    ///
    /// - Throws: `cli.badListenFile`.
    init(_ name: String) throws {
      guard let file = fopen(name, "re") else {
        throw LunaraError(
          "cli.badListenFile", "\(name) cannot be read.", cause: String(cString: strerror(errno)))
      }
      self.name = name
      self.file = file
    }

    deinit { fclose(file) }

    /// The next listen and how long its line is; nil at the end. Empty lines are passed over.
    ///
    /// - Throws: `cli.badListenFile` where a line is no listen, or the file cannot be read on.
    mutating func next() throws -> (listen: Scrobble.ImportedListen, bytes: Int)? {
      while let line = try nextLine() {
        if line.allSatisfy({ $0 <= 32 }) { continue }
        guard let listen = ListenLine.listen(line) else {
          throw problem(
            "is no listen of ListenBrainz's form: it wants listened_at in seconds, artist_name and track_name")
        }
        return (listen, line.count)
      }
      return nil
    }

    /// The most bytes of a line: ListenBrainz takes listens of a sixth of that.
    private static let longestLine = 64 * 1024

    private mutating func nextLine() throws -> [UInt8]? {
      var line: [UInt8] = []
      while true {
        let byte = getc_unlocked(file)
        guard byte != EOF else {
          guard ferror(file) == 0 else {
            throw LunaraError(
              "cli.badListenFile", "\(name) cannot be read.", cause: String(cString: strerror(errno)))
          }
          if line.isEmpty { return nil }
          number += 1
          return line
        }
        line.append(UInt8(truncatingIfNeeded: byte))
        if byte == Int32(UInt8(ascii: "\n")) {
          number += 1
          return line
        }
        if line.count > Self.longestLine {
          number += 1
          throw problem("is longer than a listen is: the file must have one listen a line")
        }
      }
    }

    private func problem(_ what: String) -> LunaraError {
      LunaraError(
        "cli.badListenFile",
        "Line \(number) of \(name) \(what). What stands before it was taken in; once it is mended, the whole file can be taken in again."
      )
    }
  }
}
