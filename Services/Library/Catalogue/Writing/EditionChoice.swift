package import Model
import Records
package import Storage

/// Chooses the edition of a release group that stands in lists.
struct EditionChoice {
  /// The properties by which an edition is chosen; the smallest is best.
  struct Candidate: Comparable {
    var number: Int64
    /// True if a person prefers it.
    var isPreferred = false
    /// False for bootlegs and promotional releases.
    var isOfficial = true
    var isLossless = false
    var hasGaps = false
    /// True for an edition without gaps that has fewer tracks than one with gaps.
    var isOutdone = false
    var date: PartialDate?
    /// The bits of a sample and the sample rate of its worst track.
    var bitDepth = 0
    var sampleRate = 0
    var tracks = 0

    /// Orders by a person's choice, then official releases first, lossless ones, those without gaps that nothing
    /// outdoes, the oldest, those of the highest resolution, those with the most tracks, and the one that was known
    /// first. Among those with gaps and those that these outdo, the number of tracks counts before the date.
    static func < (left: Candidate, right: Candidate) -> Bool {
      let (before, after) = (left.reasons, right.reasons)
      return before == after ? left.number < right.number : before.lexicographicallyPrecedes(after)
    }

    /// The values that count, the most important first; lower ones are better.
    private var reasons: [Int] {
      let day = date.map { ($0.year * 100 + ($0.month ?? 13)) * 100 + ($0.day ?? 32) } ?? .max
      let isPart = hasGaps || isOutdone
      return [
        isPreferred ? 0 : 1, isOfficial ? 0 : 1, isLossless ? 0 : 1, isPart ? 1 : 0, isPart ? -tracks : 0,
        hasGaps ? 1 : 0, day, -bitDepth, -sampleRate, -tracks,
      ]
    }
  }

  private static let unofficial: Set<String> = ["bootleg", "promotion", "promotional", "pseudo-release", "withdrawn"]

  private let candidates: [Candidate]

  /// Reads the editions of a group.
  init(_ group: String, _ transaction: ReadTransaction) throws {
    let preferred = try PreferredEditions.number(of: group, transaction)
    let rows = try transaction.rows(
      """
      SELECT a.id, a.tracks, a.date, (SELECT json_extract(d.body, '$.facts.status') FROM albums m
          JOIN album_details d ON d.album = m.id WHERE m.merge_key = a.merge_key AND m.shelf = a.id LIMIT 1),
        (SELECT min(is_lossless) FROM tracks WHERE shelf = a.id),
        (SELECT min(ifnull(bit_depth, 0)) FROM tracks WHERE shelf = a.id),
        (SELECT min(ifnull(sample_rate, 0)) FROM tracks WHERE shelf = a.id)
      FROM albums a WHERE a.group_key = ? AND a.shelf = a.id
      """, group
    ) { row in
      let number: Int64 = try row.value(0)
      let status: String? = try row.value(3)
      return Candidate(
        number: number, isPreferred: number == preferred,
        isOfficial: status.map { !Self.unofficial.contains($0) } ?? true, isLossless: try row.value(4) ?? false,
        hasGaps: try Catalogue.discs(of: number, transaction).contains { !$0.missing.isEmpty },
        date: (try row.value(2) as String?).flatMap(PartialDate.init(_:)), bitDepth: try row.value(5) ?? 0,
        sampleRate: try row.value(6) ?? 0, tracks: try row.value(1))
    }
    self.init(rows)
  }

  init(_ candidates: [Candidate]) {
    let most = candidates.filter(\.hasGaps).map(\.tracks).max() ?? 0
    self.candidates = candidates.map { candidate in
      var candidate = candidate
      candidate.isOutdone = !candidate.hasGaps && candidate.tracks < most
      return candidate
    }
  }

  /// The number of the edition to list; nil if the group has none.
  var best: Int64? { candidates.min()?.number }
}

/// The editions that people prefer. A choice is kept by names and ids of releases, so that it outlives the rows.
package enum PreferredEditions {
  /// Returns the number of the preferred edition of a group; nil if nobody chose one that is there.
  static func number(of group: String, _ transaction: ReadTransaction) throws -> Int64? {
    // A choice that was made before the release group was known is kept by the names.
    try transaction.value(
      """
      SELECT a.id FROM albums a JOIN preferred_editions p ON p.group_key IN (a.group_key, 'name:' || a.name_key)
        AND p.merge_key = a.merge_key AND (p.release IS NULL OR p.release = a.release)
      WHERE a.group_key = ? AND a.shelf = a.id ORDER BY p.chosen_at DESC, p.group_key <> a.group_key, a.id LIMIT 1
      """, group)
  }

  /// Prefers an album among the editions of its group, whose key is returned. Throws `library.unknownID`, and
  /// `library.onlyEdition` where there are no others.
  package static func prefer(_ id: AlbumID, at now: Timestamp, _ transaction: Transaction) throws -> String {
    let number = try Catalogue.number(of: .album, id, transaction)
    let album = try transaction.row("SELECT group_key, name_key, title, editions FROM albums WHERE id = ?", number) {
      row in
      (
        group: try row.value(0) as String, name: try row.value(1) as String, title: try row.value(2) as String,
        editions: try row.value(3) as Int
      )
    }
    guard let album else { throw CatalogueID.unknown(id) }
    guard album.editions > 1 else {
      throw LunaraError(
        "library.onlyEdition",
        "“\(album.title)” (\(id)) is the only edition in the library, so it is listed already. "
          + "`lunara albums --editions` shows the albums that have several.")
    }
    for key in Set([album.group, "name:\(album.name)"]) {
      try transaction.execute(
        """
        INSERT OR REPLACE INTO preferred_editions (group_key, merge_key, release, chosen_at)
        SELECT ?1, merge_key, release, ?2 FROM albums WHERE id = ?3
        """, key, now, number)
    }
    return album.group
  }
}
