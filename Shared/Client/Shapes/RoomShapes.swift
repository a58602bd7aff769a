public import Messages
public import Model

// Rooms, their queues and where their sound goes.

extension RoomStatus: JSONRepresentable {
  /// The shape of one of `rooms`. Times are told from now, never as a time of day: the clocks of two hosts differ.
  public var json: JSON {
    let json = JSON.object([
      "name": .text(name), "state": .text(state), "away": .bool(isAway), "track": .optional(track).orNull,
      "positionSeconds": .seconds(position), "durationSeconds": .seconds(duration).orNull, "volume": .count(volume),
      "modes": .optional(modes), "notice": .optional(notice), "retriesInSeconds": .seconds(retriesIn),
      "sleepsInSeconds": .seconds(sleepsIn), "interruption": .text(interruption), "title": .text(title).orNull,
      "entry": .text(entry).orNull, "rate": .number(rate), "queueRevision": .count(queueRevision),
      "bufferedSeconds": .seconds(buffered),
    ])
    guard let error else { return json }
    return json.with(["message": .text(error.message), "code": .text(error.code)])
  }
}

extension Playback.Modes: JSONRepresentable {
  /// The modes of a room: repeat, order, sleep timer and limits.
  public var json: JSON {
    .object([
      "repeat": .text(repeats.rawValue), "order": .text(order.rawValue), "stopsAfterCurrent": .bool(stopsAfterCurrent),
      "muted": .bool(isMuted), "maxVolume": .count(maximumVolume),
    ])
  }
}

extension RoomQueue: JSONRepresentable {
  /// The shape of `queue`. `place` is the number that `queue remove` and `queue move` take; `first` and `current` are
  /// indexes in the whole queue, from 0.
  public var json: JSON {
    .object([
      "room": .text(room), "current": .count(current).orNull,
      "items": .list(items.enumerated()) { index, item in
        .object([
          "entry": .text(item.entry), "place": .count(first + index + 1), "id": .text(item.track.id),
          "title": .text(item.track.title), "artist": .text(item.track.artist), "album": .text(item.track.album),
          "albumID": .text(item.track.albumID), "durationSeconds": .seconds(item.track.duration),
          "art": .text(item.track.art),
        ])
      },
      "positionSeconds": .seconds(position), "order": .text(modes?.order.rawValue),
      "repeat": .text(modes?.repeats.rawValue), "continues": .bool(continues), "revision": .count(revision),
      "count": .count(count), "first": .count(first),
    ])
  }
}

extension Playback.QueueSummary: JSONRepresentable {
  /// The size and current item of a queue after a change.
  public var json: JSON {
    .object(["revision": .count(revision), "count": .count(count), "current": .count(current)])
  }
}

extension Router.Played: JSONRepresentable {
  /// The shape of `play`: how many tracks were queued, and where.
  public var json: JSON { .object(["room": .text(room), "tracks": .count(tracks), "queue": queue.json]) }
}

extension Playback.PlayedItem: JSONRepresentable {
  /// The shape of one of `queue --played`.
  public var json: JSON {
    let track = item.track
    return .object([
      "entry": .text(item.entry), "id": .text(track.id), "albumID": .text(track.albumID), "title": .text(track.title),
      "artist": .text(track.artist), "album": .text(track.album), "art": .text(track.art),
      "startedAt": .text(startedAt), "heardSeconds": .seconds(heard), "reason": .text(reason.rawValue),
    ])
  }
}

extension Playback.OutputState {
  /// Returns the shape of `output`: where a room's sound goes, and how loud it may be.
  public func json(of room: RoomName) -> JSON {
    .object([
      "room": .text(room), "devices": .list(devices) { .object(["name": .text($0.name), "title": .text($0.title)]) },
      "chosen": .text(chosen).orNull, "used": .text(used).orNull, "levels": .text(levelling.rawValue),
      "preamp": .number(preamp), "startVolume": .count(startVolume).orNull, "maxVolume": .count(maximumVolume),
      "resumesAfterCrash": .bool(resumesAfterCrash),
    ])
  }
}
