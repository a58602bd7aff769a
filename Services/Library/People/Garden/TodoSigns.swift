import Catalogue
import Messages
import Model
import MusicTags
import Storage
import Text

/// The faults of albums that the library itself sees, as evidence for todos.
///
/// A todo that the library sees has the sign `seen`: it is done when the library sees it no more. Other todos about a
/// cover, a year, tracks or files have a sign with the value at the time when they were added: they are done when the
/// value is another one.
struct TodoSigns {
  private static let seen = "seen"
  /// The gain from which all tracks of an album are called very quiet, in dB.
  private static let quietGain = 12.0
  /// The length at which the oldest tags (ID3v1) cut titles off.
  private static let shortTitle = 30

  let transaction: ReadTransaction

  /// Returns what the library sees of an album that is shown, one sentence for each kind of todo.
  func evidence(of album: Int64) throws -> [(about: Library.TodoKind, evidence: String)] {
    let row = try transaction.row(
      "SELECT art IS NULL, year IS NULL FROM albums WHERE id = ? AND shelf = id", album
    ) { (hasNoArt: try $0.value(0) as Bool, hasNoYear: try $0.value(1) as Bool) }
    guard let row else { return [] }
    var found: [(about: Library.TodoKind, evidence: String)] = []
    if row.hasNoArt { found.append((.cover, "It has no cover.")) }
    if row.hasNoYear { found.append((.year, "It has no year.")) }
    if let gaps = try gaps(of: album) { found.append((.missing, gaps)) }
    let tracks = try SeenTrack.all(of: album, transaction)
    if let spellings = Self.spellings(of: tracks) { found.append((.spelling, spellings)) }
    let formats = Set(tracks.compactMap(\.format)).sorted()
    if formats.count > 1 {
      found.append((.formats, "Its tracks are in \(formats.joined(separator: " and "))."))
    }
    // Rows of former versions may have gains of cue sheets that cannot be right.
    if let gain = tracks.map({ $0.gain ?? -.infinity }).min(), gain >= Self.quietGain,
      Levels.plausibleGains.contains(gain)
    {
      found.append((.rip, "All its tracks are very quiet: the quietest loud one needs \(Int(gain)) dB more."))
    }
    if let parts = try parts(of: album) { found.append((.split, parts)) }
    return found
  }

  private struct SeenTrack {
    var title: String
    var artist: String
    var format: String?
    var gain: Double?

    static func all(of album: Int64, _ transaction: ReadTransaction) throws -> [SeenTrack] {
      try transaction.rows(
        "SELECT title, artist, format, track_gain FROM tracks WHERE shelf = ? ORDER BY disc, number, id", album
      ) { SeenTrack(title: try $0.value(0), artist: try $0.value(1), format: try $0.value(2), gain: try $0.value(3)) }
    }
  }

  /// Returns a sentence about the first disc that lacks tracks; nil if none does.
  private func gaps(of album: Int64) throws -> String? {
    let discs = try Catalogue.discs(of: album, transaction)
    if let disc = discs.first(where: { $0.isAbsent ?? false }) { return "Disc \(disc.disc) is not there." }
    guard let disc = discs.first(where: { !$0.missing.isEmpty }) else { return nil }
    let numbers = disc.missing.prefix(10).map(String.init).joined(separator: ", ")
    let more = disc.missing.count > 10 ? " and others" : ""
    return "Disc \(disc.disc) lacks the \(disc.missing.count == 1 ? "track" : "tracks") \(numbers)\(more)."
  }

  /// Returns a sentence about names of artists that differ only in case or accents, or titles that seem cut off; nil if
  /// there are none.
  private static func spellings(of tracks: [SeenTrack]) -> String? {
    var spellings: [String: String] = [:]
    for track in tracks {
      let folded = track.artist.trimmed.folded
      if let other = spellings[folded], other != track.artist {
        return "An artist is spelt “\(other)” and “\(track.artist)”."
      }
      spellings[folded] = track.artist
    }
    let cut = tracks.filter { $0.title.count == shortTitle }
    guard cut.count > 1, let first = cut.first, tracks.allSatisfy({ $0.title.count <= shortTitle }) else { return nil }
    return "Titles seem cut off at \(shortTitle) characters, such as “\(first.title)”."
  }

  /// Returns a sentence about another album of the same names that has only tracks which this one lacks; nil if there
  /// is none. Of the albums of such a pair only the first has it.
  private func parts(of album: Int64) throws -> String? {
    let other = try transaction.row(
      """
      SELECT o.title, o.year, o.source || ':a' || o.id FROM albums s
      JOIN albums o ON o.artist_sort = s.artist_sort AND o.title_sort = s.title_sort AND o.shelf = o.id AND o.id > s.id
      WHERE s.id = ?1 AND NOT EXISTS (SELECT 1 FROM tracks t JOIN tracks x ON x.shelf = o.id AND x.disc = t.disc
        AND (x.number = t.number OR x.number IS NULL OR t.number IS NULL) WHERE t.shelf = ?1)
      LIMIT 1
      """, album
    ) { (title: try $0.value(0) as String, year: try $0.value(1) as Int?, id: try $0.value(2) as AlbumID) }
    guard let other else { return nil }
    let year = other.year.map { ", \($0)" } ?? ""
    return "Other tracks of it are on “\(other.title)” (\(other.id)\(year))."
  }

  /// Returns the sign of a new todo about an album, and what the library sees; nil for what it cannot see.
  func sign(_ about: Library.TodoKind, of album: Int64) throws -> (sign: String, evidence: String?)? {
    if let found = try evidence(of: album).first(where: { $0.about == about }) { return (Self.seen, found.evidence) }
    return try value(about, of: album).map { ($0, nil) }
  }

  /// Returns true if a todo with this sign is done.
  func isDone(_ about: Library.TodoKind, _ sign: String, of album: Int64) throws -> Bool {
    guard sign == Self.seen else { return try value(about, of: album).map { $0 != sign } ?? false }
    return try !evidence(of: album).contains { $0.about == about }
  }

  /// Returns the value of an album that changes when a todo of a kind is done; nil if there is none.
  private func value(_ about: Library.TodoKind, of album: Int64) throws -> String? {
    switch about {
    case .cover: try transaction.value("SELECT 'cover ' || ifnull(art, '') FROM albums WHERE id = ?", album)
    case .year: try transaction.value("SELECT 'year ' || ifnull(year, '') FROM albums WHERE id = ?", album)
    case .missing: try transaction.value("SELECT 'tracks ' || tracks FROM albums WHERE id = ?", album)
    case .rip:
      try transaction.value(
        """
        SELECT 'files ' || sum(f.size) FROM files f
        WHERE f.track IN (SELECT t.id FROM tracks t JOIN albums a ON a.id = t.album WHERE a.shelf = ?)
        """, album)
    default: nil
    }
  }
}
