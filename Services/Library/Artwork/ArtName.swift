import Model

/// The names of pictures' files that are kept as their source has them.
enum ArtName {
  /// The name of a picture as it is: its id, with everything but letters, digits, dots and hyphens of a file's name
  /// written as `%` and two digits. One that is too long for a file system ends in a hash instead.
  static func original(_ id: ArtID) -> String {
    var name = ""
    for byte in "\(id.source)-\(id.native)".utf8 {
      switch byte {
      case 48...57, 65...90, 97...122, 45, 46, 95: name.unicodeScalars.append(Unicode.Scalar(byte))
      default: name += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
    guard name.utf8.count > 200 else { return name }
    // FNV-1a: one who makes two of them alike has only their own server's pictures to mix up.
    let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return name.prefix(180) + "-" + String(hash, radix: 16)
  }
}
