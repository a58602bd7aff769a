import Messages
import Text

/// The words that describe an album, by their kinds, from its tracks in the album's order. Of several spellings the
/// first counts.
struct AlbumWords: Equatable {
  private(set) var names: [Library.Tag.Kind: [String]] = [:]

  private static let most = 24

  mutating func add(_ words: [(kind: Library.Tag.Kind, names: [String])]) {
    for (kind, names) in words {
      // The tracks of an album mostly say the same.
      if self.names[kind] == names { continue }
      for name in names where self.names[kind, default: []].count < Self.most {
        let isKnown = self.names[kind, default: []].contains {
          $0 == name || $0.trimmed.folded == name.trimmed.folded
        }
        if !isKnown { self.names[kind, default: []].append(name) }
      }
    }
  }
}
