public import Messages
public import Model

// The catalogue: albums, artists, tracks, collections and playlists, in lists and alone.

extension Album: JSONRepresentable {
  /// The shape of an album in lists.
  public var json: JSON {
    .object([
      "id": .text(id), "title": .text(title), "artist": .text(artist), "artistID": .text(artistID),
      "year": .count(year), "genres": .list(genres) { .string($0) }, "trackCount": .count(trackCount),
      "durationSeconds": .seconds(duration), "addedAt": .text(addedAt), "lastPlayedAt": .text(lastPlayedAt),
      "art": .text(art), "rating": .stars(rating), "palette": .optional(palette),
    ])
  }
}

extension Palette: JSONRepresentable {
  /// The colours as `#rrggbb`.
  public var json: JSON { .object(["first": .text(first), "second": .text(second), "dark": .text(dark)]) }
}

extension Track: JSONRepresentable {
  /// The shape of a track.
  public var json: JSON {
    .object([
      "id": .text(id), "title": .text(title), "artist": .text(artist), "albumArtist": .text(albumArtist),
      "album": .text(album), "albumID": .text(albumID), "disc": .count(disc), "number": .count(number),
      "year": .count(year), "genres": .list(genres) { .string($0) }, "durationSeconds": .seconds(duration),
      "art": .text(art), "rating": .stars(rating),
    ])
  }
}

extension Artist: JSONRepresentable {
  /// The shape of an artist in lists.
  public var json: JSON {
    .object(["id": .text(id), "name": .text(name), "albumCount": .count(albumCount), "art": .text(art)])
  }
}

extension MusicCollection: JSONRepresentable {
  /// The shape of a collection in lists.
  public var json: JSON {
    .object([
      "id": .text(id), "title": .text(title), "itemCount": .count(itemCount), "isPinned": .bool(isPinned),
      "summary": .text(summary), "art": .text(art),
    ])
  }
}

extension Playlist: JSONRepresentable {
  /// The shape of a playlist in lists.
  public var json: JSON {
    .object([
      "id": .text(id), "title": .text(title), "trackCount": .count(trackCount), "durationSeconds": .seconds(duration),
      "isSmart": .bool(isSmart), "art": .text(art),
    ])
  }
}

extension Library.TagCount: JSONRepresentable {
  /// A genre, mood, style or year with the number of its albums.
  public var json: JSON { .object(["name": .string(name), "albums": .count(albums)]) }
}

extension Library.Page: JSONRepresentable where Item: JSONRepresentable {
  /// The shape of a page of a list: `next` is the cursor of the next page, `null` on the last.
  public var json: JSON { .object(["items": .list(items), "next": .text(next).orNull]) }
}

extension Library.AlbumWindow: JSONRepresentable {
  /// The part of the list of albums at a place.
  public var json: JSON {
    .object([
      "items": .list(items), "next": .null, "total": .count(total), "first": .count(first),
      "generation": .count(generation), "seed": .count(seed),
    ])
  }
}

extension Library.AlbumIndex: JSONRepresentable {
  /// The letters, years or months of the list of albums, each with its place.
  public var json: JSON {
    .object([
      "total": .count(total), "generation": .count(generation),
      "marks": .list(marks) {
        .object(["name": .text($0.name), "first": .count($0.first), "count": .count($0.count)])
      },
    ])
  }
}

extension Library.AlbumPage: JSONRepresentable {
  /// The shape of `album`: the album's own members, and a page of its tracks.
  public var json: JSON {
    album.json.with([
      "moods": .list(moods ?? []) { .string($0) }, "styles": .list(styles ?? []) { .string($0) },
      "tracks": .list(tracks), "next": .text(next).orNull,
    ])
  }
}

extension Library.ArtistPage: JSONRepresentable {
  /// The shape of `artist`: the artist's own members, and a page of the albums.
  public var json: JSON {
    artist.json.with([
      "summary": .text(summary), "genres": .list(genres) { .string($0) },
      "moods": .list(moods ?? []) { .string($0) }, "styles": .list(styles ?? []) { .string($0) },
      "albums": .list(albums), "next": .text(next).orNull,
    ])
  }
}

extension Library.TrackDetail: JSONRepresentable {
  /// The shape of `track`: the track's own members, and its copies, best first.
  public var json: JSON {
    track.json.with(
      "copies",
      .list(copies) { .object(["id": .text($0.id), "format": .text($0.format), "isLossless": .bool($0.isLossless)]) })
  }
}

extension Library.CollectionPage: JSONRepresentable {
  /// The shape of `collection`: its own members, and a page of what it holds.
  public var json: JSON {
    collection.json.with([
      "albums": .list(albums), "artists": .list(artists), "tracks": .list(tracks), "next": .text(next).orNull,
    ])
  }
}

extension Library.PlaylistPage: JSONRepresentable {
  /// The shape of `playlist`: its own members, and a page of its tracks.
  public var json: JSON { playlist.json.with(["tracks": .list(tracks), "next": .text(next).orNull]) }
}

extension Library.SearchResults: JSONRepresentable {
  /// The shape of `search`.
  public var json: JSON {
    .object([
      "artists": .list(artists), "albums": .list(albums), "tracks": .list(tracks),
      "collections": .list(collections ?? []),
    ])
  }
}

extension JSON {
  /// Returns a rating in stars, 0 to 5 in halves, or `absent`.
  public static func stars(_ rating: Rating?) -> JSON { rating.map { .number($0.stars) } ?? .absent }

  /// Returns a whole list as the only member of an object, `items`.
  public static func items(_ values: some Sequence<some JSONRepresentable>) -> JSON {
    .object(["items": .list(values)])
  }
}
