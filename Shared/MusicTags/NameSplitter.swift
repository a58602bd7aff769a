import Text

/// Splits a value of a tag into the names or words that it holds. A pure function of the value and the rules.
package struct NameSplitter: Sendable {
  /// Something that stands between two names, in small letters.
  private struct Separator {
    let bytes: [UInt8]
    /// True for a word between blanks, such as ` feat. `.
    let isWord: Bool
    /// True for a word without a full stop, such as ` feat `, which may also end a name: `Little Feat`.
    let mayEndName: Bool

    /// True for ` ft ` and ` ft. `, which is also the unit of a length.
    let isUnit: Bool

    init(_ text: String) {
      let bytes = text.utf8.map(NameSplitter.small)
      self.bytes = bytes
      isUnit = [" ft ", " ft. "].contains { bytes == Array($0.utf8) }
      isWord = NameSplitter.isWord(text)
      mayEndName = isWord && !bytes.contains(UInt8(ascii: "."))
    }
  }

  /// A place at which a value is cut: what stands before `start` and from `end` on are two names. The cuts of a value
  /// are in order, and none begins before the one before it ends.
  private struct Cut {
    var start: Int
    var end: Int
    /// The bracket that closes the one which the separator begins.
    var closing: UInt8?
    /// True for a separator that is a word.
    var isWord: Bool
    /// True for a word that belongs to the name before it if another separator follows at once.
    var mayEndName: Bool
  }

  private let separators: [Separator]
  private var keptNames: Set<String>
  /// The most separators in one kept name.
  private var mostKeptCuts = 0
  /// True for the bytes with which a separator can begin.
  private let isStart: [Bool]

  package init(_ separators: [String], keeping keptNames: Set<String>) {
    let separators = separators.map(Separator.init).filter { !$0.bytes.isEmpty }
    var isStart = [Bool](repeating: false, count: 256)
    for separator in separators { isStart[Int(separator.bytes[0])] = true }
    if separators.contains(where: \.isWord) { for byte in "([".utf8 { isStart[Int(byte)] = true } }
    self.separators = separators
    self.keptNames = keptNames
    self.isStart = isStart
    mostKeptCuts = keptNames.reduce(0) { max($0, cuts(in: $1).count) }
  }

  /// Returns a splitter that keeps the names of these keys.
  package func keeping(_ keys: Set<String>) -> NameSplitter {
    var splitter = self
    splitter.keptNames = keys
    splitter.mostKeptCuts = keys.reduce(0) { max($0, cuts(in: $1).count) }
    return splitter
  }

  /// Returns the key of a name in the set of kept names.
  package static func key(of name: String) -> String { name.trimmed.caseFolded }

  /// Returns true for a separator that is a word between blanks.
  package static func isWord(_ separator: String) -> Bool {
    separator.hasPrefix(" ") && separator.hasSuffix(" ") && separator.utf8.contains { (97...122).contains(small($0)) }
  }

  /// Returns true if a value holds a separator.
  package func contains(_ value: String) -> Bool { !cuts(in: value).isEmpty }

  /// Returns the names in a value, in their order; a kept name is not cut. Where several kept names begin at the same
  /// place, the longest counts.
  package func split(_ value: String) -> [String] {
    let names = parts(of: value)
    return names.isEmpty ? [value] : names
  }

  /// Returns the same names, and none for a value of separators only.
  private func parts(of value: String) -> [String] {
    let cuts = cuts(in: value)
    guard !cuts.isEmpty else { return [value] }
    var names: [String] = []
    var (start, next) = (0, 0)
    while true {
      // The cut behind the name, or the end: that behind the longest kept name, else the next one. The blanks at the
      // ends of a kept name may make one cut more of it.
      let longest = min(next + mostKeptCuts + 1, cuts.count)
      let kept = (next...longest).reversed().first { isKept(text(value, start..<end(of: $0, cuts, value))) }
      let last = kept ?? next
      let closing = next > 0 && kept == nil ? cuts[next - 1].closing : nil
      let name = text(value, start..<end(of: last, cuts, value), without: closing)
      if !name.isEmpty { names.append(name) }
      guard last < cuts.count else { break }
      start = cuts[last].end
      next = last + 1
    }
    return names
  }

  /// Returns the names in a bracket of a title that begins with a word such as `feat.`; none where there is no such
  /// bracket.
  package func featured(inTitle title: String) -> [String] {
    guard title.utf8.contains(where: { Self.closing($0) != nil }) else { return [] }
    guard let cut = cuts(in: title).first(where: { $0.closing != nil }), let closing = cut.closing else { return [] }
    let inside = title.utf8.dropFirst(cut.end).prefix { $0 != closing }
    let names = String(Substring(inside)).trimmed
    return names.isEmpty ? [] : split(names)
  }

  /// Returns the words in some values, each once.
  package func words(in values: [String], most: Int = 24) -> [String] {
    guard !values.isEmpty else { return [] }
    var words: [String] = []
    var keys: Set<String> = []
    for value in values {
      for word in parts(of: value).map(\.trimmed) where words.count < most && !word.isEmpty {
        if keys.insert(word.caseFolded).inserted { words.append(word) }
      }
    }
    return words
  }

  /// Returns a name without the artists who come after the first word such as ` feat. `: `Nas feat. Olu Dara` becomes
  /// `Nas`. A kept name is not cut.
  package func withoutFeatured(_ name: String) -> String {
    guard let cut = cuts(in: name).first(where: \.isWord), !isKept(name) else { return name }
    let first = text(name, 0..<cut.start)
    return first.isEmpty ? name : first
  }

  private func isKept(_ name: String) -> Bool { keptNames.contains(Self.key(of: name)) }

  private func end(of cut: Int, _ cuts: [Cut], _ value: String) -> Int {
    cut < cuts.count ? cuts[cut].start : value.utf8.count
  }

  /// Returns a part of a value, without the first of some closing brackets.
  private func text(_ value: String, _ range: Range<Int>, without closing: UInt8? = nil) -> String {
    var part = Array(value.utf8.dropFirst(range.lowerBound).prefix(range.count))
    if let closing, let index = part.firstIndex(of: closing) { part.remove(at: index) }
    return String(decoding: part, as: UTF8.self).trimmed
  }

  private func cuts(in value: String) -> [Cut] {
    var value = value
    return value.withUTF8 { bytes in
      var cuts: [Cut] = []
      var index = 0
      while index < bytes.count {
        if isStart[Int(bytes[index])], var cut = cut(at: index, in: bytes) {
          // The blank at the end of a separator may begin the next one.
          index = max(index + 1, bytes[cut.end - 1] == 32 ? cut.end - 1 : cut.end)
          if let last = cuts.last, bytes[min(last.end, cut.start)..<cut.start].allSatisfy({ $0 == 32 }) {
            // Nothing stands between the two: `Little Feat feat. Bo` has two names, and so has `Ann / / Bo`.
            if last.mayEndName {
              cuts.removeLast()
            } else {
              cut.start = max(cut.start, last.end)
              cut.mayEndName = false
            }
          }
          cuts.append(cut)
        } else {
          index += 1
        }
      }
      return cuts
    }
  }

  private func cut(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Cut? {
    let closing = Self.closing(bytes[index])
    for separator in separators {
      let end = index + separator.bytes.count
      guard end <= bytes.count else { continue }
      // A bracket may stand in place of the blank before a word, but not at the beginning of the value.
      let first = separator.isWord && index > 0 && closing != nil ? 1 : 0
      let isMatch = (first..<separator.bytes.count).allSatisfy {
        Self.small(bytes[index + $0]) == separator.bytes[$0]
      }
      if isMatch, !separator.isWord || index > 0 {
        // `10 ft. Ganja Plant` is a name with a length in it.
        if separator.isUnit, bytes[..<index].allSatisfy({ (48...57).contains($0) }) { continue }
        return Cut(
          start: index, end: end, closing: first == 1 ? closing : nil, isWord: separator.isWord,
          mayEndName: separator.mayEndName && first == 0)
      }
    }
    return nil
  }

  /// Returns the bracket that closes one; nil for other bytes.
  private static func closing(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "("): UInt8(ascii: ")")
    case UInt8(ascii: "["): UInt8(ascii: "]")
    default: nil
    }
  }

  private static func small(_ byte: UInt8) -> UInt8 { byte &- 65 < 26 ? byte | 32 : byte }
}
