import CSodium
import Model

/// The stored form of a password: a password can be checked against it, but not recovered from it.
///
/// It is Argon2id (RFC 9106) of libsodium with the parameters for interactive use, 64 MiB and two passes. That takes
/// about a tenth of a second of one core, so it must run on a thread that may block.
public struct PasswordHash: Codable, Hashable, Sendable {
  /// libsodium's text form, which holds the parameters and the salt.
  private var text: String

  /// Creates the hash of a password, with a random salt.
  ///
  /// - Throws: `bus.noSodium` if there is not enough memory.
  public init(of password: String) throws {
    var bytes = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
    guard sodium_init() >= 0,
      crypto_pwhash_str(
        &bytes, password, UInt64(password.utf8.count), UInt64(crypto_pwhash_OPSLIMIT_INTERACTIVE),
        Int(crypto_pwhash_MEMLIMIT_INTERACTIVE)) == 0
    else { throw HouseholdKey.noSodium }
    text = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Returns true if this is the password. A wrong one takes as long to check.
  public func matches(_ password: String) -> Bool {
    sodium_init() >= 0 && crypto_pwhash_str_verify(text, password, UInt64(password.utf8.count)) == 0
  }
}

extension PasswordHash: CustomStringConvertible {
  /// A text without the hash, so that no log shows it.
  public var description: String { "a password's hash" }
}

/// A random secret, such as a browser's cookie, by which its holder is recognised.
public struct DrawnSecret: Hashable, Sendable {
  /// The secret as 64 hexadecimal digits.
  public let text: String

  /// Creates a secret from 32 random bytes of the system.
  public init() {
    text = Hexadecimal.text((0..<32).map { _ in UInt8.random(in: .min ... .max) })
  }

  /// Reads a secret that was shown; nil if the text does not have the form of one.
  public init?(_ text: String) {
    guard text.utf8.count == 64, text.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) else {
      return nil
    }
    self.text = text
  }

  /// The BLAKE2b of the text, in hexadecimal digits: it is stored to recognise the secret, and does not reveal it.
  public var digest: String {
    var digest = [UInt8](repeating: 0, count: 32)
    let bytes = Array(text.utf8)
    // Fails only for sizes out of range; these are constants within it.
    _ = crypto_generichash(&digest, digest.count, bytes, UInt64(bytes.count), nil, 0)
    return Hexadecimal.text(digest)
  }
}

extension DrawnSecret: CustomStringConvertible {
  /// A text without the secret, so that no log shows it.
  public var description: String { "a secret" }
}
