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
    guard result == 1 else {
      throw LunaraError("internal.noDigest", "This system's libcrypto refuses SHA-256. Check openssl.cnf.")
    }
    return Array(digest.prefix(Int(length)))
  }
}
