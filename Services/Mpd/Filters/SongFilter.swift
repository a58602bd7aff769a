import Text

/// A condition on songs.
indirect enum SongFilter: Equatable, Sendable {
  /// All of the conditions; every song for none.
  case all([SongFilter])
  case not(SongFilter)
  /// A comparison of a tag, of any tag, or of the path.
  case compare(Field, Comparison, String)
  /// The song's path, or a folder above it.
  case base(String)

  enum Field: Equatable, Sendable {
    case tag(SongTag)
    case any
    case file
  }

  enum Comparison: Equatable, Sendable {
    case equals
    case contains
    case startsWith
  }

  /// The filter with its texts prepared for one search.
  ///
  /// - Parameter folds: true to ignore case and marks, as `search` does.
  func prepared(folds: Bool) -> SongMatcher { SongMatcher(self, folds: folds) }
}

/// A filter that is applied to many songs.
struct SongMatcher: Sendable {
  private let filter: SongFilter
  private let folds: Bool

  init(_ filter: SongFilter, folds: Bool) {
    self.folds = folds
    self.filter = folds ? Self.folded(filter) : filter
  }

  /// Returns true if the song fulfils the filter.
  func matches(_ song: Song) -> Bool { matches(song, filter) }

  private func matches(_ song: Song, _ filter: SongFilter) -> Bool {
    switch filter {
    case .all(let filters): return filters.allSatisfy { matches(song, $0) }
    case .not(let filter): return !matches(song, filter)
    case .base(let folder):
      let plain = MusicIndex.plain(folder)
      return plain.isEmpty || song.path == plain || song.path.utf8.starts(with: (plain + "/").utf8)
    case .compare(.file, let comparison, let text): return holds(song.path, comparison, text)
    case .compare(.tag(let tag), let comparison, let text):
      let values = song.values(of: tag)
      // An empty text asks for songs without the tag.
      if text.isEmpty, comparison == .equals { return values.isEmpty }
      return values.contains { holds($0, comparison, text) }
    case .compare(.any, let comparison, let text):
      return SongTag.allCases.contains { song.values(of: $0).contains { holds($0, comparison, text) } }
    }
  }

  private func holds(_ value: String, _ comparison: SongFilter.Comparison, _ text: String) -> Bool {
    let value = folds ? value.folded : value
    return switch comparison {
    case .equals: value == text
    case .contains: text.isEmpty || value.contains(text)
    case .startsWith: value.hasPrefix(text)
    }
  }

  private static func folded(_ filter: SongFilter) -> SongFilter {
    switch filter {
    case .all(let filters): .all(filters.map(folded))
    case .not(let filter): .not(folded(filter))
    case .base: filter
    case .compare(let field, let comparison, let text): .compare(field, comparison, text.folded)
    }
  }
}
