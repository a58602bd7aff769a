package import Messages
package import Model

/// Lyrics as a text has them: with the times of LRC at the beginning of lines, or without.
package struct LyricsText: Equatable {
  package private(set) var lines: [Library.LyricsLine] = []
  /// The language that the text says.
  package private(set) var language: String?

  /// The most lines, and the most bytes of them, so that they fit into one message.
  private static let mostLines = 4000
  private static let mostBytes = 120_000

  /// True if lines have times.
  var isTimed: Bool { lines.contains { $0.start != nil } }

  package init(_ text: String) {
    var timed: [(start: Milliseconds, text: String)] = []
    var plain: [String] = []
    var offset = 0.0
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      var rest = line.trimmed
      var starts: [Double] = []
      while let tag = Tag(&rest) {
        switch tag {
        case .time(let seconds): starts.append(seconds)
        case .offset(let seconds): offset = seconds
        case .language(let name): language = name
        case .other: break
        }
        rest = rest.trimmed
        if case .time = tag { continue }
        // A line with a tag about the whole has nothing else.
        if rest.isEmpty { rest = "\0" }
      }
      guard rest != "\0" else { continue }
      let words = Self.withoutTimesOfWords(rest, isTimed: !starts.isEmpty)
      if starts.isEmpty { plain.append(words) }
      timed += starts.map { (Milliseconds(seconds: max(0, $0)), words) }
    }
    if timed.isEmpty {
      let words = plain.drop(while: \.isEmpty)
      let end = words.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? words.startIndex
      lines = words[..<end].map { Library.LyricsLine(text: $0) }
    } else {
      // A positive offset shows lines earlier. Lines of the same time keep their order.
      let shift = Milliseconds(seconds: offset)
      lines = timed.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map {
        Library.LyricsLine(start: max(.zero, $0.element.start - shift), text: $0.element.text)
      }
    }
    lines = Self.limited(lines)
  }

  /// Returns as many of the lines as fit into one message.
  package static func limited(_ lines: [Library.LyricsLine]) -> [Library.LyricsLine] {
    var bytes = 0
    return Array(
      lines.prefix(mostLines).prefix { line in
        bytes += 40 + 2 * line.text.utf8.count
        return bytes <= mostBytes
      })
  }

  /// Cuts out the lines that begin in a segment, whose times then count from its start. Lines without times stay only
  /// where the segment is nil, as nobody knows which are its own.
  package mutating func cut(to segment: AudioSegment?) {
    guard let segment else { return }
    let (start, end) = (segment.offset, segment.endOffset)
    lines = lines.compactMap { line in
      guard let at = line.start, at >= start, end.map({ at < $0 }) ?? true else { return nil }
      return Library.LyricsLine(start: at - start, text: line.text)
    }
  }

  /// Removes the times of words, `<00:12.50>`, that some programs write.
  private static func withoutTimesOfWords(_ text: Substring, isTimed: Bool) -> String {
    guard isTimed, text.contains("<") else { return String(text) }
    var (words, rest) = ("", text)
    while let open = rest.firstIndex(of: "<") {
      words += rest[..<open]
      rest = rest[open...]
      if let close = rest.firstIndex(of: ">"), Tag.seconds(rest[rest.index(after: open)..<close]) != nil {
        rest = rest[rest.index(after: close)...]
      } else {
        words.append(rest.removeFirst())
      }
    }
    return String(Substring(words + rest).trimmed)
  }

  /// A text in brackets at the beginning of a line.
  private enum Tag {
    case time(Double)
    case offset(Double)
    case language(String)
    case other

    /// The names of tags about the whole text; other words in brackets are words of the song.
    private static let names: Set = ["ar", "al", "ti", "au", "by", "re", "ve", "length", "tool", "id", "lr"]

    /// Reads a tag at the start of `rest`, and removes it there.
    init?(_ rest: inout Substring) {
      guard rest.first == "[", let end = rest.firstIndex(of: "]") else { return nil }
      let inside = rest[rest.index(after: rest.startIndex)..<end]
      if let seconds = Self.seconds(inside) {
        self = .time(seconds)
      } else {
        guard let colon = inside.firstIndex(of: ":") else { return nil }
        let value = inside[inside.index(after: colon)...].trimmed
        switch inside[..<colon].lowercased() {
        case "offset": self = .offset((Double(value.first == "+" ? value.dropFirst() : value) ?? 0) / 1000)
        case "la", "language": self = value.isEmpty ? .other : .language(String(value))
        case let name where Self.names.contains(name): self = .other
        default: return nil
        }
      }
      rest = rest[rest.index(after: end)...]
    }

    /// Reads a time: minutes and seconds, with hours before them or parts of a second behind a point or colon.
    static func seconds(_ text: Substring) -> Double? {
      var fields = text.split(separator: ":", omittingEmptySubsequences: false)
      guard fields.count == 2 || fields.count == 3 else { return nil }
      func number(_ digits: Substring) -> Double? {
        guard (1...6).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48..<58).contains($0) }) else {
          return nil
        }
        return Double(digits)
      }
      // Three fields are minutes, seconds and hundredths; with a point in the last, hours come first.
      if fields.count == 3, !fields[2].contains(".") {
        guard let hundredths = number(fields[2]), let minutes = number(fields[0]), let seconds = number(fields[1])
        else {
          return nil
        }
        return minutes * 60 + seconds + hundredths / (fields[2].utf8.count == 3 ? 1000 : 100)
      }
      let parts = fields.removeLast().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      guard let seconds = number(parts[0]) else { return nil }
      var result = seconds
      if parts.count == 2 {
        guard number(parts[1]) != nil, let fraction = Double("0." + parts[1]) else { return nil }
        result += fraction
      }
      var unit = 60.0
      for field in fields.reversed() {
        guard let value = number(field) else { return nil }
        result += value * unit
        unit *= 60
      }
      return result
    }
  }
}

extension Substring {
  /// The text without blanks at both ends.
  fileprivate var trimmed: Substring {
    var text = drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}

extension Library.Lyrics {
  /// True if lines have times.
  package var isTimed: Bool { lines.contains { $0.start != nil } }
}
