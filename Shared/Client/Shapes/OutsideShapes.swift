public import Messages
import Model

// The shapes of sources outside the house, of albums that are not on the shelf, and of wishes.

extension Discovery.DataSource: JSONRepresentable {
  public var json: JSON {
    ["name": name, "readAt": readAt.orNull, "items": items, "problem": problem, "outside": outside]
  }
}

extension Discovery.DataSource.Outside: JSONRepresentable {
  public var json: JSON {
    ["title": title, "adds": adds, "sends": sends, "isOn": isOn, "needs": needs, "nextAt": nextAt]
  }
}

extension Discovery.SourceList: JSONRepresentable {
  public var json: JSON { ["sources": sources, "showsMissing": showsMissing] }
}

extension Discovery.MissingAlbum: JSONRepresentable {
  public var json: JSON {
    [
      "releaseGroup": releaseGroup, "title": title, "artist": artist, "artistID": artistID, "date": date, "art": art,
      "source": source, "links": JSON.list(links) { ["name": $0.name, "url": $0.url] }, "isWished": isWished,
    ]
  }
}

extension Discovery.Wish: JSONRepresentable {
  public var json: JSON { ["album": album, "at": at, "id": id] }
}

extension Discovery.WishList: JSONRepresentable {
  public var json: JSON { ["wishes": wishes] }
}
