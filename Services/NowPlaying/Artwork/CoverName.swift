import Model

/// What a cover's file is called: after the picture, so that a program that keeps pictures by their address never shows
/// another one's.
enum CoverName {
  /// The name: a 64-bit sum (FNV-1a) of the picture's reference, which may be of any length and hold any character, and
  /// the number of the search that found it.
  static func of(_ cover: ArtID, search: Int) -> String {
    var sum: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in cover.description.utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let digits = String(sum, radix: 16)
    // Programs tell pictures by their first bytes; the ending is for those that want one.
    return "\(String(repeating: "0", count: 16 - digits.count))\(digits)-\(search).jpg"
  }
}
