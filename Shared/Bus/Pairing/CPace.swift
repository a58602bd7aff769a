import CSodium
import Model

/// One run of CPace, in which two sides that know the same password agree on a secret. The messages cannot be tested
/// against a list of passwords: a listener learns nothing, and a side that does not know the password has one guess for
/// each run.
///
/// The suite is CPACE-RISTR255-SHA512 of draft-irtf-cfrg-cpace-21 with an initiator and a responder, on libsodium's
/// ristretto255 and SHA-512; a test checks it against the draft's vectors (appendix B.3).
struct CPace {
  static let shareSize = Int(crypto_core_ristretto255_BYTES)

  let share: [UInt8]
  private var scalar: [UInt8]
  private let session: [UInt8]

  /// - Parameters:
  ///   - password: the bytes of the password.
  ///   - channel: the purpose of the run and its two sides, known to both.
  ///   - session: random bytes that one side has drawn for this run.
  ///   - scalar: the secret number of this side; nil for a random one.
  /// - Throws: `bus.noSodium`.
  init(password: [UInt8], channel: [UInt8], session: [UInt8], scalar: [UInt8]? = nil) throws {
    guard sodium_init() >= 0 else { throw HouseholdKey.noSodium }
    self.session = session
    if let scalar {
      self.scalar = scalar
    } else {
      self.scalar = [UInt8](repeating: 0, count: Int(crypto_core_ristretto255_SCALARBYTES))
      crypto_core_ristretto255_scalar_random(&self.scalar)
    }
    var generator = Self.generator(password: password, channel: channel, session: session)
    var share = [UInt8](repeating: 0, count: Self.shareSize)
    // Fails only if the scalar is 0, which a random one is not.
    guard crypto_scalarmult_ristretto255(&share, self.scalar, generator) == 0 else { throw HouseholdKey.noSodium }
    sodium_memzero(&generator, generator.count)
    self.share = share
  }

  enum Side { case initiator, responder }

  /// Returns the secret of the run, 64 bytes; the other side gets the same if it knows the password. Returns nil if
  /// `other` is not a share. Ends the run and wipes its scalar.
  mutating func finish(_ other: [UInt8], as side: Side, _ initiator: [UInt8], _ responder: [UInt8]) -> [UInt8]? {
    defer { sodium_memzero(&scalar, scalar.count) }
    var point = [UInt8](repeating: 0, count: Self.shareSize)
    // The function fails for bytes that are not an element of the group, and for the neutral element.
    guard other.count == Self.shareSize, crypto_scalarmult_ristretto255(&point, scalar, other) == 0 else { return nil }
    let shares = side == .initiator ? (share, other) : (other, share)
    var bytes = Self.joined([Array("CPaceRistretto255_ISK".utf8), session, point])
    bytes += Self.joined([shares.0, initiator, shares.1, responder])
    defer {
      sodium_memzero(&point, point.count)
      sodium_memzero(&bytes, bytes.count)
    }
    return Self.hash(bytes)
  }

  /// Returns the generator, an element of the group, that follows from the password and the session.
  static func generator(password: [UInt8], channel: [UInt8], session: [UInt8]) -> [UInt8] {
    let domain = Array("CPaceRistretto255".utf8)
    // Padding makes the password fill the first hash block of 128 bytes, so that nothing else is in that block.
    let used = joined([domain]).count + joined([password]).count
    let padding = [UInt8](repeating: 0, count: max(0, 127 - used))
    var text = joined([domain, password, padding, channel, session])
    defer { sodium_memzero(&text, text.count) }
    var element = [UInt8](repeating: 0, count: shareSize)
    crypto_core_ristretto255_from_hash(&element, hash(text))
    return element
  }

  /// Returns the parts, each preceded by its length in groups of seven bits, the lowest first.
  static func joined(_ parts: [[UInt8]]) -> [UInt8] {
    var bytes: [UInt8] = []
    for part in parts {
      var rest = part.count
      while rest >= 128 {
        bytes.append(UInt8(rest & 127 | 128))
        rest >>= 7
      }
      bytes.append(UInt8(rest))
      bytes += part
    }
    return bytes
  }

  private static func hash(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha512_BYTES))
    crypto_hash_sha512(&digest, bytes, UInt64(bytes.count))
    return digest
  }
}
