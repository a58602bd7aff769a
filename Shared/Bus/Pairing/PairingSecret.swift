import CSodium

/// What two who know one code have in common after the exchange, and all that is proven and sealed with it. Each use has
/// a key of its own, the keyed BLAKE2b of a label, and each of these is used once.
struct PairingSecret {
  /// What is said with it.
  enum Use: String {
    case joinerProof = "lunara-pair-1 joiner"
    case hostProof = "lunara-pair-1 household"
    case introduction = "lunara-pair-1 introduction"
    case household = "lunara-pair-1 sealed household"
    case kept = "lunara-pair-1 kept"
  }

  /// How many bytes a proof has.
  static let proofSize = 32
  private static let tagSize = Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)

  private let secret: [UInt8]

  /// Takes the 64 bytes that CPace led to.
  init(_ secret: [UInt8]) { self.secret = secret }

  /// Shows that its sender has the secret: 32 bytes that only it and the other side can make. Unlike a sealed message it
  /// fits one secret only, so one that is sent is one guess.
  func proof(_ use: Use) -> [UInt8] {
    let label = Array(use.rawValue.utf8)
    var proof = [UInt8](repeating: 0, count: Self.proofSize)
    // Fails only for sizes out of range, and these are constants within it.
    _ = crypto_generichash(&proof, proof.count, label, UInt64(label.count), secret, secret.count)
    return proof
  }

  /// Whether this is the proof, told in constant time.
  func accepts(_ proof: some Collection<UInt8>, _ use: Use) -> Bool {
    proof.count == Self.proofSize && sodium_memcmp(self.proof(use), Array(proof), Self.proofSize) == 0
  }

  /// Seals bytes. The nonce is nought, since the key is for this one message.
  func seal(_ plain: [UInt8], _ use: Use) -> [UInt8] {
    var sealed = [UInt8](repeating: 0, count: plain.count + Self.tagSize)
    var key = proof(use)
    defer { sodium_memzero(&key, key.count) }
    _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
      &sealed, nil, plain, UInt64(plain.count), nil, 0, nil, Self.nought, key)
    return sealed
  }

  /// Opens what was sealed for this use; nil for anything else.
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
