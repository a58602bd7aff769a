import Model
import Text

/// Reads M3U files. A list that another one names is not followed, so lists that name each other do no harm.
enum M3UReader {
  /// The line that stands for an entry without a file; the lines before it describe it.
  static let missing = "#LUNARA-MISSING"

  static func read(
    _ text: String, name: String, _ look: (String) -> ListFile.Named?
  ) throws(LunaraError) -> ListFile {
    var list = ListFile()
    var entry = DescribedTrack(title: "", artist: "")
    // Any line break counts, also the single CR of old programs.
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let words = String(line).trimmed
      if words.isEmpty || words == "\u{1A}" { continue }
      if let value = words.value(of: "#EXTINF:") {
        describe(&entry, value)
      } else if let value = words.value(of: "#EXTALB:") {
        entry.album = value.isEmpty ? nil : value
      } else if let value = words.value(of: "#EXTART:") {
        if entry.artist.isEmpty { entry.artist = value }
      } else if let value = words.value(of: "#PLAYLIST:") {
        list.title = value
      } else if words.hasPrefix("#"), words != missing, !isMusic(words) || look(words) != .file {
        continue
      } else if !isMusic(words), words != missing, case .folder(let files)? = look(words) {
        let folder = words.hasSuffix("/") || words.hasSuffix("\\") ? String(words.dropLast()) : words
        for file in files {
          try list.append(DescribedTrack(title: "", artist: "", location: "\(folder)/\(file)"), name: name)
        }
        entry = DescribedTrack(title: "", artist: "")
      } else {
        if ListFileFormat(name: words) != nil {
          list.problems.append(
            .init(place: index + 1, reason: "It names another list, \(words), which is not followed."))
        } else {
          if words != missing { entry.location = String(line) }
          try list.append(entry, name: name)
        }
        entry = DescribedTrack(title: "", artist: "")
      }
    }
    return list
  }

  /// Returns true if a location has an ending of audio files.
  private static func isMusic(_ location: String) -> Bool {
    guard let dot = location.utf8.lastIndex(of: UInt8(ascii: ".")) else { return false }
    return AudioContainer.named(ending: String(location[location.index(after: dot)...]).lowercased()) != nil
  }

  /// Reads `123,Artist - Title`; attributes may stand before the comma.
  private static func describe(_ entry: inout DescribedTrack, _ value: String) {
    var isQuoted = false
    let comma = value.firstIndex { character in
      if character == "\"" { isQuoted.toggle() }
      return character == "," && !isQuoted
    }
    let seconds = value.prefix { $0.isNumber || $0 == "." || $0 == "-" }
    entry.duration = Double(seconds).flatMap { $0 > 0 && $0 < 1e6 ? Milliseconds(seconds: $0) : nil }
    guard let comma else { return }
    (entry.artist, entry.title) = names(String(value[comma...].dropFirst()))
  }

  /// Returns the artist, empty for none, and the title of `Artist - Title`.
  static func names(_ text: String) -> (artist: String, title: String) {
    for separator in [" - ", " – "] {
      if let range = text.firstRange(of: separator) {
        return (String(text[..<range.lowerBound]).trimmed, String(text[range.upperBound...]).trimmed)
      }
    }
    return ("", text.trimmed)
  }
}

extension String {
  /// The text after a keyword in any case; nil if the text does not begin with it.
  fileprivate func value(of keyword: StaticString) -> String? {
    let length = keyword.utf8CodeUnitCount
    guard utf8.count >= length, prefix(length).uppercased() == "\(keyword)" else { return nil }
    return String(dropFirst(length)).trimmed
  }
}
