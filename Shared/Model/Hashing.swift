/// The 64-bit hash FNV-1a (Fowler, Noll, Vo), the same on every machine and in every run. Only for uses in which nobody
/// gains by forging a collision.
public struct FNV1a: Sendable {
  /// The hash of all bytes so far.
  public private(set) var value: UInt64

  public init(basis: UInt64 = 0xCBF2_9CE4_8422_2325) { value = basis }

  /// Adds a byte.
  public mutating func combine(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }

  /// Adds bytes.
  public mutating func combine(_ bytes: some Sequence<UInt8>) {
    // The iterator of a sequence from another module takes several times as long as a buffer.
    let isCombined = bytes.withContiguousStorageIfAvailable { buffer in
      for byte in buffer { combine(byte) }
      return true
    }
    if isCombined == nil { for byte in bytes { combine(byte) } }
  }

  /// Adds the bytes of a number, the lowest first.
  public mutating func combine(littleEndian number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { combine($0) }
  }

  /// Returns the hash of bytes.
  public static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var hash = FNV1a()
    hash.combine(bytes)
    return hash.value
  }

  /// Returns the hash of a text's UTF-8.
  public static func hash(_ text: String) -> UInt64 { hash(text.utf8) }
}

/// A pseudorandom generator that depends only on its seed, the same on every machine (Steele, Lea and Flood: Fast
/// Splittable Pseudorandom Number Generators, 2014). Not for secrets.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  /// The present state; initially the seed.
  public var state: UInt64

  /// Returns the next number.
  public mutating func next() -> UInt64 {
    state &+= Self.increment
    return Self.mix(state)
  }

  /// The number that each step adds to the state: 2^64 divided by the golden ratio.
  public static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Returns the mixed form of a number: close numbers give distant results, and different numbers different results.
  public static func mix(_ number: UInt64) -> UInt64 {
    var mixed = number
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
