import Messages
import Model

/// The albums and EPs of the house's artists that it does not have.
enum MusicBrainzReleases: OutsideSource {
  static let name = "musicbrainz"
  static let title = "MusicBrainz"
  static let adds = "Albums of your artists that are not on the shelf."
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
    _ known: HouseAlbums.Known, _ house: HouseAlbums, _ access: OutsideAccess
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

  /// Asks for one favourite. The cursor has its place, and the number of favourites that a server answered for. A
  /// favourite whose server cannot be asked is passed over. Where none could be asked, the reading fails, so that what
  /// it gave before stays; it begins anew once a server answers.
  static func step(from cursor: String?, _ house: HouseAlbums, _ access: OutsideAccess) async throws -> SourceStep {
    let favourites = try await house.favourites(most)
    let cursor = ItemCursor(cursor)
    let (place, answered) = (cursor.place, cursor.known)
    guard favourites.indices.contains(place) else { return cursor.end }
    let favourite = favourites[place]
    let isLast = place + 1 == favourites.count
    do {
      let albums = try await access.similar(.init(id: favourite.id)).albums
      let finds = albums.prefix(50).map {
        Find(signal: .recommended, kind: .similarAlbum, album: $0, near: favourite.title)
      }
      let beginsAnew = isLast && place > 0 && answered == 0
      return SourceStep(finds, next: beginsAnew ? "0:1" : isLast ? nil : "\(place + 1):\(answered + 1)")
    } catch let error as LunaraError where error.code == "library.unknownID" {
      return SourceStep(next: isLast ? nil : "\(place + 1):\(answered + 1)")
    } catch let error as LunaraError
      where ["library.sourceAway", "library.otherServer", "library.signedOut"].contains(error.code)
    {
      guard !isLast || answered > 0 else { throw error }
      return SourceStep(next: isLast ? nil : "\(place + 1):\(answered)", problem: error)
    }
  }
}
