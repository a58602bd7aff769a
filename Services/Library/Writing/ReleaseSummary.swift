import Model

/// The release tags of an album, made from those of its tracks.
struct ReleaseSummary: Equatable {
  private var dates: [PartialDate: Int] = [:]
  private var releaseIDs: Set<String> = []
  private var releaseGroupIDs: [String: Int] = [:]

  mutating func add(_ tags: FileTags) {
    if let date = tags.year.flatMap({ PartialDate(year: $0) }) { dates[date, default: 0] += 1 }
    if let id = tags.releaseID { releaseIDs.insert(id) }
    if let id = tags.releaseGroupID { releaseGroupIDs[id, default: 0] += 1 }
  }

  var tags: ReleaseTags {
    ReleaseTags(date: Self.common(dates), releaseGroupID: Self.common(releaseGroupIDs))
  }

  /// The MusicBrainz release of all tracks; nil where they have several or none.
  var releaseID: String? { releaseIDs.count == 1 ? releaseIDs.first : nil }

  var details: AlbumDetails { AlbumDetails() }

  /// Returns the most frequent value, and the largest of equally frequent ones.
  private static func common<Value: Comparable>(_ counts: [Value: Int]) -> Value? {
    counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
  }
}
