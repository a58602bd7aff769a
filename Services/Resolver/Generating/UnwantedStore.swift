import Messages
import Model
import Storage
import Text

/// The music that generated queues leave out.
struct UnwantedStore: Sendable {
  /// The most entries.
  static let limit = 5000

  let database: Database

  /// The music that is unwanted, in the forms by which names are compared.
  struct Names: Hashable, Sendable {
    fileprivate var artists: Set<String> = []
    fileprivate var tracks: Set<[String]> = []

    /// Returns true for a track that is left out.
    func contains(_ track: DescribedTrack) -> Bool {
      let artist = track.artist.matchingForm
      return artists.contains(artist) || tracks.contains([artist, track.title.matchingForm])
    }
  }

  func names() async throws -> Names {
    try await database.read { transaction in
      var names = Names()
      let rows = try transaction.rows("SELECT artist_form, title_form FROM unwanted") {
        [try $0.value(0) as String, try $0.value(1) as String]
      }
      for row in rows { if row[1].isEmpty { names.artists.insert(row[0]) } else { names.tracks.insert(row) } }
      return names
    }
  }

  /// Changes the list and returns it.
  ///
  /// - Throws: `resolver.badUnwanted`.
  func change(_ request: Resolver.ChangeUnwanted) async throws -> Resolver.UnwantedList {
    for item in request.add {
      guard !item.artist.matchingForm.isEmpty, item.artist.utf8.count <= 500, item.title?.utf8.count ?? 0 <= 500,
        item.title?.matchingForm.isEmpty != true
      else {
        throw LunaraError(
          "resolver.badUnwanted", "Unwanted music is an artist, or an artist and a title, of letters or digits.")
      }
    }
    return try await database.write(.power) { transaction in
      for item in request.remove {
        try transaction.execute(
          "DELETE FROM unwanted WHERE artist_form = ? AND title_form = ?", item.artist.matchingForm,
          item.title?.matchingForm ?? "")
      }
      for item in request.add {
        try transaction.execute(
          "INSERT OR REPLACE INTO unwanted (artist_form, title_form, artist, title) VALUES (?, ?, ?, ?)",
          item.artist.matchingForm, item.title?.matchingForm ?? "", item.artist, item.title ?? "")
      }
      let count: Int = try transaction.value("SELECT count(*) FROM unwanted") ?? 0
      guard count <= Self.limit else {
        throw LunaraError("resolver.badUnwanted", "The list of unwanted music has \(Self.limit) entries already.")
      }
      let items = try transaction.rows(
        "SELECT artist, title FROM unwanted ORDER BY artist_form, title_form LIMIT 1000"
      ) { row in
        let title: String = try row.value(1)
        return Resolver.UnwantedMusic(artist: try row.value(0), title: title.isEmpty ? nil : title)
      }
      return Resolver.UnwantedList(items: items)
    }
  }
}
