import Messages
import Model

/// The world's listens of the albums that the house has.
enum ListenBrainzPopularity: OutsideSource {
  static let name = "listenbrainz-popularity"
  static let title = "ListenBrainz"
  static let adds = "What the world hears most of the albums that you have, in the charts."
  static let sends = "The MusicBrainz ids of the release groups of your albums, with your ListenBrainz account."
  static let account: String? = "listenbrainz"

  /// The number of ids in a request.
  private static let count = 400

  static func step(from cursor: String?, _ house: HouseAlbums, _ access: OutsideAccess) async throws -> SourceStep {
    let ids = try await house.releaseGroups(after: cursor, limit: count)
    guard let last = ids.last else { return SourceStep() }
    let asked = ids.compactMap { SourceText.id($0) }
    let next = ids.count == count ? last : nil
    guard !asked.isEmpty else { return SourceStep(next: next) }
    let list = asked.map { "\"\($0)\"" }.joined(separator: ",")
    let answer = try await access.listenBrainz(
      "1/popularity/release-group", body: #"{"release_group_mbids":[\#(list)]}"#)
    guard let answer else { throw SourceAnswer.changed(title) }
    let rows = try SourceAnswer.rows(answer, having: ["release_group_mbid"], of: title)
    let known = Set(asked)
    let finds = rows.compactMap { row -> Find? in
      guard let id = SourceText.id(row["release_group_mbid"]?.string), known.contains(id),
        let listens = SourceText.count(row["total_listen_count"]), listens > 0
      else { return nil }
      return Find(signal: .charts, kind: .popular, releaseGroup: id, listens: listens)
    }
    return SourceStep(finds, next: next)
  }
}

/// The albums that the world played most in a month.
enum ListenBrainzCharts: OutsideSource {
  static let name = "listenbrainz-charts"
  static let title = "ListenBrainz"
  static let adds = "What the world heard most this month, in the charts."
  static let sends = "Nothing about you but your ListenBrainz account."
  static let account: String? = "listenbrainz"

  static func step(from cursor: String?, _ house: HouseAlbums, _ access: OutsideAccess) async throws -> SourceStep {
    try await ListenBrainzRows.step(from: cursor, "1/stats/sitewide/release-groups", of: "month", upTo: 1000, access) {
      ListenBrainzRows.releaseGroups($0, .charts, .chart, from: $1)
    }
  }
}

/// The albums that the person played most in half a year, at home and elsewhere.
enum ListenBrainzListens: OutsideSource {
  static let name = "listenbrainz-listens"
  static let title = "ListenBrainz"
  static let adds = "What you hear most elsewhere, in the history."
  static let sends = "Your ListenBrainz account."
  static let account: String? = "listenbrainz"

  static func step(from cursor: String?, _ house: HouseAlbums, _ access: OutsideAccess) async throws -> SourceStep {
    try await ListenBrainzRows.step(
      from: cursor, "1/stats/user/{user}/release-groups", of: "half_yearly", upTo: 300, access
    ) { ListenBrainzRows.releaseGroups($0, .history, .elsewhere, from: $1) }
  }
}

/// Reads the lists of release groups of ListenBrainz's statistics.
enum ListenBrainzRows {
  /// Reads the next 100 rows of a list, up to `most` rows in all.
  ///
  /// - Parameter read: returns the finds of rows that begin at an offset.
  static func step(
    from cursor: String?, _ path: String, of range: String, upTo most: Int, _ access: OutsideAccess,
    _ read: (_ rows: [JSONView], _ offset: Int) -> [Find]
  ) async throws -> SourceStep {
    let offset = cursor.flatMap { Int($0) } ?? 0
    let answer = try await access.listenBrainz(path, ["range": range, "count": "100", "offset": "\(offset)"])
    guard let answer else { return offset == 0 ? .unanswered : SourceStep() }
    let rows = try SourceAnswer.rows(
      answer, "payload", "release_groups", having: ["release_group_name", "artist_name"], of: "ListenBrainz")
    // Rows that cannot be used are left out of the finds; they do not end the list.
    return SourceStep(
      read(rows, offset), next: rows.count == 100 && offset + 100 < most ? "\(offset + 100)" : nil)
  }

  static func releaseGroups(
    _ rows: [JSONView], _ signal: Discovery.Signal, _ kind: Clue.Kind, from offset: Int
  ) -> [Find] {
    rows.prefix(1000).enumerated().compactMap { place, row in
      guard let title = SourceText.clean(row["release_group_name"]?.string),
        let artist = SourceText.clean(row["artist_name"]?.string)
      else { return nil }
      return Find(
        signal: signal, kind: kind, releaseGroup: SourceText.id(row["release_group_mbid"]?.string), artist: artist,
        title: title, listens: SourceText.count(row["listen_count"]), place: offset + place + 1)
    }
  }
}
