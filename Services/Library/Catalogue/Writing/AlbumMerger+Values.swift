import Messages
import Model
import Records
import Storage
import Text

/// Writes the values of shown albums that are made from all their members.
extension AlbumMerger {
  /// Writes the values of the album that is shown for some members. Returns its name key.
  func write(_ members: [Member], of key: AlbumKey) throws -> String {
    let shown = members[0]
    let ranked = members.sorted { (rank($0.id.source), $0.number) < (rank($1.id.source), $1.number) }
    let rating = try ranked.lazy.compactMap(\.rating).first ?? libraryRating(.album, key.hash64)
    var release = ReleaseTags()
    for member in ranked { release.fill(from: member.tags) }
    let titled = EditionTitle.split(shown.title)
    release.edition = release.edition ?? titled.edition
    let name = Self.nameKey(artist: shown.artistName, title: titled.title, year: release.year, key.merge)
    try transaction.execute(
      """
      UPDATE albums SET genres = ?2, art = ?3, rating = ?4, (tracks, duration) =
          (SELECT count(*), ifnull(sum(duration), 0) FROM tracks WHERE \(Self.isShown(key: 5))),
        added_at = (SELECT min(arrived_at) FROM albums WHERE merge_key = ?5 AND shelf = ?1),
        played_at = (SELECT max(max(m.heard_at), ifnull(max(t.heard_at), 0)) FROM albums m
          LEFT JOIN tracks t ON t.album = m.id WHERE m.merge_key = ?5 AND m.shelf = ?1),
        year = ifnull(?6, year), date = ?7, original_date = ?8, edition = ?9, types = ?10, release_group = ?11,
        quality = ?12, name_key = ?13
      WHERE id = ?1
      """, shown.number, TextList.packed(try genres(of: members)), ranked.lazy.compactMap(\.art).first, rating,
      key.merge, release.year, release.date?.description, release.originalDate?.description, release.edition,
      release.types.map(\.rawValue).joined(separator: " "), release.releaseGroupID, try quality(of: shown.number, key),
      name)
    return name
  }

  /// Returns the names by which editions of one album are found, without the words that distinguish editions. An album
  /// that has no names of its own, such as one called after its folder, has no other editions.
  package static func nameKey(artist: String, title: String, year: Int?, _ mergeKey: String) -> String {
    if mergeKey.hasPrefix(AlbumGrouping.folderKeyPrefix) || mergeKey.hasPrefix("untitled|") { return mergeKey }
    return "\(artist.trimmed.folded)|\(title.folded)|\(year.map(String.init) ?? "")"
  }

  /// Returns the condition for the tracks that are shown on album `?1`, whose merge key is the parameter `key`. Tracks
  /// of albums with another key may still be shown on it, until that key is merged.
  private static func isShown(key: Int) -> String {
    "shelf = ?1 AND album IN (SELECT id FROM albums WHERE merge_key = ?\(key) AND shelf = ?1)"
  }

  /// Returns the quality that all shown tracks of an album have; nil if they differ.
  private func quality(of album: Int64, _ key: AlbumKey) throws -> String? {
    let audio = try transaction.row(
      """
      SELECT CASE WHEN min(codec) = max(codec) AND count(codec) = count(*) THEN min(codec) END,
        CASE WHEN min(bit_rate) = max(bit_rate) THEN min(bit_rate) END,
        CASE WHEN min(sample_rate) = max(sample_rate) THEN min(sample_rate) END,
        CASE WHEN min(bit_depth) = max(bit_depth) THEN min(bit_depth) END
      FROM tracks WHERE \(Self.isShown(key: 2))
      """, album, key.merge
    ) { row in
      AudioProperties(
        codec: try row.value(0), bitRate: try row.value(1), sampleRate: try row.value(2), bitDepth: try row.value(3))
    }
    guard var audio, let codec = audio.codec else { return nil }
    // The bit rate of lossless audio says how much it could be compressed, not how good it is.
    if AudioFormat.isLossless(codec: codec) { audio.bitRate = nil }
    return audio.summary
  }

  private static let mostGenres = 24

  private func genres(of members: [Member]) throws -> [String] {
    var genres: [String] = []
    var folded: Set<String> = []
    for member in members {
      _ = try transaction.rows(
        "SELECT folded, name FROM album_tags WHERE album = ? AND kind = ? ORDER BY place", member.number,
        AlbumTags.number(of: .genre)
      ) { row in
        guard genres.count < Self.mostGenres, folded.insert(try row.value(0)).inserted else { return }
        genres.append(try row.value(1))
      }
    }
    return genres
  }
}
