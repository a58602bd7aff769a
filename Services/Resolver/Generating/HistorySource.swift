import Bus
import Messages
import Model

/// Gives plugins the history of the household, as a text for a language model, where a person has allowed it.
struct HistorySource: Sendable {
  let sharing: SharingStore
  /// Reads the history that others may know.
  let read: @Sendable () async throws -> Library.ListeningContext

  /// Returns the history for a plugin; nil if nobody has allowed it, or if there is none.
  func text(for plugin: String) async throws -> String? {
    guard try await sharing.isShared(.history, with: plugin) else { return nil }
    return Self.text(try await read())
  }

  /// Returns the history as lines of text; nil if there is none.
  static func text(_ context: Library.ListeningContext) -> String? {
    func names(_ tracks: [Library.ListeningContext.Title]) -> String {
      tracks.map { Byline.quoted($0.title, $0.artist) }.joined(separator: "; ")
    }
    var lines: [String] = []
    for period in context.periods {
      let name = period.days.map { "in the last \($0) days" } ?? "ever"
      if !period.artists.isEmpty {
        lines.append("Artists heard most \(name): \(period.artists.joined(separator: "; "))")
      }
      if !period.tracks.isEmpty { lines.append("Tracks heard most \(name): \(names(period.tracks))") }
      if !period.albums.isEmpty { lines.append("Albums heard most \(name): \(names(period.albums))") }
    }
    if !context.recent.isEmpty { lines.append("Heard last, the newest first: \(names(context.recent))") }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }
}
