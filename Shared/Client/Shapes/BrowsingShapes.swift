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

extension Library.Tag: JSONRepresentable {
  public var json: JSON { ["kind": kind.rawValue, "name": name, "isExcluded": isExcluded] }
}

extension Library.TagCount: JSONRepresentable {
  /// The shape of a tag; with `kind` only among tags of several kinds.
  public var json: JSON {
    let tag: JSON = ["name": name, "albums": albums, "id": id]
    return kind.map { tag.with(["kind": $0.rawValue]) } ?? tag
  }
}

extension ArtistName: JSONRepresentable {
  public var json: JSON { ["name": name, "id": id] }
}

extension Credit: JSONRepresentable {
  public var json: JSON { ["role": role.rawValue, "name": name, "artistID": artist, "instrument": instrument] }
}

extension Work: JSONRepresentable {
  public var json: JSON {
    ["title": title, "composer": composer?.json, "movement": movement, "number": number, "total": total]
  }
}

extension Library.CreditGroup: JSONRepresentable {
  /// The shape of a role; with `person` only among several people.
  public var json: JSON {
    let group: JSON = ["role": role.rawValue, "albums": albums, "tracks": tracks]
    return person.map { group.with(["person": $0]) } ?? group
  }
}

extension Library.CreditedTrack: JSONRepresentable {
  /// The shape of the track, with what the artist did for it.
  public var json: JSON { track.json.with(["credit": credit]) }
}

extension Library.WorkEntry: JSONRepresentable {
  public var json: JSON { ["id": id, "title": title, "composer": composer?.json, "trackCount": trackCount] }
}

extension Library.WorkPage: JSONRepresentable {
  public var json: JSON { work.json.with(["tracks": tracks, "next": next.orNull]) }
}

extension Library.FolderPage: JSONRepresentable {
  /// The shape of a folder: each track has the name of its file as `file`.
  public var json: JSON {
    [
      "path": path?.description,
      "folders": JSON.list(folders) { ["id": $0.id, "name": $0.name, "path": $0.path.description] },
      "albums": albums, "tracks": JSON.list(tracks) { $0.track.json.with(["file": $0.name]) }, "next": next.orNull,
    ]
  }
}

extension Library.ProblemPage: JSONRepresentable {
  public var json: JSON {
    [
      "items": JSON.list(items) {
        [
          "kind": $0.kind.rawValue, "source": $0.source, "path": $0.path?.description, "code": $0.problem.code,
          "message": $0.problem.message, "cause": $0.problem.cause, "track": $0.track, "count": $0.count,
        ]
      },
      "counts": JSON.list(counts) { ["kind": $0.kind.rawValue, "code": $0.code, "count": $0.count] },
      "next": next.orNull,
    ]
  }
}
