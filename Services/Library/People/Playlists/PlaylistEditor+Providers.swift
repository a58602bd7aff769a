import Catalogue
package import Model
import Storage
package import Sync
import Text

/// Playlists that are kept in step with a provider.
extension PlaylistEditor {
  /// Makes a playlist for a list of a provider, and returns its number.
  package func create(following list: RemoteListInfo) throws -> Int64 {
    let number = try create(
      Self.shortened(title: list.title), Self.shortened(summary: list.summary), [], source: Catalogue.ownPlaylists)
    try publish(number)
    return number
  }

  /// Makes the changes that follow from a list at a provider, and returns the ids of the inserted entries. They are no
  /// steps that `undo` takes back: a run keeps what it removes itself.
  ///
  /// - Parameter matches: the tracks of the library that described tracks mean.
  package func follow(
    _ edits: [LocalEdit], in number: Int64, matches: [DescribedTrack: Int64]
  ) throws -> [Int64] {
    guard !edits.isEmpty else { return [] }
    let entries = PlaylistEntries(of: number, transaction)
    var inserted: [Int64] = []
    func id(_ anchor: LocalEdit.Anchor) -> Int64? {
      switch anchor {
      case .start: 0
      case .entry(let id): id
      case .inserted(let index): index < inserted.count ? inserted[index] : nil
      }
    }
    for edit in edits {
      switch edit {
      case .remove(let ids): try entries.remove(ids)
      case .move(let ids, let anchor):
        let present = Set(try entries.present(ids).compactMap(\.entry.id))
        try entries.move(ids.filter(present.contains), after: id(anchor))
      case .insert(let tracks, let anchor):
        inserted += try entries.insert(
          try tracks.map { try entry(of: $0.described, matches) }, after: id(anchor))
      }
    }
    try transaction.execute(
      "UPDATE playlists SET revision = revision + 1, updated_at = ? WHERE id = ?", now, number)
    try publish(number)
    return inserted
  }

  /// Gives a playlist the texts of the provider's list.
  package func follow(title: String, summary: String, in number: Int64) throws {
    try set(title: Self.shortened(title: title), summary: Self.shortened(summary: summary), of: number)
    try transaction.execute(
      "UPDATE playlists SET revision = revision + 1, updated_at = ? WHERE id = ?", now, number)
    try publish(number)
  }

  private func entry(
    of described: DescribedTrack, _ matches: [DescribedTrack: Int64]
  ) throws -> PlaylistEntries.Entry {
    guard let track = matches[described] else { return PlaylistEntries.Entry(described: described, addedAt: now) }
    return PlaylistEntries.Entry(
      track: track, identity: try transaction.value("SELECT identity FROM tracks WHERE id = ?", track),
      described: described, addedAt: now)
  }

  /// Returns a title that a playlist can have, for one of a provider that may be empty or too long.
  static func shortened(title: String) -> String {
    let title = title.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(bytes: longestTitle)
    return title.isEmpty ? "Untitled" : title
  }

  package static func shortened(summary: String) -> String? {
    let summary = ListTwin.withoutMarks(summary).prefix(bytes: longestSummary)
    return summary.isEmpty ? nil : summary
  }
}
