public import Messages
import Model

// The shapes of themes.

extension Library.ThemeList: JSONRepresentable {
  public var json: JSON { .items(items) }
}

extension Library.Theme: JSONRepresentable {
  public var json: JSON {
    [
      "id": id, "title": title, "text": text, "rules": rules, "look": look, "art": art, "albumCount": albumCount,
      "playable": playable, "revision": revision,
    ]
  }
}

extension Library.ThemePage: JSONRepresentable {
  public var json: JSON { theme.json.with(["albums": albums, "missing": missing ?? [], "next": next]) }
}

extension Library.Theme {
  private static let prefix = "library:theme:"

  /// The id by which it is played.
  public var playable: String { "\(Self.prefix)\(id)" }

  /// Returns the number of the theme that was queued by an id; nil for the id of something else.
  static func number(place: String) -> Int64? {
    place.hasPrefix(prefix) ? Int64(place.dropFirst(prefix.count)) : nil
  }
}
