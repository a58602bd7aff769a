public import Messages
public import Model

// The shapes of the catalogue: albums, artists, tracks, collections and playlists, in lists and alone.

extension Album: JSONRepresentable {
  public var json: JSON {
    [
      "id": id, "title": title, "artist": artist, "artistID": artistID, "year": year, "genres": genres,
      "trackCount": trackCount, "durationSeconds": duration, "addedAt": addedAt, "lastPlayedAt": lastPlayedAt,
      "art": art, "rating": rating, "palette": palette, "date": date?.description,
      "originalDate": originalDate?.description, "edition": edition, "types": types?.map(\.rawValue),
      "quality": quality,
      "folder": folder, "editionCount": editionCount,
    ]
  }
}

extension Palette: JSONRepresentable {
  /// The colours as `#rrggbb`.
  public var json: JSON { ["first": first, "second": second, "dark": dark] }
}

extension Track {
  /// The id of the album that a reader can open; nil for a described track, whose album is not in the library.
  var shownAlbumID: AlbumID? { albumID.isDescribed ? nil : albumID }
}

extension Track: JSONRepresentable {
  public var json: JSON {
    [
      "id": id, "title": title, "artist": artist, "albumArtist": albumArtist, "album": album, "albumID": shownAlbumID,
      "disc": disc, "number": number, "numberText": numberText, "year": year, "genres": genres,
      "durationSeconds": duration, "art": art, "rating": rating, "artists": artists, "composer": composer, "work": work,
    ]
  }
}

extension Artist: JSONRepresentable {
  public var json: JSON {
    [
      "id": id, "name": name, "albumCount": albumCount, "art": art, "trackCount": trackCount,
      "roles": roles?.map(\.rawValue), "aliases": aliases,
    ]
  }
}

extension Playlist: JSONRepresentable {
  public var json: JSON {
    [
      "id": id, "title": title, "kind": isSmart ? "smart" : "list", "source": id.source, "trackCount": trackCount,
      "durationSeconds": duration, "editable": isEditable ?? false, "isSmart": isSmart, "art": art, "summary": summary,
      "revision": revision, "note": note,
    ]
  }
}

extension Library.Page: JSONRepresentable where Item: JSONRepresentable {
  /// The shape of a page of a list: `next` is the cursor of the next page, `null` on the last.
  public var json: JSON { ["items": items, "next": next.orNull] }
}

extension Library.AlbumWindow: JSONRepresentable {
  public var json: JSON {
    ["items": items, "next": JSON.null, "total": total, "first": first, "generation": generation, "seed": seed]
  }
}

extension Library.TrackWindow: JSONRepresentable {
  public var json: JSON {
    ["items": items, "next": JSON.null, "total": total, "first": first, "generation": generation, "seed": seed]
  }
}

extension Library.AlbumPage: JSONRepresentable {
  public var json: JSON {
    album.json.with([
      "moods": moods ?? [], "styles": styles ?? [], "facts": facts, "discs": discs ?? [], "editions": editions ?? [],
      "listedEdition": listedEdition,
      "credits": credits ?? [],
      "tracks": JSON.list(tracks) { track in
        let guess = guesses?.first { $0.track == track.id }
        return guess.map { track.json.with("guessed", $0.json) } ?? track.json
      },
      "next": next.orNull, "sound": sound, "plays": plays, "sources": sources, "lengthSeconds": length,
    ])
  }
}

extension Library.TrackGuess: JSONRepresentable {
  /// The names of the values that were guessed.
  public var json: JSON { JSON.list(fields) { .string($0.rawValue) } }
}

extension Library.ArtistPage: JSONRepresentable {
  public var json: JSON {
    artist.json.with([
      "summary": summary, "genres": genres, "moods": moods ?? [], "styles": styles ?? [], "albums": albums,
      "appearances": appearances ?? [], "next": next.orNull,
    ])
  }
}

extension Library.TrackDetail: JSONRepresentable {
  /// The shape of a track with the members of `Track`, the file and the properties of its best copy, its copies, best
  /// first, and what else its tags say.
  public var json: JSON {
    track.json.with([
      "credits": credits ?? [], "facts": facts, "hasLyrics": hasLyrics, "ids": track.ids, "levels": track.levels,
      "guessed": guessed.map { JSON.list($0) { .text($0.rawValue) } },
      "path": copies.first?.path?.description, "audio": copies.first?.audio,
      "copies": JSON.list(copies) {
        [
          "id": $0.id, "format": $0.format, "isLossless": $0.isLossless, "path": $0.path?.description,
          "audio": $0.audio, "startSeconds": $0.segment?.offset.seconds, "endSeconds": $0.segment?.endOffset?.seconds,
        ]
      },
    ])
  }
}

extension Track {
  /// The ids of the track in public databases; nil if none is known.
  fileprivate var ids: JSON? {
    guard recordingID != nil || releaseID != nil || releaseGroupID != nil || artistIDs != nil || isrc != nil else {
      return nil
    }
    return [
      "recording": recordingID, "release": releaseID, "releaseGroup": releaseGroupID, "artists": artistIDs,
      "isrc": isrc,
    ]
  }
}

extension Library.PlaylistPage: JSONRepresentable {
  /// The entries in order, each with the values of its track.
  public var json: JSON {
    playlist.json.with(["entries": JSON.list(rows, \.json), "next": next.orNull, "rules": rules])
  }
}

extension Library.SearchResults {
  /// The shape of the results; with `notes` only if they were searched.
  ///
  /// - Throws: `bus.badPayload` for a note that JSON cannot express.
  public var json: JSON {
    get throws {
      let found: JSON = [
        "artists": artists, "albums": albums, "tracks": tracks, "collections": collections ?? [],
        "playlists": playlists ?? [], "best": best, "tags": tags ?? [], "people": people ?? [],
        "searchedWords": searchedWords,
      ]
      return try notes.map { found.with("notes", try .list($0)) } ?? found
    }
  }
}

extension JSON {
  /// Returns a rating in stars, 0 to 5 in halves, or `absent`.
  public static func stars(_ rating: Rating?) -> JSON { rating.json }
  /// Returns a whole list as the only member `items` of an object.
  public static func items(_ values: some Sequence<some JSONRepresentable>) -> JSON { ["items": JSON.list(values)] }
}

extension Library.PlaylistPage.PlacedEntry: JSONRepresentable {
  /// The values of the track; of a described one those that are known, with an `id` of null.
  public var json: JSON {
    if let track { return track.json.with(["entry": entry.orNull, "described": false]) }
    return [
      "entry": entry.orNull, "id": JSON.null, "title": described?.title, "artist": described?.artist,
      "album": described?.album, "durationSeconds": described?.duration, "described": true,
      "location": described?.location, "art": described?.art, "choice": described?.choice,
    ]
  }
}
