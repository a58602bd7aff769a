public import Messages
public import Model

// The shapes of tags, credits, works and folders.

extension Library.Tag {
  /// Reads a tag such as `genre:Jazz`, and `unplayed`, which needs no name; nil for a kind that this version does not
  /// know, and for other kinds without a name.
  public init?(text: String) {
    let parts = text.split(separator: ":", maxSplits: 1)
    guard let kind = parts.first.flatMap({ Kind(word: String($0)) }), parts.count == 2 || kind == .unplayed else {
      return nil
    }
    self.init(kind: kind, name: parts.count == 2 ? String(parts[1]) : "")
  }
}

extension ArtistName: JSONRepresentable {
  public var json: JSON { ["name": name, "id": id] }
}

extension Credit: JSONRepresentable {
  public var json: JSON { ["role": role.rawValue, "name": name, "artistID": artist, "instrument": instrument] }
}

extension Library.FolderPage: JSONRepresentable {
  /// The shape of a folder: each track has the name of its file as `file`.
  public var json: JSON {
    [
      "path": path?.description,
      "folders": folders,
      "albums": albums, "tracks": JSON.list(tracks) { $0.track.json.with(["file": $0.name]) }, "next": next.orNull,
    ]
  }
}

extension Library.Problem: JSONRepresentable {
  /// The shape of a problem, with the members of its error.
  public var json: JSON {
    [
      "kind": kind.rawValue, "source": source, "path": path, "code": problem.code, "message": problem.message,
      "cause": problem.cause, "track": track, "count": count,
    ]
  }
}
