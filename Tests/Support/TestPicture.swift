/// Pictures for tests, made byte by byte: PNG without compression.
public enum TestPicture {
  /// Returns a PNG whose pixels `colour` chooses by column and row: red, green, blue.
  public static func png(
    width: Int, height: Int, _ colour: (Int, Int) -> (UInt8, UInt8, UInt8) = { _, _ in (200, 30, 30) }
  ) -> [UInt8] {
    var rows: [UInt8] = []
    rows.reserveCapacity(height * (width * 3 + 1))
    for row in 0..<height {
      rows.append(0)
      for column in 0..<width {
        let (red, green, blue) = colour(column, row)
        rows += [red, green, blue]
      }
    }
    return head(width: width, height: height) + chunk("IDAT", deflated(rows)) + chunk("IEND", [])
  }

  /// Returns a PNG whose header states this size, without any pixels.
  public static func bomb(width: Int, height: Int) -> [UInt8] {
    head(width: width, height: height) + chunk("IDAT", deflated([0])) + chunk("IEND", [])
  }

  private static func head(width: Int, height: Int) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", big(width) + big(height) + [8, 2, 0, 0, 0])
  }

  private static func big(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }

  private static func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + bytes
    return big(bytes.count) + body + big(Int(crc(body)))
  }

  /// RFC 1950 and 1951: uncompressed blocks.
  private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0x78, 0x01]
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(block.count)
      let (low, high) = (UInt8(block.count & 255), UInt8(block.count >> 8))
      result += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high] + block
    } while !rest.isEmpty
    var (first, second) = (1, 0)
    for byte in bytes {
      first = (first + Int(byte)) % 65_521
      second = (second + first) % 65_521
    }
    return result + big(second << 16 | first)
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(0xFFFF_FFFF as UInt32) { value, byte in
      (0..<8).reduce(value ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
  }
}
