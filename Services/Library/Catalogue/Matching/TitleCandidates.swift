import Model
import Records
import Storage
import Text

/// The tracks of the library with one title, among which described tracks are looked for. Those of a title are read
/// once, however many entries have it.
final class TitleCandidates {
  /// A track, as far as it is compared.
  struct Candidate {
    var shown: Int64
    var names: TrackNames
    var recordingID: String?
    var isrc: String?
  }

  private struct Group {
    var candidates: [Candidate] = []
    var byArtist: [String: [Int]] = [:]
    var byID: [String: [Int]] = [:]
  }

  /// The most tracks of one title that are compared.
  private static let mostCandidates = 10_000
  /// The most titles that are kept.
  private static let mostTitles = 2000

  private let transaction: ReadTransaction
  private var groups: [String: Group] = [:]

  init(_ transaction: ReadTransaction) { self.transaction = transaction }

  /// Returns the tracks that may be a described one: those with an id of its recording, and those of its artist; all of
  /// the title where the artist is not known.
  ///
  /// - Parameters:
  ///   - artists: the names of its artists, as `TrackNames` has them.
  ///   - key: the key by which the title is sorted.
  ///   - isBeginning: true for titles that continue behind a space.
  func candidates(
    for wanted: DescribedTrack, by artists: Set<String>, titled key: String, isBeginning: Bool = false
  ) throws -> [Candidate] {
    let name = isBeginning ? "\(key)\u{0}" : key
    if groups[name] == nil {
      if groups.count >= Self.mostTitles { groups = [:] }
      groups[name] = try read(key, isBeginning: isBeginning)
    }
    guard let group = groups[name] else { return [] }
    guard !artists.isEmpty else { return group.candidates }
    let ids = [wanted.recordingID, wanted.isrc].compactMap(\.self)
    let found = ids.flatMap { group.byID[$0] ?? [] } + artists.flatMap { group.byArtist[$0] ?? [] }
    return Set(found).sorted().map { group.candidates[$0] }
  }

  private func read(_ key: String, isBeginning: Bool) throws -> Group {
    let condition = isBeginning ? "t.title_sort > ?1 || ' ' AND t.title_sort < ?1 || '!'" : "t.title_sort = ?1"
    var group = Group()
    var known: [String: Set<String>] = [:]
    func artists(_ line: String) -> Set<String> {
      if let names = known[line] { return names }
      let names = TrackNames.artists(line)
      known[line] = names
      return names
    }
    group.candidates = try transaction.rows(
      """
      SELECT t.shown, t.title, t.artist, a.artist, a.title, t.duration, t.recording, t.music_ids
      FROM tracks t CROSS JOIN albums a ON a.id = t.shelf WHERE \(condition) AND t.shelf IS NOT NULL LIMIT ?2
      """, key, Self.mostCandidates
    ) { row in
      let (artist, albumArtist): (String, String) = (try row.value(2), try row.value(3))
      let names = TrackNames(
        title: try row.value(1), artist: artist, artists: artists(artist).union(artists(albumArtist)),
        album: try row.value(4), duration: try row.value(5))
      return Candidate(
        shown: try row.value(0), names: names, recordingID: try row.value(6),
        isrc: (try row.value(7) as String?).flatMap { MusicIDs(packed: $0).isrc })
    }
    for (index, candidate) in group.candidates.enumerated() {
      for name in candidate.names.artists { group.byArtist[name, default: []].append(index) }
      for id in [candidate.recordingID, candidate.isrc].compactMap(\.self) { group.byID[id, default: []].append(index) }
    }
    return group
  }
}
