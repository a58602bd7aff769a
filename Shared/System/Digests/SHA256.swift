import CCrypto
public import Model

/// Computes the SHA-256 digest (FIPS 180-4) by OpenSSL's libcrypto.
public enum SHA256 {
  /// Returns the 32 bytes of the digest of a text's UTF-8.
  ///
  /// - Throws: `internal.noDigest` if the system forbids it.
  public static func digest(_ text: String) throws(LunaraError) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var length: UInt32 = 0
    var text = text
    let result = text.withUTF8 { EVP_Digest($0.baseAddress, $0.count, &digest, &length, EVP_sha256(), nil) }
    guard result == 1 else { throw refused }
    return Array(digest.prefix(Int(length)))
  }

  fileprivate static let refused = LunaraError(
    "internal.noDigest", "This system's libcrypto refuses SHA-256. Check openssl.cnf.")

  /// The digest of bytes that come in pieces.
  public final class Running {
    private let context: OpaquePointer

    /// Begins a digest.
    ///
    /// - Throws: `internal.noDigest` if the system forbids it.
    public init() throws(LunaraError) {
      guard let context = EVP_MD_CTX_new() else { throw SHA256.refused }
      self.context = context
      guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else { throw SHA256.refused }
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Adds the next bytes.
    public func add(_ bytes: [UInt8]) { EVP_DigestUpdate(context, bytes, bytes.count) }

    /// Returns the 32 bytes of the digest of all bytes that were added. May be called once.
    public func finish() -> [UInt8] {
      var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
      var length: UInt32 = 0
      EVP_DigestFinal_ex(context, &digest, &length)
      return Array(digest.prefix(Int(length)))
    }
  }
}
