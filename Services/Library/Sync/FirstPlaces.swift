import Storage

/// The places of tracks in the search index where no track has one yet: those are known before the rows are written, so
/// that each is written once and not once more for its place.
struct InitialSearchPositions {
  /// The words of so many are kept in memory until all rows are written.
  private static let mostTracks = 100_000

  private var places: [Int: Int64] = [:]

  init(_ scan: ScanResult, _ matching: FileMatching, _ transaction: ReadTransaction) throws {
    guard !matching.written.isEmpty, matching.written.count <= Self.mostTracks,
      try transaction.row("SELECT 1 FROM tracks LIMIT 1", as: { try $0.value(0) as Int }) == nil
    else { return }
    var keys: [(index: Int, sort: String)] = []
    keys.reserveCapacity(matching.written.count)
    for (index, written) in matching.written.enumerated() {
      guard case .read(let reading) = scan.folders[written.folder].files[written.file].finding else { continue }
      keys.append((index, reading.titleSort))
    }
    keys.sort { $0.sort == $1.sort ? $0.index < $1.index : $0.sort < $1.sort }
    places.reserveCapacity(keys.count)
    for (place, key) in keys.enumerated() { places[key.index] = SearchIndex.Kind.track.position(place) }
  }

  /// The place of a file's track, by the file's index among those that are written; nil where that is found later.
  subscript(index: Int) -> Int64? { places[index] }
}
