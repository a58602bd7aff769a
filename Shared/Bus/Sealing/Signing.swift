import CSodium

/// Signatures of texts, such as addresses that are handed out, by the household's keys: keyed BLAKE2b under a key of
/// its own for each use, so that a signature for one is nothing to another.
///
/// The first key signs, all of them are accepted, so a key is rotated without what was signed before becoming void.
public struct Signing: Sendable {
  private let label: String
  private let keys: KeyRing?
  /// What signs where there is no household's key: void with the process.
  private let own: HouseholdKey

  /// Makes signatures for one use.
  ///
  /// - Parameters:
  ///   - label: names the use, for example `lunara-media-1`.
  ///   - keys: the household's; nil for a random one that no other process knows.
  /// - Throws: `bus.noSodium`.
  public init(label: String, keys: KeyRing?) throws {
    self.label = label
    self.keys = keys
    own = try .random()
  }

  /// The signature of a text: 64 hexadecimal digits.
  public func signature(of text: String) -> String {
    Hexadecimal.text((keys?.first ?? own).signature(of: text, label: label))
  }

  /// Whether a signature is one of this text, told in constant time.
  public func accepts(_ signature: String, of text: String) -> Bool {
    guard let bytes = Hexadecimal.bytes(of: signature.utf8), bytes.count == HouseholdKey.size else { return false }
    return (keys?.all ?? [own]).contains { key in
      let right = key.signature(of: text, label: label)
      return sodium_memcmp(right, bytes, right.count) == 0
    }
  }
}
