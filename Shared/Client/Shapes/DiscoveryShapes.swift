public import Messages
import Model

// The shapes of walls, feeds and genres, of articles, and of sources outside the house.

extension Discovery.Wall: JSONRepresentable {
  /// The shape of a page of a wall or feed.
  public var json: JSON {
    [
      "seed": name.seed, "dial": name.dial, "genre": name.genre.orNull, "subcategories": name.subcategories,
      "items": tiles, "next": next.orNull, "round": round, "endsRound": endsRound, "wall": name,
    ]
  }
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

extension Discovery.ShelfState: JSONRepresentable {
  public var json: JSON {
    ["generation": generation, "albums": albums, "dial": dial, "reading": isReading, "problem": problem]
  }
}
