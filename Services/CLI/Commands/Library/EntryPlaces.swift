import Client
import Messages
import Model

/// The entries of a playlist, which commands name by their places.
struct EntryPlaces: Sendable {
  let title: String
  /// The ids of the entries, in the order of the playlist.
  let ids: [Int64]

  /// Returns the ids of the entries that words name: by place, or by an id such as `e17`. A number beyond the list is
  /// an id as well, as scripts of earlier versions write them.
  ///
  /// - Throws: `cli.noSuchPlace`; a `UsageError` for a word that is neither a place nor an id.
  func named(_ places: Places) throws -> [Int64] {
    let words = places.words.map { word -> Places.Word in
      guard case .places(let range) = word, range.lowerBound == range.upperBound, range.lowerBound > ids.count,
        ids.contains(Int64(range.lowerBound))
      else { return word }
      return .entry("e\(range.lowerBound)")
    }
    return try Places(words).indices(of: ids.count, entry: index(of:), noPlace: noPlace).map { ids[$0] }
  }

  /// Returns the entry behind which something is put: 0 for the beginning, nil for the end.
  func entry(_ anchor: Anchor) throws -> Int64? {
    switch anchor {
    case .start: 0
    case .end: nil
    case .entry(let place): try named(place).first
    }
  }

  /// Returns the id in a word such as `e17`; nil for other words.
  static func id(_ word: String) -> Int64? { word.hasPrefix("e") ? Int64(word.dropFirst()) : nil }

  private func index(of word: String) throws -> Int {
    let id = try Self.id(word).orUsage(
      "“\(word)” is no place of an entry. `lunara playlist LIST` shows them, from 1.")
    guard let index = ids.firstIndex(of: id) else {
      throw LunaraError("cli.noSuchPlace", "The entry \(word) is not in “\(title)” any more.")
    }
    return index
  }

  private func noPlace(_ place: Int) -> LunaraError {
    LunaraError(
      "cli.noSuchPlace",
      ids.isEmpty ? "“\(title)” is empty." : "“\(title)” has the places 1 to \(ids.count), not \(place).")
  }
}

/// The place in a playlist where something is put: the beginning, the end, or behind an entry.
enum Anchor: Equatable, Sendable {
  case start, end
  case entry(Places)
}

extension Client {
  /// Returns the entries of a playlist.
  func entries(of list: PlaylistID) async throws -> EntryPlaces {
    let page = try await playlist(["\(list)"])
    return EntryPlaces(title: page.playlist.title, ids: page.rows.compactMap(\.entry))
  }
}
