import Messages
import Model

extension Album {
  /// The shape of an album in lists.
  var json: JSON {
    .object([
      "id": .text(id), "title": .text(title), "artist": .text(artist), "artistID": .text(artistID),
      "year": .count(year), "genres": .list(genres) { .string($0) }, "trackCount": .count(trackCount),
      "durationSeconds": .seconds(duration), "addedAt": .text(addedAt), "lastPlayedAt": .text(lastPlayedAt),
      "art": .text(art), "rating": .stars(rating),
      "palette": palette.map {
        .object(["first": .text($0.first), "second": .text($0.second), "dark": .text($0.dark)])
      } ?? .null,
    ])
  }

  /// The row of a table.
  func add(to table: inout Table) {
    table.add(
      .faint(id.description), .strong(title), Table.Cell(artist), .number(year.map { "\($0)" } ?? ""),
      .number("\(trackCount) \(trackCount == 1 ? "track" : "tracks")"))
  }
}

extension Track {
  /// The shape of a track.
  var json: JSON {
    .object([
      "id": .text(id), "title": .text(title), "artist": .text(artist), "albumArtist": .text(albumArtist),
      "album": .text(album), "albumID": .text(albumID), "disc": .count(disc), "number": .count(number),
      "year": .count(year), "genres": .list(genres) { .string($0) }, "durationSeconds": .seconds(duration),
      "art": .text(art), "rating": .stars(rating),
    ])
  }

  /// The row of a table.
  func add(to table: inout Table) {
    table.add(
      .faint(id.description), .strong(title), Table.Cell(artist), .faint(album), .number(duration))
  }
}

extension Artist {
  /// The shape of an artist.
  var json: JSON {
    .object(["id": .text(id), "name": .text(name), "albumCount": .count(albumCount), "art": .text(art)])
  }

  /// The row of a table.
  func add(to table: inout Table) {
    table.add(
      .faint(id.description), .strong(name), .number("\(albumCount) \(albumCount == 1 ? "album" : "albums")"))
  }
}

extension MusicCollection {
  /// The shape of a collection.
  var json: JSON {
    .object([
      "id": .text(id), "title": .text(title), "itemCount": .count(itemCount), "isPinned": .bool(isPinned),
      "summary": .text(summary), "art": .text(art),
    ])
  }

  /// The row of a table.
  func add(to table: inout Table) {
    table.add(
      .faint(id.description), .strong(title), .number("\(itemCount) \(itemCount == 1 ? "item" : "items")"),
      .faint(isPinned ? "pinned" : ""))
  }
}

extension Playlist {
  /// The shape of a playlist.
  var json: JSON {
    .object([
      "id": .text(id), "title": .text(title), "trackCount": .count(trackCount), "durationSeconds": .seconds(duration),
      "isSmart": .bool(isSmart), "art": .text(art),
    ])
  }

  /// The row of a table.
  func add(to table: inout Table) {
    table.add(
      .faint(id.description), .strong(title), .number("\(trackCount) \(trackCount == 1 ? "track" : "tracks")"),
      .number(duration), .faint(isSmart ? "smart" : ""))
  }
}

extension Rating {
  /// As stars: `★★★★½`.
  var shown: String {
    rawValue == 0 ? "☆" : String(repeating: "★", count: rawValue / 2) + (rawValue % 2 == 1 ? "½" : "")
  }
}

extension Library.AlbumPage {
  /// The shape of `album`: the album's own members, and its tracks.
  var json: JSON {
    album.json.with("moods", .list(moods ?? []) { .string($0) }).with("styles", .list(styles ?? []) { .string($0) })
      .with("tracks", .list(tracks, \.json))
  }
}

extension Library.SearchResults {
  /// The shape of `search`.
  var json: JSON {
    .object([
      "artists": .list(artists, \.json), "albums": .list(albums, \.json), "tracks": .list(tracks, \.json),
      "collections": .list(collections ?? [], \.json),
    ])
  }
}

extension Library.ArtistPage {
  /// The shape of `artist`: the artist's own members, and the albums.
  var json: JSON {
    artist.json.with("summary", .text(summary)).with("genres", .list(genres) { .string($0) })
      .with("moods", .list(moods ?? []) { .string($0) }).with("styles", .list(styles ?? []) { .string($0) })
      .with("albums", .list(albums, \.json))
  }
}

extension Library.TrackDetail {
  /// The shape of `track`: the track's own members, and its copies, best first.
  var json: JSON {
    track.json.with(
      "copies",
      .list(copies) { copy in
        .object(["id": .text(copy.id), "format": .text(copy.format), "isLossless": .bool(copy.isLossless)])
      })
  }
}

extension Library.CollectionPage {
  /// The shape of `collection`: its own members, and what it holds.
  var json: JSON {
    collection.json.with("albums", .list(albums, \.json)).with("artists", .list(artists, \.json))
      .with("tracks", .list(tracks, \.json))
  }
}

extension Library.PlaylistPage {
  /// The shape of `playlist`: its own members, and its tracks.
  var json: JSON { playlist.json.with("tracks", .list(tracks, \.json)) }
}

extension JSON {
  /// A rating in stars, 0 to 5 in halves, or null.
  static func stars(_ rating: Rating?) -> JSON { rating.map { .number($0.stars) } ?? .null }

  /// The shape of a page of a list.
  static func page<Item>(_ items: [Item], next: String?, _ json: (Item) -> JSON) -> JSON {
    .object(["items": .list(items, json), "next": .text(next)])
  }
}
