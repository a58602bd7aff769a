import Glibc
import Testing

enum TestFiles {
  /// All bytes of a file.
  static func read(_ path: String) throws -> [UInt8] {
    let file = try #require(fopen(path, "re"))
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    var bytes = [UInt8](repeating: 0, count: ftell(file))
    rewind(file)
    try #require(fread(&bytes, 1, bytes.count, file) == bytes.count)
    return bytes
  }

  /// Makes a file of these bytes alone.
  static func write(_ bytes: [UInt8], to path: String) throws {
    let file = try #require(fopen(path, "we"))
    defer { fclose(file) }
    try #require(fwrite(bytes, 1, bytes.count, file) == bytes.count)
  }

  /// A socket file that nobody listens on.
  static func makeStaleSocket(at path: String) {
    unlink(path)
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8.prefix(107))) }
    withUnsafePointer(to: &address) {
      _ = $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
