public import Messages
import Model

// The shapes of plays, scrobbles and accounts.

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

extension Library.PlayCounts.Row: JSONRepresentable {
  /// The shape of a row of `plays --by`.
  public var json: JSON { ["key": key, "title": title, "plays": plays, "skips": skips, "lastPlayedAt": lastPlayedAt] }
}

extension Library.Statistics: JSONRepresentable {
  /// The shape of `statistics`: times in seconds, hours of the day from 0, weekdays from Monday.
  public var json: JSON {
    [
      "from": from, "to": to, "firstDay": firstDay, "totals": totals, "before": before, "artists": artists,
      "albums": albums, "tracks": tracks, "genres": genres, "rediscovered": rediscovered, "steps": steps,
      "hours": hours, "weekdays": weekdays,
    ]
  }
}

extension Library.Statistics.Totals: JSONRepresentable {
  public var json: JSON {
    [
      "plays": plays, "skips": skips, "heardSeconds": heard, "artists": artists, "albums": albums, "tracks": tracks,
      "firstHeard": firstHeard, "days": days,
    ]
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

extension Library.Statistics.Step: JSONRepresentable {
  public var json: JSON { ["name": name, "plays": plays, "heardSeconds": heard, "genres": genres] }
}

extension Scrobble.Entry: JSONRepresentable {
  /// The shape of an entry of `scrobbles`. Only loves, which `--failed` lists together with listens, have `isLoved`.
  public var json: JSON {
    JSON.heard(listen, track, in: room, at: startedAt, for: heard)
      .with(["destinations": destinations, "withheld": withheld, "isLoved": JSON.absent])
  }
}

extension Scrobble.Destination: JSONRepresentable {
  public var json: JSON {
    ["service": service, "account": account, "state": state, "attempts": attempts, "answer": answer]
  }
}

extension Scrobble.FailedLove: JSONRepresentable {
  public var json: JSON {
    ["service": service, "account": account, "title": title, "artist": artist, "isLoved": isLoved, "reason": reason]
  }

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

extension Scrobble.FailedLoves: JSONRepresentable {
  public var json: JSON { ["count": count, "items": items] }
}

extension Scrobble.OutboxState: JSONRepresentable {
  public var json: JSON {
    [
      "counted": counted, "pending": pending, "failed": failed, "accounts": accounts ?? [],
      "privateUntil": privateUntil, "failedLoves": failedLoves,
    ]
  }
}

extension Scrobble.Account: JSONRepresentable {
  public var json: JSON {
    [
      "service": service, "account": account, "address": address, "isOn": isOn, "state": state, "pending": pending,
      "failed": failed, "error": error, "waitsUntil": waitsUntil, "isFromSettings": isFromSettings,
    ]
  }
}

extension Scrobble.AccountList: JSONRepresentable {
  public var json: JSON { .items(accounts) }
}

extension Scrobble.FilterList: JSONRepresentable {
  public var json: JSON { .items(filters) }
}

extension Scrobble.AccountAdded: JSONRepresentable {
  public var json: JSON { ["service": service, "account": account] }
}

extension Scrobble.Filter: JSONRepresentable {
  /// The shape of an entry of `scrobbles filter`. `name` repeats `value`, as former versions printed that key.
  public var json: JSON { ["kind": kind, "value": value, "name": value] }
}

extension Scrobble.DeliveryCount: JSONRepresentable {
  public var json: JSON { ["count": count] }
}

extension Scrobble.Imported: JSONRepresentable {
  public var json: JSON { ["added": added, "known": known] }
}
