import Messages
import Model
import Synchronization

/// Finding out what changed, and reading it.
extension PlexServer {
  /// The name of a section's counter of ratings in a mark.
  private static func rated(_ section: String, _ kind: PlexRecords.Kind) -> String {
    "rated/\(section)/\(kind.rawValue)"
  }
  private static let playlists = "playlists"
  private static func collections(_ section: String) -> String { "collections/\(section)" }

  /// One question for the sections' counters, which may have been asked for a moment ago; only where they stand still
  /// one for playlists and one or two a section for ratings, which may not move them. Plays that others report there come
  /// with the next change.
  func checkForChanges(since mark: SyncMark?, sections: [String]) async throws -> ServerChangeCheck {
    guard let mark, mark.changedAt != nil else { return ServerChangeCheck(need: .everything, method: "full") }
    let found = try await sectionCache.recent(client).all.filter { sections.contains($0.key) }
    guard found.allSatisfy({ mark.counters[$0.key] != nil }), found.count == sections.count else {
      return ServerChangeCheck(need: .everything, method: "full")
    }
    guard found.allSatisfy({ $0.counter != nil && $0.counter == mark.counters[$0.key] }) else {
      return ServerChangeCheck(need: .delta, method: "counter", tracks: try await tracks(sections))
    }
    guard try await markOfPlaylists(RefreshProgress()) == mark.counters[Self.playlists] else {
      return ServerChangeCheck(need: .delta, method: "delta")
    }
    // Where it had to be asked who answers, one question less is left: albums are rated here for the most part.
    let isKnown = try await client.place.machine() != nil
    for section in sections {
      for kind in isKnown ? [PlexRecords.Kind.track, .album] : [.track] {
        let count = try await ratings(kind, section, since: mark)
        if count != mark.counters[Self.rated(section, kind)] { return ServerChangeCheck(need: .delta, method: "delta") }
      }
    }
    return ServerChangeCheck(need: .nothing, method: "counter")
  }

  /// Returns the number of tracks in these sections; nil where the server does not say.
  private func tracks(_ sections: [String]) async throws -> Int? {
    var sum = 0
    for section in sections {
      guard let count = try await count(section, .track) else { return nil }
      sum += count
    }
    return sum
  }

  func read(
    _ scope: ReadScope, since mark: SyncMark?, sections: [String], into staging: StagingTable, progress: RefreshProgress
  ) async throws -> SyncMark {
    let reading = PlexReader(client: client, staging: staging, progress: progress)
    let found = try await PlexSections(client)
    // Sections that no longer exist are left out: their items are gone.
    let sections = sections.filter { key in found.all.contains { $0.key == key } }
    var totals: [String: Int] = [:]
    if scope != .delta || mark?.changedAt == nil { totals = try await self.totals(sections, progress) }
    var isWhole = true
    if scope == .keys {
      for section in sections {
        for kind in PlexRecords.Kind.allCases {
          if try await !reading.keys(kind, section: section, counted: totals["\(kind)s/\(section)"]) { isWhole = false }
        }
      }
      try await reading.listKeys(sections: sections)
      var mark = mark ?? SyncMark()
      mark.completeAt = isWhole ? Self.time(found.date) : nil
      return mark
    }
    // The moment and the counters are those from before the reading: what changes meanwhile shows the next time.
    var next = SyncMark(changedAt: Timestamp(seconds: Self.time(found.date).seconds - 1), completeAt: mark?.completeAt)
    for section in found.all where sections.contains(section.key) { next.counters[section.key] = section.counter ?? "" }
    for section in sections {
      for kind in [PlexRecords.Kind.album, .track] {
        next.counters[Self.rated(section, kind)] = try await ratings(kind, section, since: next)
      }
    }
    let since = scope == .delta ? mark?.changedAt?.seconds : nil
    for section in sections {
      for kind in PlexRecords.Kind.allCases {
        let filters = since.map { PlexReader.changes(kind, since: $0) } ?? [PlexReader.query(kind)]
        let counted = since == nil ? totals["\(kind)s/\(section)"] : nil
        if try await !reading.items(kind, section: section, filters: filters, counted: counted) { isWhole = false }
      }
      let collections = PlexReader.mark(
        of: try await client.rows(PlexReader.collectionsPath(section), progress: progress))
      next.counters[Self.collections(section)] = collections
      if since == nil || collections != mark?.counters[Self.collections(section)] {
        try await reading.collections(section: section)
      }
    }
    let playlists = try await markOfPlaylists(progress)
    next.counters[Self.playlists] = playlists
    if since == nil || playlists != mark?.counters[Self.playlists] { try await reading.playlists() }
    if since == nil { next.completeAt = isWhole ? Self.time(found.date) : nil }
    return next
  }

  /// Returns the number of items of each kind, which is the total of the progress.
  private func totals(_ sections: [String], _ progress: RefreshProgress) async throws -> [String: Int] {
    var totals: [String: Int] = [:]
    for section in sections {
      for kind in PlexRecords.Kind.allCases {
        guard let count = try await count(section, kind) else { continue }
        progress.add(found: count)
        totals["\(kind)s/\(section)"] = count
      }
    }
    progress.allListed()
    return totals
  }

  /// Returns the number of items that were rated since a mark, as a counter.
  private func ratings(_ kind: PlexRecords.Kind, _ section: String, since mark: SyncMark) async throws -> String {
    try await count(section, kind, ratedAfter: mark.changedAt?.seconds ?? 0).map { "\($0)" } ?? ""
  }

  /// The length of a list without its rows; nil where the server does not say.
  private func count(
    _ section: String, _ kind: PlexRecords.Kind, ratedAfter time: Int64? = nil
  ) async throws -> Int? {
    var query = PlexQuery(["type": "\(kind.rawValue)"])
    if let time { query.add("lastRatedAt>>", "\(time)") }
    return try await client.page(PlexReader.path(section), query, headers: PlexPages.window(0, size: 0)).page.total
  }

  private func markOfPlaylists(_ progress: RefreshProgress) async throws -> String {
    PlexReader.mark(of: try await PlexReader.musicPlaylists(client, progress))
  }

  /// The server's clock; ours a day ago where it does not tell, so that nothing falls between the two.
  private static func time(_ date: Int?) -> Timestamp {
    date.map { Timestamp(seconds: Int64($0)) } ?? Timestamp(seconds: Timestamp.now().seconds - 86_400)
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

  /// Audiobooks are kept as artists as well; the agent that describes them tells.
  private static func isOfBooks(_ row: JSONView) -> Bool {
    let agent = row["agent"]?.string?.lowercased() ?? ""
    return ["audnexus", "audiobook", "audible", "librivox", "storyteller"].contains { agent.contains($0) }
  }
}

/// Keeps an answer about sections for the next question, which a refresh has right after it.
final class PlexSectionCache: Sendable {
  private let kept = Mutex<(sections: PlexSections, at: ContinuousClock.Instant)?>(nil)

  /// The time for which an answer serves a second question.
  private static let life = Duration.seconds(30)

  func refresh(_ client: PlexClient) async throws -> PlexSections {
    let sections = try await PlexSections(client)
    kept.withLock { $0 = (sections, .now) }
    return sections
  }

  /// Returns the answer that was kept, once; asks where there is none or it is old.
  func recent(_ client: PlexClient) async throws -> PlexSections {
    let recent = kept.withLock { kept in
      defer { kept = nil }
      return kept
    }
    if let recent, recent.at + Self.life > .now { return recent.sections }
    return try await PlexSections(client)
  }
}
