import Text

/// Reads names of files and folders. Names are bytes; they need not be UTF-8.
package enum FileName {
  /// The name of the file or folder at a path.
  package static func last(ofPath path: [UInt8]) -> [UInt8] {
    path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[($0 + 1)...]) } ?? path
  }

  /// The ending after the last dot, in small letters; nil if there is none of at most five letters.
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
  /// number is nil if the name does not begin with one.
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

  /// The folder of one disc of an album.
  package struct Disc: Hashable, Sendable {
    /// From 1 on.
    package let number: Int
    /// The name of the album's folder beside it, such as `Album` for `Album Disc 2`; empty if it lies in that folder.
    package let album: [UInt8]
  }

  /// The disc that a name like `CD 2`, `disk_02`, `(CD1) The Early Years`, `Album Disc 2` or `Album [CD2]` names; nil
  /// for folders that are no part of a set.
  package static func disc(ofFolder name: [UInt8]) -> Disc? {
    let small = name.map(small)
    let open = small.prefix { "([".utf8.contains($0) }.count
    for word in ["cd", "disc", "disk", "dvd", "vinyl", "lp", "digital media"] {
      guard small[open...].starts(with: word.utf8) else { continue }
      let rest = small[(open + word.utf8.count)...].drop { " .-_#".utf8.contains($0) }
      let digits = rest.prefix(while: isDigit)
      // A title may follow, as in `CD1 - The Early Years`, but no letter at once.
      guard let number = discNumber(digits),
        rest.count == digits.count || " .-_(:)]".utf8.contains(rest[digits.endIndex])
      else { return nil }
      return Disc(number: number, album: [])
    }
    return discAtEnd(of: small).map { Disc(number: $0.number, album: Array(name.prefix($0.album))) }
  }

  /// The number of the disc, and the length of what stands before it, of `Album Disc 2` and the like.
  private static func discAtEnd(of name: [UInt8]) -> (number: Int, album: Int)? {
    let isBlank: (UInt8) -> Bool = { " .-_,".utf8.contains($0) }
    var rest = name[...]
    let closing = rest.last.flatMap { ")]".utf8.contains($0) ? $0 : nil }
    if closing != nil { rest = rest.dropLast() }
    let digits = rest.suffix(while: isDigit)
    guard let number = discNumber(digits) else { return nil }
    rest = rest.dropLast(digits.count).dropLast(while: { " .-_#".utf8.contains($0) })
    guard let word = ["cd", "disc", "disk"].first(where: { rest.suffix($0.utf8.count).elementsEqual($0.utf8) }) else {
      return nil
    }
    rest = rest.dropLast(word.utf8.count)
    if closing != nil {
      guard let open = rest.last, "([".utf8.contains(open) else { return nil }
      rest = rest.dropLast()
    } else {
      guard let separator = rest.last, isBlank(separator) else { return nil }
    }
    rest = rest.dropLast(while: isBlank)
    return rest.isEmpty ? nil : (number, rest.count)
  }

  private static func discNumber(_ digits: ArraySlice<UInt8>) -> Int? {
    guard (1...2).contains(digits.count), let number = Int(String(decoding: digits, as: UTF8.self)), number > 0 else {
      return nil
    }
    return number
  }

  /// Returns true if a file or folder is ignored: hidden ones, and those that systems and servers keep for themselves,
  /// such as bins and snapshots. A name that begins with two dots is one of music, such as `...And Justice`.
  package static func isPassedOver(_ name: [UInt8]) -> Bool {
    switch name.first {
    case UInt8(ascii: "."): name.count < 3 || name[1] != UInt8(ascii: ".")
    case .some(let first) where "lnrst@#$~".utf8.contains(small(first)):
      systemNames.contains(String(decoding: name.map(small), as: UTF8.self))
    default: false
    }
  }

  /// In small letters: the names of Linux, Windows and macOS, and of boxes by Synology, QNAP, NetApp and others.
  private static let systemNames: Set<String> = [
    "lost+found", "@eadir", "@tmp", "@sharebin", "#recycle", "@recycle", "@recently-snapshot", "#snapshot",
    "#snapshots",
    "~snapshot", "$recycle.bin", "recycler", "system volume information", "network trash folder", "temporary items",
    "trashbox",
  ]

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }

  private static func small(_ byte: UInt8) -> UInt8 { byte &- 65 < 26 ? byte | 32 : byte }
}

extension ArraySlice {
  /// The longest part at the end whose elements meet a condition.
  fileprivate func suffix(while condition: (Element) -> Bool) -> ArraySlice {
    self[(lastIndex { !condition($0) }.map { $0 + 1 } ?? startIndex)...]
  }

  fileprivate func dropLast(while condition: (Element) -> Bool) -> ArraySlice {
    dropLast(suffix(while: condition).count)
  }
}
