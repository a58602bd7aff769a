import Messages
import Model

/// The albums of the recordings that ListenBrainz recommends to the person.
enum ListenBrainzRecommendations: OutsideSource {
  static let name = "listenbrainz-recommendations"
  static let title = "ListenBrainz"
  static let adds = "What ListenBrainz recommends to you, from the listeners that are like you."
  static let sends = "Your ListenBrainz account."
  static let account: String? = "listenbrainz"

  /// The number of recordings in a part.
  private static let part = 50
  /// The most recordings of all parts.
  private static let most = 500

  static func step(from cursor: String?, _ house: HouseAlbums, _ access: OutsideAccess) async throws -> SourceStep {
    let offset = cursor.flatMap { Int($0) } ?? 0
    let answer = try await access.listenBrainz(
      "1/cf/recommendation/user/{user}/recording", ["count": "\(part)", "offset": "\(offset)"])
    guard let answer else { return offset == 0 ? .unanswered : SourceStep() }
    let rows = try SourceAnswer.rows(answer, "payload", "mbids", having: ["recording_mbid"], of: title).prefix(part)
    // Rows that cannot be used do not end the list.
    let next = rows.count == part && offset + part < most ? "\(offset + part)" : nil
    let recordings = rows.compactMap { SourceText.id($0["recording_mbid"]?.string) }
    guard !recordings.isEmpty else { return SourceStep(next: next) }
    let list = recordings.map { "\"\($0)\"" }.joined(separator: ",")
    let details = try await access.listenBrainz(
      "1/metadata/recording/", body: #"{"recording_mbids":[\#(list)],"inc":"artist release"}"#)
    guard let details, details.isObject,
      details.members.isEmpty || details.members.contains(where: { SourceText.id($0.name) != nil && $0.value.isObject })
    else { throw SourceAnswer.changed(title) }
    var found: [String: Find] = [:]
    for (name, row) in details.members {
      guard let id = SourceText.id(name), let release = row["release"],
        let title = SourceText.clean(release["name"]?.string),
        let artist = SourceText.clean(release["album_artist_name"]?.string ?? row["artist"]?["name"]?.string)
      else { continue }
      found[id] = Find(
        signal: .recommended, kind: .recommended, releaseGroup: SourceText.id(release["release_group_mbid"]?.string),
        artist: artist, title: title, date: SourceText.count(release["year"]).flatMap { SourceText.date("\($0)") })
    }
    var seen: Set<String> = []
    let finds = recordings.compactMap { found[$0] }.filter {
      seen.insert("\($0.artist)\u{1F}\($0.title ?? "")").inserted
    }
    return SourceStep(finds, next: next)
  }
}

/// New releases of the artists that the person plays.
enum ListenBrainzReleases: OutsideSource {
  static let name = "listenbrainz-releases"
  static let title = "ListenBrainz"
  static let adds = "New releases of the artists that you hear."
  static let sends = "Your ListenBrainz account."
  static let account: String? = "listenbrainz"

  /// The numbers of days that are asked for: a shorter time follows where an answer is too long.
  private static let days = [30, 14, 7, 3]

