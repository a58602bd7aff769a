public import Messages
import Model

// The shapes of plays, scrobbles and accounts.

extension JSON {
  /// Returns what a play and a scrobble have in common: the track that was heard, and where.
  fileprivate static func heard(
    _ listen: ListenID, _ track: Track, in room: RoomName, at startedAt: Timestamp, for heard: Milliseconds
  ) -> JSON {
    .object([
      "listen": .text(listen), "room": .text(room), "id": .text(track.id), "albumID": .text(track.albumID),
      "track": .text(track.title), "artist": .text(track.artist), "album": .text(track.album), "art": .text(track.art),
      "startedAt": .text(startedAt), "heardSeconds": .seconds(heard),
    ])
  }
}

extension Library.Play: JSONRepresentable {
  /// The shape of one of `plays`.
  public var json: JSON {
    JSON.heard(listen, track, in: room, at: startedAt, for: heard)
      .with(["counted": .bool(counted), "skipped": .bool(skipped)])
  }
}

extension Library.PlayCounts.Row: JSONRepresentable {
  /// The shape of one of `plays --by`.
  public var json: JSON {
    .object([
      "key": .text(key), "title": .text(title), "plays": .count(plays), "skips": .count(skips),
      "lastPlayedAt": .text(lastPlayedAt),
    ])
  }
}

extension Scrobble.Entry: JSONRepresentable {
  /// The shape of one of `scrobbles`. `isLoved` is of loves only, which `--failed` lists beside the listens.
  public var json: JSON {
    JSON.heard(listen, track, in: room, at: startedAt, for: heard)
      .with(["destinations": .list(destinations), "withheld": .text(withheld), "isLoved": .absent])
  }
}

extension Scrobble.Destination: JSONRepresentable {
  /// One account that a listen is sent to, and how far that is.
  public var json: JSON {
    .object([
      "service": .text(service), "account": .text(account), "state": .text(state), "attempts": .count(attempts),
      "answer": .text(answer),
    ])
  }
}

extension Scrobble.FailedLove: JSONRepresentable {
  /// A love that a service did not take.
  public var json: JSON {
    .object([
      "service": .text(service), "account": .text(account), "title": .text(title), "artist": .text(artist),
      "isLoved": .bool(isLoved), "reason": .text(reason),
    ])
  }

  /// The love as one of `scrobbles --failed`: in the shape of a scrobble, without what only a listen has.
  public var jsonAsScrobble: JSON {
    .object([
      "listen": .null, "room": .null, "id": .null, "albumID": .null, "track": .text(title), "artist": .text(artist),
      "album": .null, "art": .null, "startedAt": .null, "heardSeconds": .null,
      "destinations": .array([
        .object([
          "service": .text(service), "account": .text(account), "state": .text("failed"), "attempts": .null,
          "answer": .text(reason),
        ])
      ]), "withheld": .null, "isLoved": .bool(isLoved),
    ])
  }
}

extension Scrobble.FailedLoves: JSONRepresentable {
  /// The newest loves that services did not take, and how many there are in all.
  public var json: JSON { .object(["count": .count(count), "items": .list(items)]) }
}

extension Scrobble.OutboxState: JSONRepresentable {
  /// The numbers of listens that counted, wait and failed, and the state of each account.
  public var json: JSON {
    .object([
      "counted": .count(counted), "pending": .count(pending), "failed": .count(failed),
      "accounts": .list(accounts ?? []), "privateUntil": .text(privateUntil), "failedLoves": .count(failedLoves),
    ])
  }
}

extension Scrobble.Account: JSONRepresentable {
  /// The shape of one of `scrobbles accounts`.
  public var json: JSON {
    .object([
      "service": .text(service), "account": .text(account), "address": .text(address), "isOn": .bool(isOn),
      "state": .text(state), "pending": .count(pending), "failed": .count(failed), "error": .optional(error),
      "waitsUntil": .text(waitsUntil), "isFromSettings": .bool(isFromSettings),
    ])
  }
}

extension Scrobble.AccountAdded: JSONRepresentable {
  /// The account that was added.
  public var json: JSON { .object(["service": .text(service), "account": .text(account)]) }
}

extension Scrobble.Filter: JSONRepresentable {
  /// The shape of one of `scrobbles filter`. `name` is `value` under the name that commands printed first.
  public var json: JSON { .object(["kind": .text(kind), "value": .text(value), "name": .text(value)]) }
}

extension Scrobble.DeliveryCount: JSONRepresentable {
  /// The number of deliveries that were tried again or given up.
  public var json: JSON { .object(["count": .count(count)]) }
}

extension Scrobble.Imported: JSONRepresentable {
  /// The numbers of listens that were new and that were known.
  public var json: JSON { .object(["added": .count(added), "known": .count(known)]) }
}
