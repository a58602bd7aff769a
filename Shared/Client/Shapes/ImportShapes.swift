public import Messages
public import Model

// The shapes of imports.

extension Library.ImportedRatings: JSONRepresentable {
  public var json: JSON {
    ["found": found, "rated": rated, "same": same, "kept": kept, "unclear": unclear, "atServers": atServers]
  }
}

extension Library.ImportedPlays: JSONRepresentable {
  public var json: JSON { ["found": found, "raised": raised, "same": same, "plays": plays] }
}

extension Library.UndoneImport: JSONRepresentable {
  public var json: JSON { ["undone": undone, "kept": kept, "importedAt": importedAt] }
}

extension Client.ImportReport: JSONRepresentable {
  /// The playlist, the number of tracks by each sign that were found, and the others.
  public var json: JSON {
    let matched = Library.TrackMatch.allCases.filter { $0 != .missing && counts[$0] != nil }
    return playlist.json.with([
      "matched": JSON.object(matched.map { JSON.Member(key: $0.rawValue, value: .count(counts[$0])) }),
      "missing": JSON.list(missing.prefix(100), \.json), "missingCount": missing.count,
      "problems": JSON.list(problems.prefix(100)) { .string($0) },
    ])
  }
}

extension DescribedTrack: JSONRepresentable {
  /// The values that are known.
  public var json: JSON {
    ["title": title, "artist": artist, "album": album, "durationSeconds": duration, "location": location]
  }
}

extension Library.UndoneListenImport: JSONRepresentable {
  public var json: JSON { ["removed": removed, "importedAt": importedAt] }
}
