import Messages
import Model
import Synchronization

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
