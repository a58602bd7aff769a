import CSodium
import Glibc
import Model

/// The SHA-256 of a file, as `sha256sum` writes it.
public enum FileDigest {
  private static let portion = 1 << 20

  /// Reads a file and gives its digest, as 64 hexadecimal digits, and its size in bytes.
  ///
  /// - Parameters:
  ///   - path: the file; a symbolic link is refused.
  ///   - progress: told of each portion; what it throws ends the reading.
  /// - Throws: `bus.unreadableFile`, `bus.noSodium`, and what `progress` throws.
  public static func of(_ path: String, progress: (_ bytes: Int) throws -> Void = { _ in }) throws -> (
    text: String, size: Int64
  ) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw unreadable(path) }
    defer { close(descriptor) }
    var state = crypto_hash_sha256_state()
    guard sodium_init() >= 0, crypto_hash_sha256_init(&state) == 0 else {
      throw LunaraError("bus.noSodium", "libsodium cannot be used on this system. Is there memory left?")
    }
    var buffer = [UInt8](repeating: 0, count: portion)
    var size: Int64 = 0
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count >= 0 else { throw unreadable(path) }
      if count == 0 { break }
      crypto_hash_sha256_update(&state, buffer, UInt64(count))
      size += Int64(count)
      try progress(count)
    }
    var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
    crypto_hash_sha256_final(&state, &digest)
    return (Hexadecimal.text(digest), size)
  }

  private static func unreadable(_ path: String) -> LunaraError {
    LunaraError(
      "bus.unreadableFile", "\(path) cannot be read. Check its owner and mode, and the disk.",
      cause: String(cString: strerror(errno)))
  }
}
