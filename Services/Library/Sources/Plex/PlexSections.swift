import Messages
import Model
import Synchronization

/// The library sections of a server, with the counters that tell whether anything changed in them.
struct PlexSections: Sendable {
  /// One section of music.
  struct Section: Hashable, Sendable {
    var key: String
    var title: String
    var isOnByDefault: Bool
    /// Stays the same while nothing changes; nil on servers that have none.
    var counter: String?
  }

  /// The sections of music and of audiobooks, in the server's order.
  let all: [Section]
  /// The server's clock when it answered.
  let date: Int?

  /// Asks for them.
  init(_ client: PlexClient) async throws {
    let (page, date) = try await client.page("/library/sections")
    self.init(page, date: date)
  }

  /// Reads them out of an answer.
  init(_ page: PlexPage, date: Int? = nil) {
    self.date = date
    all = page.rows.compactMap { row in
      guard row["type"]?.string == "artist", let key = row["key"]?.text else { return nil }
      return Section(
        key: key, title: row["title"]?.text ?? key, isOnByDefault: !Self.isOfBooks(row),
        counter: row["contentChangedAt"]?.string)
    }
  }

  var music: [ServerSection] {
    all.map { ServerSection(key: $0.key, title: $0.title, isOnByDefault: $0.isOnByDefault) }
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

  /// Asks, and keeps the answer.
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
