import CCrypto
public import Model

/// Computes the MD5 digest (RFC 1321) by OpenSSL's libcrypto. It is not secure; some protocols require it to sign
/// requests.
public enum MD5 {
  /// Returns the digest of a text's UTF-8 as 32 lowercase hexadecimal digits.
  ///
  /// - Throws: `internal.noDigest` if the system forbids MD5.
  public static func hex(_ text: String) throws(LunaraError) -> String {
    var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var length: UInt32 = 0
    var text = text
    let result = text.withUTF8 { EVP_Digest($0.baseAddress, $0.count, &digest, &length, EVP_md5(), nil) }
    guard result == 1 else {
      throw LunaraError(
        "internal.noDigest",
        "This system's libcrypto refuses MD5, which the server asks for. Allow it in openssl.cnf (FIPS mode forbids it)."
      )
    }
    return Hexadecimal.text(digest.prefix(Int(length)))
  }
}
