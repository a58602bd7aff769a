import FoundationEssentials
import Glibc
import Testing

enum TestFiles {
  /// Returns all bytes of a file.
  static func read(_ path: String) throws -> [UInt8] {
    let file = try #require(fopen(path, "re"))
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    var bytes = [UInt8](repeating: 0, count: ftell(file))
    rewind(file)
    try #require(fread(&bytes, 1, bytes.count, file) == bytes.count)
    return bytes
  }

  /// Makes a file with these bytes as its whole contents.
  static func write(_ bytes: [UInt8], to path: String) throws {
    let file = try #require(fopen(path, "we"))
    defer { fclose(file) }
    try #require(fwrite(bytes, 1, bytes.count, file) == bytes.count)
  }

  /// Replaces every descriptor of a file by one that can be written but not synced.
  static func spoil(_ path: String) throws {
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(null) }
    let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init).filter
    {
      var target = [CChar](repeating: 0, count: 4096)
      let length = readlink("/proc/self/fd/\($0)", &target, 4096)
      return length > 0 && target[..<length].elementsEqual(path.utf8.map { CChar(bitPattern: $0) })
    }
    try #require(!descriptors.isEmpty)
    for descriptor in descriptors { try #require(dup2(null, descriptor) == descriptor) }
  }

  /// Makes a socket file on which nobody listens.
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
