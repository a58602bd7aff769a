/// Makes keys by which texts with numbers sort as people count: `Track 2` before `Track 10`.
///
/// A number is preceded by the count of its digits, so that a longer one sorts later, and followed by a byte 1 for each
/// zero before it, so that different texts have different keys: `2` becomes `12`, `10` becomes `210`, and `02` becomes
/// `12` and a 1. The key of a text that ends before a number, or with one, is the beginning of the keys of all texts
/// that continue with another sign.
public enum NaturalOrder {
  private static let mark: UInt8 = 1
  private static let zero = UInt8(ascii: "0")

  /// Appends the key of a text in UTF-8. Keys compare as their bytes do.
  public static func append(_ text: UnsafeBufferPointer<UInt8>, to key: inout [UInt8]) {
    var index = 0
    while index < text.count {
      guard isDigit(text[index]) else {
        key.append(text[index])
        index += 1
        continue
      }
      var end = index + 1
      while end < text.count, isDigit(text[end]) { end += 1 }
      append(number: UnsafeBufferPointer(rebasing: text[index..<end]), to: &key)
      index = end
    }
  }

  /// Returns the key of some bytes, such as those of a path.
  public static func key(of bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(where: isDigit) else { return bytes }
    var key: [UInt8] = []
    key.reserveCapacity(bytes.count + 4)
    bytes.withUnsafeBufferPointer { append($0, to: &key) }
    return key
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- zero < 10 }

  private static func append(number digits: UnsafeBufferPointer<UInt8>, to key: inout [UInt8]) {
    let zeros = digits.prefix { $0 == zero }.count
    let skipped = min(zeros, digits.count - 1)
    let count = digits.count - skipped
    if count < 9 {
      key.append(zero + UInt8(count))
    } else {
      let most = min(count, 99)
      key += [zero + 9, zero + UInt8(most / 10), zero + UInt8(most % 10)]
    }
    key.append(contentsOf: digits[skipped...])
    for _ in 0..<skipped { key.append(mark) }
  }
}
