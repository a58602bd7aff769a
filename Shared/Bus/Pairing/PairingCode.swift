import CSodium

/// The code that a person reads on one machine and types on another: 40 random bits, written as `K7QM-3XPD`.
///
/// 40 bits are enough: codes cannot be tested without asking the host, so every guess needs a connection, and five
/// wrong ones void the code. The letters are Crockford's base 32, which has no I, L and O: these are read as the digits
/// that they resemble.
public struct PairingCode: Hashable, Sendable {
  private static let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
  private static let count = 8

  private let symbols: [UInt8]

  /// Returns a random code.
  public static func random() -> PairingCode {
    var bytes = [UInt8](repeating: 0, count: count)
    randombytes_buf(&bytes, count)
    // 256 is a multiple of 32, so all letters are equally likely.
    return PairingCode(symbols: bytes.map { letters[Int($0 & 31)] })
  }

  private init(symbols: [UInt8]) { self.symbols = symbols }

  /// Reads a code that a person typed. Small letters, spaces, dashes, underscores and dots are accepted, and O, I, L
  /// for digits; nil if the text is not a code.
  public init?(_ text: String) {
    var symbols: [UInt8] = []
    for byte in text.utf8 {
      let upper = (97...122).contains(byte) ? byte - 32 : byte
      switch upper {
      case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): continue
      case UInt8(ascii: "O"): symbols.append(UInt8(ascii: "0"))
      case UInt8(ascii: "I"), UInt8(ascii: "L"): symbols.append(UInt8(ascii: "1"))
      default:
        guard Self.letters.contains(upper), symbols.count < Self.count else { return nil }
        symbols.append(upper)
      }
    }
    guard symbols.count == Self.count else { return nil }
    self.symbols = symbols
  }

  /// The code as it is shown to the person who pairs machines; never to be logged.
  public var text: String {
    String(decoding: symbols.prefix(4), as: UTF8.self) + "-" + String(decoding: symbols.suffix(4), as: UTF8.self)
  }

  /// The bytes that both sides use as the password of the key exchange.
  var password: [UInt8] { symbols }
}

extension PairingCode: CustomStringConvertible, CustomReflectable {
  /// A text without the code, so that no log shows it.
  public var description: String { "a code" }
  /// A mirror without the code.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The secret that two sides who know one code share after the key exchange; it proves and seals their messages. Each
/// use has a key of its own, the keyed BLAKE2b of a label, and each of these keys is used once.
struct PairingSecret {
  enum Use: String {
    case joinerProof = "lunara-pair-1 joiner"
    case hostProof = "lunara-pair-1 household"
    case introduction = "lunara-pair-1 introduction"
    case household = "lunara-pair-1 sealed household"
    case kept = "lunara-pair-1 kept"
  }

  static let proofSize = 32
  private static let tagSize = Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)

  private let secret: [UInt8]

  /// Takes the 64 bytes that `CPace` gave.
  init(_ secret: [UInt8]) { self.secret = secret }

  /// Returns a proof that its sender has the secret: 32 bytes that only the two sides can compute. Unlike a sealed
  /// message it fits one secret only, so each sent proof is one guess.
  func proof(_ use: Use) -> [UInt8] {
    let label = Array(use.rawValue.utf8)
    var proof = [UInt8](repeating: 0, count: Self.proofSize)
    // Fails only for sizes out of range; these are constants within it.
    _ = crypto_generichash(&proof, proof.count, label, UInt64(label.count), secret, secret.count)
    return proof
  }

  /// Returns true if this is the proof for a use. The comparison takes constant time.
  func accepts(_ proof: some Collection<UInt8>, _ use: Use) -> Bool {
    proof.count == Self.proofSize && sodium_memcmp(self.proof(use), Array(proof), Self.proofSize) == 0
  }

  /// Seals bytes. The nonce is zero, as the key seals this one message only.
  func seal(_ plain: [UInt8], _ use: Use) -> [UInt8] {
    var sealed = [UInt8](repeating: 0, count: plain.count + Self.tagSize)
    var key = proof(use)
    defer { sodium_memzero(&key, key.count) }
    _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
      &sealed, nil, plain, UInt64(plain.count), nil, 0, nil, Self.nought, key)
    return sealed
  }

  func open(_ sealed: some Collection<UInt8>, _ use: Use) -> [UInt8]? {
    guard sealed.count >= Self.tagSize else { return nil }
    let sealed = Array(sealed)
    var plain = [UInt8](repeating: 0, count: sealed.count - Self.tagSize)
    var key = proof(use)
    defer { sodium_memzero(&key, key.count) }
    guard
      crypto_aead_xchacha20poly1305_ietf_decrypt(
        &plain, nil, nil, sealed, UInt64(sealed.count), nil, 0, Self.nought, key) == 0
    else { return nil }
    return plain
  }

  private static let nought = [UInt8](repeating: 0, count: Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES))
}
