import CSodium
import Model

/// One run of CPace, in which two sides that know the same password agree on a secret. The messages cannot be tested
/// against a list of passwords: a listener learns nothing, and a side that does not know the password has one guess a
/// run.
///
/// The suite is CPACE-RISTR255-SHA512 of draft-irtf-cfrg-cpace-21 with an initiator and a responder, on libsodium's
/// ristretto255 and SHA-512; a test holds it against the draft's vectors (appendix B.3).
struct CPace {
  static let shareSize = Int(crypto_core_ristretto255_BYTES)

  let share: [UInt8]
  private var scalar: [UInt8]
  private let session: [UInt8]

  /// - Parameters:
  ///   - channel: the purpose of the run and its two sides, known to both.
  ///   - session: random bytes that one of them has drawn for this run.
  ///   - scalar: the run's own secret; drawn where none is given.
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
    // Fails where a drawn scalar is 0, which it is not.
    guard crypto_scalarmult_ristretto255(&share, self.scalar, generator) == 0 else { throw HouseholdKey.noSodium }
    sodium_memzero(&generator, generator.count)
    self.share = share
  }

  enum Side { case initiator, responder }

  /// Returns the secret of the run, 64 bytes, which the other side gets as well if it knows the password; nil if
  /// `other` is no share. Ends the run and wipes its scalar.
  mutating func finish(_ other: [UInt8], as side: Side, _ initiator: [UInt8], _ responder: [UInt8]) -> [UInt8]? {
    defer { sodium_memzero(&scalar, scalar.count) }
    var point = [UInt8](repeating: 0, count: Self.shareSize)
    // Refuses what is no element of the group, and its neutral one.
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

  /// The element of the group that a password leads to in one run.
  static func generator(password: [UInt8], channel: [UInt8], session: [UInt8]) -> [UInt8] {
    let domain = Array("CPaceRistretto255".utf8)
    // The secret fills the first block of the hash alone, 128 bytes.
    let used = joined([domain]).count + joined([password]).count
    let padding = [UInt8](repeating: 0, count: max(0, 127 - used))
    var text = joined([domain, password, padding, channel, session])
    defer { sodium_memzero(&text, text.count) }
    var element = [UInt8](repeating: 0, count: shareSize)
    crypto_core_ristretto255_from_hash(&element, hash(text))
    return element
  }

  /// Parts with the length of each before it, in groups of seven bits, the lowest first.
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
