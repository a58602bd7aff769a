import Glibc
import Model
import ServiceKit

@testable import Bus

/// The parsers of files that a person or another program may have written.
enum Files {
  static let keyLine = "lunara-key-1 " + String(repeating: "01", count: 32)

  /// A key file's text: the keys that were read are written, and reading them again gives the same keys.
  static func keys(_ bytes: [UInt8]) throws(Violation) -> Bool {
    try accepting {
      let file = try bytes.withUnsafeBytes { try KeyFile(parsing: $0, named: "household.key") }
      let again = try file.withText { try KeyFile(parsing: $0, named: "household.key") }
      guard (1...KeyFile.keyLimit).contains(file.entries.count),
        file.entries.map(\.key.id) == again.entries.map(\.key.id), file.entries.map(\.mark) == again.entries.map(\.mark)
      else { throw Violation("a key file was not written as it was read") }
    }
  }

  /// The text of `lunara.env`.
  static func settings(_ bytes: [UInt8]) throws(Violation) -> Bool {
    try accepting(codes: "settings.") {
      try withFile(of: bytes) { path in
        let settings = try Settings(arguments: ["--config", path], environment: ["HOME": "/x"])
        _ = (settings.home, settings.run, settings.keyFile, settings.room, settings.music, settings.audio)
        _ = try Settings.address(settings.web, of: "LUNARA_WEB")
      }
    }
  }

  /// A ring with one constant key.
  static func ring() throws -> KeyRing {
    try withFile(of: Array("\(keyLine)\n".utf8)) { try KeyRing(file: $0) }
  }

  /// Writes a file that only this user may read, and removes it after `body`.
  static func withFile<Result>(of bytes: [UInt8], _ body: (String) throws -> Result) throws -> Result {
    var path = Array("/tmp/lu-fuzz-XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    guard descriptor >= 0 else { throw Violation("there is no room for a file") }
    defer {
      close(descriptor)
      unlink(path)
    }
    guard write(descriptor, bytes, bytes.count) == bytes.count else { throw Violation("there is no room for a file") }
    return try body(String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }
}
