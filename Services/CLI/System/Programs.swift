import Glibc
import Model

/// Where this program and its services lie.
enum Programs {
  /// The folder of this program, in which the services' programs are as well.
  static func folder() throws -> String {
    let path = try Self.path()
    return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }

  /// This program's file.
  private static func path() throws -> String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &bytes, bytes.count)
    guard count > 0 else {
      throw LunaraError(
        "cli.programMissing", "Cannot find out where this program lies. Is /proc mounted?",
        cause: String(cString: strerror(errno)))
    }
    return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The folder that relative paths begin in.
  static func workingDirectory() -> String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard getcwd(&bytes, bytes.count) != nil else { return "/" }
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
