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
    /// - Throws: `cli.badListenFile` where a line is no listen.
    mutating func next() throws -> (listen: Scrobble.ImportedListen, bytes: Int)? {
      var line: UnsafeMutablePointer<CChar>?
      var capacity = 0
      defer { free(line) }
      while true {
        let count = getline(&line, &capacity, file)
        guard count >= 0, let start = line else { return nil }
        number += 1
        let bytes = Array(UnsafeRawBufferPointer(start: start, count: count))
        if bytes.allSatisfy({ $0 <= 32 }) { continue }
        guard let listen = ListenLine.listen(bytes) else {
          throw LunaraError(
            "cli.badListenFile",
            "Line \(number) of \(name) is no listen of ListenBrainz's form: it wants listened_at, artist_name and track_name."
          )
        }
        return (listen, bytes.count)
      }
    }
  }
}
