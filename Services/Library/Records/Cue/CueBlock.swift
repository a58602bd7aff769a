import Model
import MusicTags

extension CueSheet {
  /// Reads the text of a block. Returns nil if it is none, or its tracks are not in their order.
  package init?(block: String) {
    self.init()
    let lines = block.split(separator: "\n", omittingEmptySubsequences: false)
    files = [""]
    catalogue = lines.first.flatMap { $0.isEmpty || $0.allSatisfy { $0 == "0" } ? nil : String($0) }
    for (index, line) in lines.enumerated().dropFirst() {
      let words = line.split(separator: " ", maxSplits: 3)
      if words.count > 2, let number = Int(words[0]), let start = Int64(words[1]) {
        guard start > tracks.last?.startSample ?? -1, (1...Self.mostTracks).contains(number),
          !tracks.contains(where: { $0.number == number })
        else { return nil }
        tracks.append(
          Track(
            number: number, file: "", fileIndex: 0, start: 0, startSample: start, line: index + 1,
            isAudio: words[2] == "1", isrc: words.count > 3 ? String(words[3]) : nil))
      } else if let name = words.first?.first.flatMap(CueBlock.Name.init(rawValue:)) {
        let parts = line.split(separator: " ", maxSplits: 2)
        guard parts.count == 3, let track = tracks.firstIndex(where: { $0.number == Int(parts[1]) }) else { continue }
        set(name, of: track, String(parts[2]))
      }
    }
    guard tracks.count > 1 else { return nil }
  }

  /// Sets a name, of which the first value counts.
  private mutating func set(_ name: CueBlock.Name, of track: Int, _ value: String) {
    let path: WritableKeyPath<Track, String?> =
      switch name {
      case .title: \.title
      case .performer: \.performer
      case .songwriter: \.songwriter
      case .isrc: \.isrc
      }
    if tracks[track][keyPath: path] == nil { tracks[track][keyPath: path] = value }
  }
}
