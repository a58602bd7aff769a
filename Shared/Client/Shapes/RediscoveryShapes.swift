public import Messages
import Model

// The shapes of rediscovered albums, and of an album by chance.

extension Library.RediscoveryDay: JSONRepresentable {
  public var json: JSON { ["day": day, "shelves": shelves] }
}

extension Library.RediscoveryShelf: JSONRepresentable {
  public var json: JSON { ["shelf": shelf.rawValue, "title": title, "reason": reason, "items": items] }
}

extension Library.ExplainedAlbum: JSONRepresentable {
  /// The shape of the album, with the reason why it is shown.
  public var json: JSON { album.json.with(["reason": reason]) }
}
