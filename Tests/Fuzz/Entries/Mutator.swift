import TestSupport

/// Makes inputs that are almost valid, the same in every run.
struct Mutator: RandomNumberGenerator {
  private var random: Seeded
  private static let marks = Array("{}[]\",:\\0-9eE. \n#=@\u{0}".utf8) + [0x80, 0xff, 0x10, 0x11]
  private static let words = Corpus.words.map { Array($0.utf8) }

  init(seed: UInt64) { random = Seeded(seed) }

  mutating func next() -> UInt64 { random.next() }

  /// Returns a random element of a list.
  mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }

  /// Returns a number from 0 to below `limit`, which is above 0.
  mutating func below(_ limit: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(limit)).high) }

  /// Applies one to four changes; the result may by chance equal the input.
  mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...below(4) where !bytes.isEmpty {
      let at = below(bytes.count)
      switch below(9) {
      case 0: bytes[at] = UInt8(truncatingIfNeeded: next())
      case 1: bytes[at] ^= 1 << UInt8(below(8))
      case 2: bytes[at] = pick(Self.marks)
      case 3: bytes.remove(at: at)
      case 4: bytes.insert(pick(Self.marks), at: at)
      case 5: bytes.removeLast(bytes.count - at)
      case 6: bytes.insert(contentsOf: pick(Self.words), at: at)
      case 7: bytes.replaceSubrange(at..<min(bytes.count, at + below(40)), with: [])
      default: bytes.insert(contentsOf: Array(bytes[at..<min(bytes.count, at + 1 + below(40))]), at: below(bytes.count))
      }
    }
    return bytes
  }
}
