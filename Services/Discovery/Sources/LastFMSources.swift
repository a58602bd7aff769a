import Messages
import Model

/// Artists that listeners of the house's favourites also play, by Last.fm.
enum LastFMArtists: OutsideSource {
  static let name = "lastfm-artists"
  static let title = "Last.fm"
  static let adds = "Albums that you have by artists near your favourites."
  static let sends = "The names of your 25 favourite artists, with your API key."
  static let account: String? = "lastfm"

  private static let most = 25

  static func step(from cursor: String?, _ house: HouseAlbums, _ access: OutsideAccess) async throws -> SourceStep {
    let favourites = try await house.favourites(most)
    let cursor = ItemCursor(cursor)
    guard favourites.indices.contains(cursor.place) else { return cursor.end }
    let favourite = favourites[cursor.place]
    let next = cursor.place + 1 < favourites.count ? cursor.place + 1 : nil
    let answer = try await access.lastFM(
      "artist.getSimilar", ["artist": favourite.artist, "limit": "30", "autocorrect": "1"], mayBeUnknown: true)
    guard let answer else { return cursor.step(nil, next: next) }
    let rows = try SourceAnswer.lastFMRows(answer, "similarartists", "artist", having: ["name"])
    let finds = rows.prefix(30).compactMap { row -> Find? in
      guard let artist = SourceText.clean(row["name"]?.string), row["match"]?.number ?? 1 >= 0.1 else { return nil }
      return Find(signal: .recommended, kind: .similarArtist, artist: artist, near: favourite.artist)
    }
    return cursor.step(finds, next: next)
  }
}

/// The albums that listeners at Last.fm count among the house's genres most. Last.fm orders them by how often they are
/// tagged, not by listens, and asks that charts are kept for a week.
enum LastFMGenres: OutsideSource {
  static let name = "lastfm-genres"
  static let title = "Last.fm"
  static let adds = "The best known albums of your genres, in the charts."
  static let sends = "The names of your genres, such as Jazz and never your own tags, with your API key."
  static let account: String? = "lastfm"
  static let interval = 7 * Ages.day

  /// The most albums of a genre.
  private static let most = 100

  static func step(from cursor: String?, _ house: HouseAlbums, _ access: OutsideAccess) async throws -> SourceStep {
    let genres = try await house.genreNames()
    let cursor = ItemCursor(cursor)
    guard genres.indices.contains(cursor.place) else { return cursor.end }
    let genre = genres[cursor.place]
    let next = cursor.place + 1 < genres.count ? cursor.place + 1 : nil
    let answer = try await access.lastFM("tag.getTopAlbums", ["tag": genre, "limit": "\(most)"], mayBeUnknown: true)
    guard let answer else { return cursor.step(nil, next: next) }
    let rows = try SourceAnswer.lastFMRows(answer, "albums", "album", having: ["name", "artist"])
    let finds = rows.prefix(most).enumerated().compactMap { rank, row -> Find? in
      // The MusicBrainz ids here are those of releases, of which the library has the release groups only.
      guard let title = SourceText.clean(row["name"]?.string),
        let artist = SourceText.clean(row["artist"]?["name"]?.string)
      else { return nil }
      return Find(signal: .charts, kind: .genreChart, artist: artist, title: title, place: rank + 1, near: genre)
    }
    return cursor.step(finds, next: next)
  }
}

/// The albums that the person played most in a year, at home and elsewhere.
enum LastFMListens: OutsideSource {
  static let name = "lastfm-listens"
  static let title = "Last.fm"
  static let adds = "What you hear most elsewhere, in the history."
  static let sends = "The name of your Last.fm account, with your API key."
  static let account: String? = "lastfm"

  static func step(from cursor: String?, _ house: HouseAlbums, _ access: OutsideAccess) async throws -> SourceStep {
    let answer = try await access.lastFM(
      "user.getTopAlbums", ["user": "{user}", "period": "12month", "limit": "200"])
    guard let answer else { return .unanswered }
    let rows = try SourceAnswer.lastFMRows(answer, "topalbums", "album", having: ["name", "artist"])
    return SourceStep(
      rows.prefix(200).enumerated().compactMap { place, row in
        guard let title = SourceText.clean(row["name"]?.string),
          let artist = SourceText.clean(row["artist"]?["name"]?.string)
        else { return nil }
        return Find(
          signal: .history, kind: .elsewhere, artist: artist, title: title,
          listens: SourceText.count(row["playcount"]), place: place + 1)
      })
  }
}
