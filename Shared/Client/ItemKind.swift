public import Model

/// The kinds of things that have a command of their own, by their ids.
public enum ItemKind: Sendable {
  case artist, album, track, collection, playlist, work, folder, theme

  /// Creates the kind of an id; nil for an id of another form.
  public init?(_ id: PlayableID) {
    let native = id.native
    if native.hasPrefix("folder:") || native.hasPrefix("theme:"), id.source == "library" {
      self = native.hasPrefix("folder:") ? .folder : .theme
      return
    }
    guard let letter = native.first, native.count > 1, native.utf8.dropFirst().allSatisfy({ (48...57).contains($0) }),
      let kind = Self.letters[letter]
    else { return nil }
    self = kind
  }

  /// Creates the kind of a type of ids; nil for `Playable`.
  init?<Kind>(ofIDs _: ItemID<Kind>.Type) {
    let kinds: [ObjectIdentifier: ItemKind] = [
      ObjectIdentifier(Artist.self): .artist, ObjectIdentifier(Album.self): .album,
      ObjectIdentifier(Track.self): .track, ObjectIdentifier(MusicCollection.self): .collection,
      ObjectIdentifier(Playlist.self): .playlist,
    ]
    guard let kind = kinds[ObjectIdentifier(Kind.self)] else { return nil }
    self = kind
  }

  private static let letters: [Character: ItemKind] = [
    "r": .artist, "a": .album, "t": .track, "c": .collection, "p": .playlist, "w": .work,
  ]

  /// The kind for people, with its article.
  private var name: String {
    switch self {
    case .artist: "an artist"
    case .album: "an album"
    case .track: "a track"
    case .collection: "a collection"
    case .playlist: "a playlist"
    case .work: "a musical work"
    case .folder: "a folder"
    case .theme: "a theme"
    }
  }

  /// The command that shows a thing of this kind.
  private func command(_ id: PlayableID) -> String {
    switch self {
    case .artist: "lunara artist \(id)"
    case .album: "lunara album \(id)"
    case .track: "lunara track \(id)"
    case .collection: "lunara collection \(id)"
    case .playlist: "lunara playlist \(id)"
    case .work: "lunara work \(id)"
    case .folder: "lunara folders \(id.native.dropFirst("folder:".count))"
    case .theme: "lunara themes show \(id.native.dropFirst("theme:".count))"
    }
  }

  /// Throws `client.otherKind` if an id is that of another kind of thing.
  public static func require(_ kind: ItemKind, of id: PlayableID) throws {
    guard let found = ItemKind(id), found != kind else { return }
    throw LunaraError("client.otherKind", "\(id) is \(found.name): `\(found.command(id))` shows it.")
  }
}
