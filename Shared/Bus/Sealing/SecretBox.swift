import CSodium
import Model

/// Seals bytes that are handed out and come back, such as what an address leads to, under a random key:
/// XChaCha20-Poly1305 (libsodium's `crypto_aead_xchacha20poly1305_ietf`). Without the key nobody can read or make
/// such a text.
///
/// The text is base64 with the alphabet of URLs, without padding (RFC 4648, 5), of the random nonce (24 bytes), the
/// encrypted bytes, and their tag (16 bytes).
public struct SecretBox: Sendable, CustomStringConvertible, CustomReflectable {
  /// The purpose of the texts, which is authenticated: a text of another use does not open.
  private let use: [UInt8]
  private let key: [UInt8]

  private static let nonceSize = Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)
  private static let tagSize = Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)
  private static let alphabet = Int32(sodium_base64_VARIANT_URLSAFE_NO_PADDING)

  /// Creates a box for one use; nil unless the key is 64 hexadecimal digits and libsodium can be used.
  public init?(use: String, key: String) {
    guard sodium_init() >= 0, let key = Hexadecimal.bytes(of: key.utf8), key.count == HouseholdKey.size else {
      return nil
    }
    self.use = Array(use.utf8)
    self.key = key
  }

  /// Creates a box for one use with a random key.
  ///
  /// - Throws: `bus.noSodium`.
  public static func random(use: String) throws -> SecretBox {
    guard let box = SecretBox(use: use, key: try HouseholdKey.random().secretText) else { throw HouseholdKey.noSodium }
    return box
  }

  /// The use, never the key.
  public var description: String { "box for \(String(decoding: use, as: UTF8.self))" }
  /// A mirror that has only the use.
  public var customMirror: Mirror { Mirror(self, children: ["use": String(decoding: use, as: UTF8.self)]) }

  /// The key as 64 hexadecimal digits, to be stored.
  public var keyText: String { Hexadecimal.text(key) }

  /// Returns the sealed text of bytes; it differs each time.
  public func seal(_ bytes: [UInt8]) -> String {
    var sealed = [UInt8](repeating: 0, count: Self.nonceSize + bytes.count + Self.tagSize)
    randombytes_buf(&sealed, Self.nonceSize)
    let nonce = Array(sealed.prefix(Self.nonceSize))
    sealed.withUnsafeMutableBufferPointer { sealed in
      guard let base = sealed.baseAddress else { return }
      // Cannot fail: the sizes are far below the limit of the cipher.
      _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
        base + Self.nonceSize, nil, bytes, UInt64(bytes.count), use, UInt64(use.count), nil, nonce, key)
    }
    let size = sodium_base64_encoded_len(sealed.count, Self.alphabet)
    return String(unsafeUninitializedCapacity: size) { text in
      guard let base = text.baseAddress else { return 0 }
      base.withMemoryRebound(to: CChar.self, capacity: size) {
        _ = sodium_bin2base64($0, size, sealed, sealed.count, Self.alphabet)
      }
      // The C function ends the text with a NUL.
      return size - 1
    }
  }

  /// Returns the bytes of a sealed text; nil if it was not sealed with this key for this use, or was changed.
  public func open(_ text: String) -> [UInt8]? {
    var sealed = [UInt8](repeating: 0, count: text.utf8.count)
    var count = 0
    let isText = sodium_base642bin(&sealed, sealed.count, text, text.utf8.count, nil, &count, nil, Self.alphabet) == 0
    guard isText, count >= Self.nonceSize + Self.tagSize else { return nil }
    let encrypted = Array(sealed[Self.nonceSize..<count])
    var bytes = [UInt8](repeating: 0, count: encrypted.count - Self.tagSize)
    let isOpen =
      crypto_aead_xchacha20poly1305_ietf_decrypt(
        &bytes, nil, nil, encrypted, UInt64(encrypted.count), use, UInt64(use.count), sealed, key) == 0
    return isOpen ? bytes : nil
  }
}
