public import Messages
import Model

// The shapes of plays, scrobbles and accounts, of rediscovered albums, opinions and imports.

extension JSON {
  /// Returns the members that plays and scrobbles have in common: the listen, the track, the room and the times.
  fileprivate static func heard(
    _ listen: ListenID, _ track: Track, in room: RoomName, at startedAt: Timestamp, for heard: Milliseconds
  ) -> JSON {
    [
      "listen": listen, "room": room, "id": track.id, "albumID": track.shownAlbumID, "track": track.title,
      "artist": track.artist, "album": track.album, "art": track.art, "startedAt": startedAt, "heardSeconds": heard,
    ]
  }
}

extension Library.Play: JSONRepresentable {
  public var json: JSON {
    JSON.heard(listen, track, in: room, at: startedAt, for: heard)
      .with(["counted": counted, "skipped": skipped])
  }
}

extension Library.Statistics.Row: JSONRepresentable {
  public var json: JSON {
    [
      "key": key, "title": title, "artist": artist, "art": art, "plays": plays, "heardSeconds": heard,
      "lastBefore": lastBefore, "isHere": isHere ?? true,
    ]
  }
}

extension Scrobble.Entry: JSONRepresentable {
  /// The shape of an entry of `scrobbles`. Only loves, which `--failed` lists together with listens, have `isLoved`.
  public var json: JSON {
    JSON.heard(listen, track, in: room, at: startedAt, for: heard)
      .with(["destinations": destinations, "withheld": withheld, "isLoved": JSON.absent])
  }
}

extension Scrobble.FailedLove {
  /// The shape of an entry of `scrobbles --failed`: that of a scrobble, with `null` for the members that only listens
  /// have.
  public var jsonAsScrobble: JSON {
    [
      "listen": JSON.null, "room": JSON.null, "id": JSON.null, "albumID": JSON.null, "track": title, "artist": artist,
      "album": JSON.null, "art": JSON.null, "startedAt": JSON.null, "heardSeconds": JSON.null,
      "destinations": [
        ["service": service, "account": account, "state": "failed", "attempts": JSON.null, "answer": reason] as JSON
      ], "withheld": JSON.null, "isLoved": isLoved,
    ]
  }
}

extension Scrobble.OutboxState: JSONRepresentable {
  public var json: JSON {
    [
      "counted": counted, "pending": pending, "failed": failed, "accounts": accounts ?? [],
      "privateUntil": privateUntil, "failedLoves": failedLoves,
    ]
  }
}

extension Scrobble.AccountList: JSONRepresentable {
  public var json: JSON { .items(accounts) }
}

extension Scrobble.FilterList: JSONRepresentable {
  public var json: JSON { .items(filters) }
}

extension Scrobble.Filter: JSONRepresentable {
  /// The shape of an entry of `scrobbles filter`. `name` repeats `value`, as former versions printed that key.
  public var json: JSON { ["kind": kind, "value": value, "name": value] }
}

extension Library.OpinionBefore: JSONRepresentable {
  public var json: JSON { ["before": (before?.rawValue).orNull] }
}

extension Library.AlbumOpinion: JSONRepresentable {
  /// The shape of an opinion; `isHere` is missing where it is true.
  public var json: JSON {
    [
      "id": id, "title": title, "artist": artist, "year": year.orNull, "art": art, "opinion": opinion.rawValue,
      "at": at, "isHere": isHere, "problems": problems,
    ]
  }
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
