import CSodium
import Glibc
import Model
public import System

/// Computes the SHA-256 of files, as `sha256sum` prints it.
public enum FileDigest {
  private static let portion = 1 << 20

  /// Reads a file. Returns its digest as 64 hexadecimal digits, and its size in bytes.
  ///
  /// - Parameters:
  ///   - path: the file; a symbolic link is refused.
  ///   - progress: called after each portion with its length; an error that it throws ends the reading.
  /// - Throws: `bus.unreadableFile`, and what `progress` throws.
  public static func of(
    _ path: String, progress: (_ bytes: Int) throws -> Void = { _ in }
  ) throws -> (text: String, size: Int64) {
    do {
      return try of(try Descriptor(opening: path, O_RDONLY | O_NOFOLLOW), progress: progress)
    } catch let error as Errno {
      throw LunaraError(
        "bus.unreadableFile", "\(path) cannot be read. Check its owner and mode, and the disk.", cause: error)
    }
  }

  /// Reads an open file from its position to its end. Returns its digest as 64 hexadecimal digits, and the number of
  /// bytes.
  ///
  /// - Parameters:
  ///   - file: the open file.
  ///   - progress: called after each portion with its length; an error that it throws ends the reading.
  /// - Throws: the errors of read(2), and what `progress` throws.
  public static func of(
    _ file: Descriptor, progress: (_ bytes: Int) throws -> Void = { _ in }
  ) throws -> (text: String, size: Int64) {
    var state = crypto_hash_sha256_state()
    crypto_hash_sha256_init(&state)
    var size: Int64 = 0
    while true {
      let bytes = try file.readBytes(upTo: portion)
      if bytes.isEmpty { break }
      crypto_hash_sha256_update(&state, bytes, UInt64(bytes.count))
      size += Int64(bytes.count)
      try progress(bytes.count)
    }
    var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
    crypto_hash_sha256_final(&state, &digest)
    return (Hexadecimal.text(digest), size)
  }
}
