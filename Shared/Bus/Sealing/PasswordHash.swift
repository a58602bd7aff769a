import CSodium
import Model

/// The stored form of a password: a password can be checked against it, but not recovered from it.
///
/// Argon2id (RFC 9106) by libsodium, with what that takes for interactive use: 64 MiB and two passes, about a tenth of
/// a second of one core, so it is for a thread that may block.
public struct PasswordHash: Codable, Hashable, Sendable {
  /// libsodium's own form, with its parameters and the salt.
  private var text: String

  /// Makes the hash of a password, with a salt of its own.
  ///
  /// - Throws: `bus.noSodium` where there is no memory for it.
  public init(of password: String) throws {
    var bytes = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
    guard sodium_init() >= 0,
      crypto_pwhash_str(
        &bytes, password, UInt64(password.utf8.count), UInt64(crypto_pwhash_OPSLIMIT_INTERACTIVE),
        Int(crypto_pwhash_MEMLIMIT_INTERACTIVE)) == 0
    else { throw HouseholdKey.noSodium }
    text = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// True if this is the password. Takes as long for a wrong one.
  public func matches(_ password: String) -> Bool {
    sodium_init() >= 0 && crypto_pwhash_str_verify(text, password, UInt64(password.utf8.count)) == 0
  }
}

extension PasswordHash: CustomStringConvertible {
  /// Nothing of it, so that no log shows it.
  public var description: String { "a password's hash" }
}

/// A drawn secret that proves who shows it, as a browser's cookie does.
public struct DrawnSecret: Hashable, Sendable {
  /// 64 hexadecimal digits.
  public let text: String

  /// Draws one: 32 bytes of the system's randomness.
  public init() {
    text = Hexadecimal.text((0..<32).map { _ in UInt8.random(in: .min ... .max) })
  }

  /// Takes one as it was shown; nil for what cannot be one.
  public init?(_ text: String) {
    guard text.utf8.count == 64, text.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) else {
      return nil
    }
    self.text = text
  }

  /// Its BLAKE2b in hexadecimal digits: a stored digest recognises the secret and is of no use to who reads it.
  public var digest: String {
    var digest = [UInt8](repeating: 0, count: 32)
    let bytes = Array(text.utf8)
    // Fails only for sizes out of range, and these are constants within it.
    _ = crypto_generichash(&digest, digest.count, bytes, UInt64(bytes.count), nil, 0)
    return Hexadecimal.text(digest)
  }
}

extension DrawnSecret: CustomStringConvertible {
  /// Nothing of it, so that no log shows it.
  public var description: String { "a secret" }
}
