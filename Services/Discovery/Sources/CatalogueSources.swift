import Messages
import Model

/// The albums and EPs of the house's artists that it does not have.
enum MusicBrainzReleases: OutsideSource {
  static let name = "musicbrainz"
  static let title = "MusicBrainz"
  static let adds = "Albums of your artists that are not in the library."
  static let sends = "The MusicBrainz ids of an album each of your artists, one a second at most."

  static let interval = 7 * Ages.day
  /// The most releases of an artist.
  private static let most = 100

  static func step(from cursor: String?, _ house: HouseAlbums, _ access: OutsideAccess) async throws -> SourceStep {
    let cursor = cursor.map { ItemCursor($0) }
    guard let known = try await house.artists(after: cursor.map { Int64($0.place) }, limit: 1).first else {
      return cursor.map { $0.known == 0 } == true ? .unanswered : SourceStep()
    }
    let next = Int(known.artistKey)
    let place = cursor ?? ItemCursor(nil)
    guard let id = try await artistID(known, house, access),
      let answer = try await access.musicBrainz.read(
        "/ws/2/release-group?artist=\(id)&type=album%7Cep&limit=\(most)&offset=0&fmt=json")
    else { return place.step(nil, next: next) }
    let rows = try SourceAnswer.rows(answer, "release-groups", having: ["id", "title"], of: title)
    let finds = rows.prefix(most).compactMap { row -> Find? in
      // Compilations, concerts and the like have a secondary type.
      guard let group = SourceText.id(row["id"]?.string), let title = SourceText.clean(row["title"]?.string),
        row["secondary-types"]?.elements.isEmpty ?? true
      else { return nil }
      let date = SourceText.date(row["first-release-date"]?.string)
      guard let date else { return nil }
      let isNew = Int(date.prefix(4)).map { $0 >= Ages.year(of: Timestamp.now().seconds) - 1 } ?? false
      return Find(
        signal: isNew ? .new : .wild, kind: isNew ? .release : .discography, releaseGroup: group,
        artist: known.artist, title: title, date: date)
    }
    return place.step(finds, next: next)
  }

  /// Returns the id of an artist, which is asked for by an album once.
  private static func artistID(
    _ known: HouseAlbums.ReferenceAlbum, _ house: HouseAlbums, _ access: OutsideAccess
  ) async throws -> String? {
    if let id = try await house.artistID(known.artistKey) { return id }
    guard let group = SourceText.id(known.releaseGroup) else { return nil }
    let answer = try await access.musicBrainz.read("/ws/2/release-group/\(group)?inc=artist-credits&fmt=json")
    guard let answer else { return nil }
    let credits = try SourceAnswer.rows(answer, "artist-credit", having: ["artist"], of: title)
    // An album of several artists says nothing about the one whose name it stands under.
    guard credits.count == 1, let id = SourceText.id(credits[0]["artist"]?["id"]?.string) else { return nil }
    try await house.store(artistID: id, of: known.artistKey)
    return id
  }
}

/// Albums that the house's Plex and OpenSubsonic servers name as similar to favourites.
enum SimilarOnServers: OutsideSource {
  static let name = "servers"
  static let title = "your music server"
  static let adds = "Albums that sound like your favourites, as Plex and OpenSubsonic servers know them."
  static let sends = "The ids of 25 favourite albums, to the server that has them."

  private static let most = 25

  /// Asks for one favourite. A favourite whose server cannot be asked is passed over, and so is one for which no server
  /// names an album: it may be in music folders only, or have left the library.
  ///
  /// If no favourite has albums and the server of the last one is away, the reading fails at that one and keeps the
  /// earlier finds. It starts again from the first favourite once that server answers.
  static func step(from cursor: String?, _ house: HouseAlbums, _ access: OutsideAccess) async throws -> SourceStep {
    let favourites = try await house.favourites(most)
    let cursor = ItemCursor(cursor)
    guard favourites.indices.contains(cursor.place) else { return cursor.end }
    let favourite = favourites[cursor.place]
    let next = cursor.place + 1 < favourites.count ? cursor.place + 1 : nil
    let isLastWithoutFinds = next == nil && cursor.known == 0
    let albums: [AlbumID]
    do { albums = try await access.similar(.init(id: favourite.id)).albums } catch let error as LunaraError
      where error.code == "library.unknownID"
    {
      return cursor.step(nil, next: next)
    } catch let error as LunaraError
      where [
        "library.sourceAway", "library.otherServer", "library.signedOut", "library.serverUntrusted",
        "library.wrongServerKind",
      ].contains(error.code)
    {
      guard isLastWithoutFinds else {
        var step = cursor.step(nil, next: next)
        step.problem = error
        return step
      }
      guard cursor.isSecondPass else { throw error }
      // The next step fails here as in a first pass, so that the reading can start again once more.
      return SourceStep(next: ItemCursor.text(cursor.place, known: 0), problem: error)
    }
    guard !albums.isEmpty else { return cursor.step(nil, next: next) }
    // The finds of the last favourite come again in the second pass.
    if isLastWithoutFinds, cursor.place > 0, !cursor.isSecondPass {
      return SourceStep(next: ItemCursor.text(0, known: 0, isSecondPass: true))
    }
    return cursor.step(
      albums.prefix(50).map { Find(signal: .recommended, kind: .similarAlbum, album: $0, near: favourite.title) },
      next: next)
  }
}
