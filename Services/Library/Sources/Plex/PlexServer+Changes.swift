import Messages
import Model
import Records
import Synchronization

/// Finds out what has changed; `PlexReader` then reads it.
extension PlexServer {
  // The names of counters in a mark.
  static func ratingsCounter(_ section: String, _ kind: PlexRecords.Kind) -> String {
    "rated/\(section)/\(kind.rawValue)"
  }
  static let playlistsCounter = "playlists"
  static func collectionsCounter(_ section: String) -> String { "collections/\(section)" }

  /// Requests the sections' counters, unless they were read a moment ago. If they have not changed, also makes one
  /// request for playlists, and two for each section for ratings, as these may not change the counters. Plays
  /// that other players report are read with the next change.
  func checkForChanges(since mark: RefreshMark?, sections: [String]) async throws -> ServerChangeCheck {
    guard let mark, mark.changedAt != nil else { return ServerChangeCheck(need: .everything, method: "full") }
    let found = try await sectionCache.recent(client).all.filter { sections.contains($0.key) }
    guard found.allSatisfy({ mark.counters[$0.key] != nil }), found.count == sections.count else {
      return ServerChangeCheck(need: .everything, method: "full")
    }
    guard found.allSatisfy({ $0.counter != nil && $0.counter == mark.counters[$0.key] }) else {
      return ServerChangeCheck(need: .delta, method: "counter", tracks: try await tracks(sections))
    }
    guard mark.partial == nil else { return ServerChangeCheck(need: .delta, method: "delta") }
    // A list that could not be read has no mark, so that it is requested again.
    let lists = sections.map(Self.collectionsCounter) + [Self.playlistsCounter]
    guard lists.allSatisfy({ mark.counters[$0] != nil }),
      try await markOfPlaylists() == mark.counters[Self.playlistsCounter]
    else { return ServerChangeCheck(need: .delta, method: "delta") }
    for section in sections {
      for kind in [PlexRecords.Kind.track, .album] {
        let count = try await ratings(kind, section, since: mark)
        if count != mark.counters[Self.ratingsCounter(section, kind)] {
          return ServerChangeCheck(need: .delta, method: "delta")
        }
      }
    }
    // The removal of a section does not change the counters of the others, so the numbers of tracks are compared.
    let isSectionGone = mark.counters.keys.contains { key in
      !key.contains("/") && key != Self.playlistsCounter && !sections.contains(key)
    }
    return ServerChangeCheck(
      need: .nothing, method: "counter", tracks: isSectionGone ? try await tracks(sections) : nil)
  }

  /// Returns the number of tracks in these sections; nil if the server does not say.
  private func tracks(_ sections: [String]) async throws -> Int? {
    var sum = 0
    for section in sections {
      guard let count = try await count(section, .track) else { return nil }
      sum += count
    }
    return sum
  }

  /// Returns the number of items that were rated since a mark, as a counter.
  func ratings(_ kind: PlexRecords.Kind, _ section: String, since mark: RefreshMark) async throws -> String {
    try await count(section, kind, ratedAfter: mark.changedAt?.seconds ?? 0).map { "\($0)" } ?? ""
  }

  /// Returns the length of a list without reading its rows; nil if the server does not say.
  func count(
    _ section: String, _ kind: PlexRecords.Kind, ratedAfter time: Int64? = nil
  ) async throws -> Int? {
    var query = PlexQuery(["type": "\(kind.rawValue)"])
    if let time { query.add("lastRatedAt>>", "\(time)") }
    return try await client.page(PlexReader.path(section), query, headers: PlexPages.window(0, size: 0)).page.total
  }

  /// Returns a text that changes when a playlist does; nil if the playlists cannot be listed, which the reading then
  /// reports.
  private func markOfPlaylists() async throws -> String? {
    do {
      return PlexReader.mark(of: try await PlexReader.musicPlaylists(client, RefreshProgress()))
    } catch let error as LunaraError where error.code != "library.signedOut" {
      return nil
    }
  }
}

/// The library sections of a server, with the counters that tell whether anything changed in them.
struct PlexSections: Sendable {
  /// The sections of music and of audiobooks, in the server's order.
  let all: [ServerSection]
  /// The server's clock when it answered.
  let date: Int?

  init(_ client: PlexClient) async throws {
    let (page, date) = try await client.page("/library/sections")
    self.init(page, date: date)
  }

  init(_ page: PlexPage, date: Int? = nil) {
    self.date = date
    all = page.rows.compactMap { row in
      guard row["type"]?.string == "artist", let key = row["key"]?.text else { return nil }
      return ServerSection(
        key: key, title: row["title"]?.text ?? key, isOnByDefault: !Self.isOfBooks(row),
        counter: row["contentChangedAt"]?.string)
    }
  }

  /// Returns true for a section of audiobooks: it has the type `artist` as well, but another metadata agent.
  private static func isOfBooks(_ row: JSONView) -> Bool {
    let agent = row["agent"]?.string?.lowercased() ?? ""
    return ["audnexus", "audiobook", "audible", "librivox", "storyteller"].contains { agent.contains($0) }
  }
}

/// Keeps an answer about sections for a moment, as a refresh needs it twice.
final class PlexSectionCache: Sendable {
  private let kept = Mutex<(sections: PlexSections, at: ContinuousClock.Instant)?>(nil)

  /// The time for which a kept answer is valid.
  private static let life = Duration.seconds(30)

  func refresh(_ client: PlexClient) async throws -> PlexSections {
    let sections = try await PlexSections(client)
    kept.withLock { $0 = (sections, .now) }
    return sections
  }

  /// Returns and drops the kept answer; sends a request where there is none or it is too old.
  func recent(_ client: PlexClient) async throws -> PlexSections {
    let recent = kept.withLock { kept in
      defer { kept = nil }
      return kept
    }
    if let recent, recent.at + Self.life > .now { return recent.sections }
    return try await PlexSections(client)
  }
}
