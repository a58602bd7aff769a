import Text

/// Reads names of files and folders. Names are bytes; they need not be UTF-8.
package enum FileName {
  /// The name of the file or folder at a path.
  package static func last(ofPath path: [UInt8]) -> [UInt8] {
    path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[($0 + 1)...]) } ?? path
  }

  /// The ending after the last dot, in small letters; nil where there is none of at most five letters.
  package static func ending(_ name: [UInt8]) -> String? {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0, (1...5).contains(name.count - dot - 1) else {
      return nil
    }
    return String(decoding: name[(dot + 1)...].map(small), as: UTF8.self)
  }

  /// The name without its ending, as text for people.
  package static func stem(_ name: [UInt8]) -> String {
    let dot = name.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? $0 : nil } ?? name.count
    return String(decoding: name[..<dot], as: UTF8.self)
  }

  /// A number of up to three digits and the title after it: `03 - Blue in Green` gives 3 and `Blue in Green`. The
  /// number is nil where the name does not begin with one.
  package static func numberedTitle(_ stem: String) -> (number: Int?, title: String) {
    let name = stem.trimmed
    let digits = name.utf8.prefix { (48...57).contains($0) }
    var rest = Substring(name)[digits.endIndex...]
    guard (1...3).contains(digits.count), let number = Int(Substring(digits)), number > 0,
      let separator = rest.utf8.first, " .-_)".utf8.contains(separator)
    else { return (nil, name) }
    rest = rest.drop { " .-_)".contains($0) }
    return rest.isEmpty ? (nil, name) : (number, String(rest))
  }

  /// The number in a name like `CD 2`, `Disc2` or `disk_02`; nil for folders that are no part of a set.
  package static func discNumber(ofFolder name: [UInt8]) -> Int? {
    let name = name.map(small)
    for word in ["cd", "disc", "disk", "dvd", "vinyl", "lp"] where name.starts(with: word.utf8) {
      let rest = name.dropFirst(word.utf8.count).drop { " .-_#".utf8.contains($0) }
      let digits = rest.prefix { (48...57).contains($0) }
      guard (1...2).contains(digits.count), let number = Int(String(decoding: digits, as: UTF8.self)), number > 0,
        // A title may follow, as in `CD1 - The Early Years`, but no letter at once.
        rest.count == digits.count || " .-_(:".utf8.contains(rest[digits.endIndex])
      else { return nil }
      return number
    }
    return nil
  }

  /// Returns true if a file or folder is ignored: hidden ones, and those that systems and servers keep for themselves.
  package static func isPassedOver(_ name: [UInt8]) -> Bool {
    switch name.first {
    case UInt8(ascii: "."): true
    case .some(let first) where "l@#$S".utf8.contains(first): systemNames.contains { name.elementsEqual($0.utf8) }
    default: false
    }
  }

  private static let systemNames = ["lost+found", "@eaDir", "#recycle", "$RECYCLE.BIN", "System Volume Information"]

  private static func small(_ byte: UInt8) -> UInt8 { byte &- 65 < 26 ? byte | 32 : byte }
}