  static func step(from cursor: String?, _ house: HouseAlbums, _ access: OutsideAccess) async throws -> SourceStep {
    let attempt = min(max(0, cursor.flatMap { Int($0) } ?? 0), days.count - 1)
    let answer: JSONView?
    do {
      answer = try await access.listenBrainz(
        "1/user/{user}/fresh_releases",
        ["days": "\(days[attempt])", "past": "true", "future": "false", "sort": "confidence"])
    } catch let error as LunaraError where error.cause?.contains("too long") == true && attempt + 1 < days.count {
      return SourceStep(next: "\(attempt + 1)")
    }
    guard let answer else { return .unanswered }
    let rows = try SourceAnswer.rows(
      answer, "payload", "releases", having: ["release_name", "artist_credit_name"], of: title)
    return SourceStep(
      rows.prefix(500).compactMap { row in
        guard let title = SourceText.clean(row["release_name"]?.string),
          let artist = SourceText.clean(row["artist_credit_name"]?.string)
        else { return nil }
        let kind = row["release_group_primary_type"]?.string ?? "Album"
        guard ["album", "ep"].contains(kind.lowercased()) else { return nil }
        return Find(
          signal: .new, kind: .release, releaseGroup: SourceText.id(row["release_group_mbid"]?.string),
          artist: artist, title: title, date: SourceText.date(row["release_date"]?.string))
      })
  }
}

/// Artists that listeners of the house's favourites also play.
enum ListenBrainzArtists: OutsideSource {
  static let name = "listenbrainz-artists"
  static let title = "ListenBrainz"
  static let adds = "Albums that you have by artists near your favourites."
  static let sends =
    "The MusicBrainz ids of an album and of the artist of your 25 favourite artists, with your account."
  static let account: String? = "listenbrainz"

  static let interval = 7 * Ages.day
  private static let most = 25

  static func step(from cursor: String?, _ house: HouseAlbums, _ access: OutsideAccess) async throws -> SourceStep {
    let favourites = try await house.favourites(most, needsReleaseGroup: true)
    let cursor = ItemCursor(cursor)
    guard favourites.indices.contains(cursor.place) else { return cursor.end }
    if cursor.place == 0 { try await learnIDs(of: favourites, house, access) }
    let favourite = favourites[cursor.place]
    let next = cursor.place + 1 < favourites.count ? cursor.place + 1 : nil
    guard let id = try await house.artistID(favourite.artistKey) else { return cursor.step(nil, next: next) }
    let answer = try await access.listenBrainz(
      "1/lb-radio/artist/\(id)",
      [
        "mode": "easy", "max_similar_artists": "25", "max_recordings_per_artist": "1", "pop_begin": "0",
        "pop_end": "100",
      ], mayBeUnknown: true)
    guard let answer else { return cursor.step(nil, next: next) }
    guard answer.isObject else { throw SourceAnswer.changed(title) }
    let artists = answer.members.compactMap { _, rows in
      rows.elements.first.flatMap { SourceText.clean($0["similar_artist_name"]?.string) }
    }
    guard !artists.isEmpty || answer.members.allSatisfy({ $0.value.isArray && $0.value.elements.isEmpty }) else {
      throw SourceAnswer.changed(title)
    }
    let finds = artists.prefix(100).filter { MatchKey.artist($0) != favourite.artistKey }.map {
      Find(signal: .recommended, kind: .similarArtist, artist: $0, near: favourite.artist)
    }
    return cursor.step(Array(finds), next: next)
  }

  /// Finds out the ids of artists by the release groups of their albums.
  private static func learnIDs(
    of favourites: [HouseAlbums.ReferenceAlbum], _ house: HouseAlbums, _ access: OutsideAccess
  ) async throws {
    var unknown: [HouseAlbums.ReferenceAlbum] = []
    for known in favourites where try await house.artistID(known.artistKey) == nil { unknown.append(known) }
    let groups = unknown.compactMap { SourceText.id($0.releaseGroup) }
    guard !groups.isEmpty else { return }
    let answer = try await access.listenBrainz(
      "1/metadata/release_group/", ["release_group_mbids": groups.joined(separator: ","), "inc": "artist"],
      mayBeUnknown: true)
    guard let answer else { return }
    guard answer.isObject else { throw SourceAnswer.changed(title) }
    for (name, row) in answer.members {
      guard let group = SourceText.id(name),
        let known = unknown.first(where: { SourceText.id($0.releaseGroup) == group }),
        let artist = row["artist"]?["artists"]?.elements.first,
        let id = SourceText.id(artist["artist_mbid"]?.string)
      else { continue }
      try await house.store(artistID: id, of: known.artistKey)
    }
  }
}
