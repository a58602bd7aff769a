import CZlib

/// The content coding `gzip` (RFC 9110, 8.4.1.3; RFC 1952).
public enum Gzip {
  /// Compresses bytes. Returns nil if they would not become smaller, or where memory is short.
  ///
  /// - Parameters:
  ///   - bytes: the bytes to compress.
  ///   - effort: from 1, which is fast, to 9, which is small.
  public static func pack(_ bytes: [UInt8], effort: Int32 = 6) -> [UInt8]? {
    guard bytes.count > 32, bytes.count <= Int(UInt32.max) else { return nil }
    var stream = z_stream()
    guard lunara_gzip_begin(&stream, max(1, min(9, effort))) == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    var count = 0
    // One byte less than the input: a result that does not fit is not smaller.
    var packed = [UInt8](repeating: 0, count: bytes.count - 1)
    let code = bytes.withUnsafeBufferPointer { input in
      packed.withUnsafeMutableBufferPointer { output in
        // zlib only reads from this pointer.
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        defer { count = output.count - Int(stream.avail_out) }
        return deflate(&stream, Z_FINISH)
      }
    }
    guard code == Z_STREAM_END else { return nil }
    packed.removeLast(packed.count - count)
    return packed
  }

  /// Returns true if a client accepts gzip, given its header `Accept-Encoding` (RFC 9110, 12.5.3), nil if it sent none.
  public static func isAccepted(by header: String?) -> Bool {
    var isAnyAccepted = false
    for part in (header ?? "").split(separator: ",") {
      let words = part.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
      guard let name = words.first else { continue }
      let weight = words.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
      if name == "gzip" || name == "x-gzip" { return weight > 0 }
      if name == "*" { isAnyAccepted = weight > 0 }
    }
    return isAnyAccepted
  }
}
