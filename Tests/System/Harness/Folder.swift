import FoundationEssentials
import Glibc

/// Operations on files and folders.
enum Folder {
  static func make(_ path: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  static func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }
  static func move(_ path: String, to other: String) throws {
    try FileManager.default.moveItem(atPath: path, toPath: other)
  }
  static func copy(_ path: String, to other: String) throws {
    try FileManager.default.copyItem(atPath: path, toPath: other)
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Writes these bytes to a file.
  static func write(_ bytes: [UInt8], to path: String) throws { try Data(bytes).write(to: URL(filePath: path)) }
  /// Returns the bytes of a file.
  static func bytes(of path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

  /// Renames a file to any bytes; names of files need not be UTF-8.
  static func rename(_ path: String, toBytes name: [UInt8], in folder: String) throws {
    let target = (Array(folder.utf8) + [UInt8(ascii: "/")] + name + [0]).map { CChar(bitPattern: $0) }
    guard Glibc.rename(path, target) == 0 else {
      throw ChildProcess.Failure(description: "\(path): \(String(cString: strerror(errno)))")
    }
  }

  /// Makes a symbolic link.
  static func link(_ path: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
  }
}
