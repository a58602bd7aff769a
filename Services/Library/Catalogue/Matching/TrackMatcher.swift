import ListFiles
package import Messages
package import Model
import Records
package import Storage
import Text

/// Finds the tracks of the library that described tracks mean, such as those of list files.
///
/// Of all signs the file counts most: its path, then the end of its path, so that a list of another computer is
/// understood. Then come the ids of the recording, and the artist and title.
package struct TrackMatcher {
  /// A track that was found, and what it was recognised by.
  package struct Match: Hashable {
    /// The number of the track that is shown; nil if none was found.
    package var track: Int64?
    package var sign: Library.TrackMatch
  }

  /// A track that is looked for.
  package struct Wanted {
    var track: DescribedTrack
    /// The folder of the list file that names it; nil if it is not known.
    var folder: LocalPath?

    package init(track: DescribedTrack, folder: LocalPath? = nil) {
      self.track = track
      self.folder = folder
    }
  }

  /// The music folders.
  let roots: [LocalPath]
  let transaction: ReadTransaction

  package init(roots: [LocalPath], transaction: ReadTransaction) {
    self.roots = roots
    self.transaction = transaction
  }

  /// Returns what each of the tracks means.
  package func matches(of wanted: [Wanted]) throws -> [Match] {
    let tracks = wanted.map(\.track)
    var found = try wanted.map { one in try file(of: one).map { Match(track: $0, sign: .file) } }
    let left = found.indices.filter { found[$0] == nil }
    for (index, number) in try byTails(left.map { ($0, tracks[$0]) }) {
      found[index] = Match(track: number, sign: .path)
    }
    let titles = TitleCandidates(transaction)
    for index in left where found[index] == nil { found[index] = try byNames(tracks[index], among: titles) }
    return found.map { $0 ?? Match(track: nil, sign: .missing) }
  }

  /// Returns the track that a description means; nil if it is not in the library.
  package func track(_ described: DescribedTrack) throws -> Track? {
    let number = try matches(of: [Wanted(track: described)]).first?.track
    return try number.flatMap { try Catalogue.track($0, transaction) }
  }

  /// Returns the track of the file that a location names.
  private func file(of wanted: Wanted) throws -> Int64? {
    guard let location = wanted.track.location else { return nil }
    for path in ListLocation.paths(of: location, from: wanted.folder, in: roots) {
      guard let parent = FilePath.parent(path.bytes) else { continue }
      let rows = try self.rows("d.path = ?1 AND f.name = ?2", [parent, FilePath.name(path.bytes)])
      if let number = Self.choice(among: rows, for: wanted.track) { return number }
    }
    return nil
  }

  private typealias FileRow = (track: Int64, title: String, folder: [UInt8], name: [UInt8])

  private func rows(_ condition: String, _ values: [any SQLBindable]) throws -> [FileRow] {
    try transaction.rows(
      """
      SELECT t.shown, t.title, d.path, f.name FROM folders d JOIN files f ON f.folder = d.id
      JOIN tracks t ON t.id = f.track WHERE \(condition) ORDER BY f.segment
      """, values: values
    ) { (try $0.value(0), try $0.value(1), try $0.value(2), try $0.value(3)) }
  }

  /// Returns the track of a file. Of one that a CUE sheet cuts, that with the title, or else the first.
  private static func choice(among rows: [FileRow], for track: DescribedTrack) -> Int64? {
    let title = track.title.folded
    return (rows.first { $0.title.folded == title } ?? rows.first)?.track
  }

  /// Finds tracks by the longest common end of their paths, of the name of the file and at least one folder. An end
  /// that several files share equally says nothing.
  private func byTails(_ tracks: [(index: Int, track: DescribedTrack)]) throws -> [(index: Int, number: Int64)] {
    let wanted = tracks.compactMap { index, track -> (index: Int, track: DescribedTrack, tails: [[String]])? in
      let tails = (track.location.map(ListLocation.tails) ?? []).filter { $0.count > 1 }
      return tails.isEmpty ? nil : (index, track, tails)
    }
    guard !wanted.isEmpty else { return [] }
    // SQLite compares capital letters of ASCII only, so names with others are found as they are written.
    let names = Set(
      wanted.compactMap { $0.track.location }.flatMap { location -> [String] in
        let name = location.replacing("\\", with: "/").split(separator: "/").last.map(String.init) ?? ""
        let plain = PercentCoding.decode(name).flatMap { String(validating: $0, as: UTF8.self) } ?? name
        return [name, plain].flatMap { [$0.normalised, $0.decomposed] }
      })
    let list = String(decoding: try MessageCoding.encode(names.sorted()), as: UTF8.self)
    let rows = try rows("lower(CAST(f.name AS TEXT)) IN (SELECT lower(value) FROM json_each(?1))", [list])
    let byName = Dictionary(grouping: rows) { String(decoding: $0.name, as: UTF8.self).folded }
    return wanted.compactMap { index, track, tails in
      let candidates = tails.flatMap { tail in
        (byName[tail[0]] ?? []).map { row in
          let own = ListLocation.tail(of: LocalPath(bytes: FilePath.join(row.folder, row.name)))
          return (row: row, length: zip(own, tail).prefix { $0 == $1 }.count)
        }
      }
      guard let longest = candidates.map(\.length).max(), longest > 1 else { return nil }
      let best = candidates.filter { $0.length == longest }.map(\.row)
      guard Set(best.map { FilePath.join($0.folder, $0.name) }).count == 1 || Set(best.map(\.track)).count == 1 else {
        return nil
      }
      return Self.choice(among: best, for: track).map { (index, $0) }
    }
  }

  /// Finds a track by its title, and the ids of its recording or its artist.
  private func byNames(_ track: DescribedTrack, among titles: TitleCandidates) throws -> Match? {
    guard !track.title.isEmpty else { return nil }
    let names = TrackNames(
      title: track.title, artist: track.artist, artists: TrackNames.artists(track.artist), album: track.album,
      duration: track.duration)
    let plain = SortKey.of(names.plainTitle)
    for key in Set([SortKey.of(track.title), plain]).sorted() {
      let found = try titles.candidates(for: track, by: names.artists, titled: key)
      if let match = Self.best(of: found, for: track, names) { return match }
    }
    // Titles with words behind them, such as those of remastered editions.
    let longer = try titles.candidates(for: track, by: names.artists, titled: plain, isBeginning: true)
    return Self.best(of: longer, for: track, names)
  }

  private static func best(
    of candidates: [TitleCandidates.Candidate], for wanted: DescribedTrack, _ names: TrackNames
  ) -> Match? {
    var best: (match: Match, score: Int)?
    for candidate in candidates {
      guard let (sign, score) = TrackNames.likeness(of: candidate, to: wanted, names), score > best?.score ?? 0 else {
        continue
      }
      best = (Match(track: candidate.shown, sign: sign), score)
    }
    return best?.match
  }
}
