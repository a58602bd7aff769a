import Model
import Text

/// Reads PLS files.
enum PLSReader {
  static func read(_ text: String, name: String) throws(LunaraError) -> ListFile {
    var entries: [Int: DescribedTrack] = [:]
    var list = ListFile()
    for line in text.split(whereSeparator: \.isNewline) {
      guard let sign = line.firstIndex(of: "=") else { continue }
      let key = String(line[..<sign]).trimmed.lowercased()
      let value = String(line[line.index(after: sign)...]).trimmed
      if key == "x-gnome-title" { list.title = value }
      guard let word = ["file", "title", "length"].first(where: key.hasPrefix),
        let number = Int(key.dropFirst(word.count)), number >= 0
      else { continue }
      guard entries[number] != nil || entries.count < ListFile.mostEntries else { throw ListFile.tooLarge(name) }
      var entry = entries[number] ?? DescribedTrack(title: "", artist: "")
      switch word {
      case "file": entry.location = value.isEmpty ? nil : value
      case "title": (entry.artist, entry.title) = M3UReader.names(value)
      default: entry.duration = Double(value).flatMap { $0 > 0 && $0 < 1e6 ? Milliseconds(seconds: $0) : nil }
      }
      entries[number] = entry
    }
    for (number, entry) in entries.sorted(by: { $0.key < $1.key }) {
      if let location = entry.location, ListFileFormat(name: location) != nil {
        list.problems.append(.init(place: number, reason: "It names another list, \(location), which is not followed."))
      } else {
        try list.append(entry, name: name)
      }
    }
    return list
  }
}
