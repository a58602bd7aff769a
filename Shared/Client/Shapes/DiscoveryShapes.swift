public import Messages
import Model

// The shapes of walls, feeds and genres, and of what is known about how they are made.

extension Discovery.WallName: JSONRepresentable {
  public var json: JSON {
    ["seed": seed, "dial": dial, "first": first, "genre": genre, "subcategories": subcategories.map { JSON.list($0) }]
  }
}

extension Discovery.Wall: JSONRepresentable {
  /// The shape of a page of a wall or feed.
  public var json: JSON {
    [
      "seed": name.seed, "dial": name.dial, "genre": name.genre.orNull, "subcategories": name.subcategories,
      "items": tiles, "next": next.orNull, "round": round, "endsRound": endsRound, "wall": name,
    ]
  }
}

extension Discovery.SimilarAlbums: JSONRepresentable {
  public var json: JSON { ["items": items] }
}

extension Discovery.Tile: JSONRepresentable {
  public var json: JSON {
    [
      "id": id.orNull, "title": title, "artist": artist, "artistID": artistID, "year": year.orNull, "art": art,
      "signal": signal.rawValue, "reason": reason, "onShelf": isOnShelf, "evidence": evidence, "missing": missing,
    ]
  }
}

extension Discovery.Evidence: JSONRepresentable {
  public var json: JSON {
    [
      "genre": genre, "lastPlayedAt": lastPlayedAt, "plays": plays, "rating": rating, "addedAt": addedAt,
      "place": place, "favouritesOfArtist": favouritesOfArtist, "likedArtists": likedArtists, "favourite": favourite,
      "source": source, "listens": listens, "listeners": listeners,
      "notedAt": notedAt,
    ]
  }
}

extension Discovery.Genre: JSONRepresentable {
  public var json: JSON { ["id": id, "name": name, "albums": albums, "subcategories": subcategories] }
}

extension Discovery.GenreList: JSONRepresentable {
  public var json: JSON {
    [
      "genres": genres, "tagged": tagged, "matched": matched,
      "unmatched": JSON.list(unmatched) { ["tag": $0.tag, "albums": $0.albums] },
    ]
  }
}

extension Discovery.ShelfState: JSONRepresentable {
  public var json: JSON {
    ["generation": generation, "albums": albums, "dial": dial, "reading": isReading, "problem": problem]
  }
}

extension Discovery.DialRow: JSONRepresentable {
  public var json: JSON {
    [
      "dial": dial, "name": name,
      "shares": JSON.list(shares) { ["signal": $0.signal.rawValue, "percent": $0.percent, "ofFifty": $0.ofFifty] },
    ]
  }
}

extension Discovery.Diagnostics: JSONRepresentable {
  public var json: JSON {
    [
      "shelf": shelf, "played": played, "rated": rated, "tagged": tagged, "matched": matched, "likes": likes,
      "dislikes": dislikes, "both": both, "heldBack": heldBack, "walls": walls,
      "dials": dials,
      "sources": sources,
    ]
  }
}
