import FoundationEssentials
import Glibc
import Testing

/// A temporary folder that goes with the test.
final class Folder: Sendable {
  let path: String

  init() throws {
    path = "/tmp/lunara-st-\(UInt32.random(in: 0...UInt32.max))"
    try #require(mkdir(path, 0o700) == 0)
  }

  deinit {
    do { try FileManager.default.removeItem(atPath: path) } catch { Issue.record(error, "\(path) stays behind") }
  }

  /// A file in it.
  func file(_ name: String = "test.sqlite") -> String { "\(path)/\(name)" }

  /// How many files in it this process has open.
  func openFiles() throws -> Int { try descriptors(of: path).count }

  /// Puts something that can be written but not synced in the place of every descriptor of a file.
  func spoil(_ name: String) throws {
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(null) }
    let spoiled = try descriptors(of: file(name)).map { dup2(null, $0) }
    try #require(!spoiled.isEmpty && spoiled.allSatisfy { $0 >= 0 })
  }

  private func descriptors(of path: String) throws -> [Int32] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init).filter { descriptor in
      var target = [CChar](repeating: 0, count: 4096)
      let length = readlink("/proc/self/fd/\(descriptor)", &target, 4096)
      return length > 0
        && String(decoding: target[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self).hasPrefix(path)
    }
  }

  /// The mode of a file in it.
  func mode(_ name: String) throws -> UInt32 {
    var status = stat()
    try #require(stat(file(name), &status) == 0)
    return status.st_mode & 0o777
  }
}
