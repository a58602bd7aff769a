public import Messages
public import Model

// The shapes of rooms, their queues and their outputs.

extension RoomStatus: JSONRepresentable {
  /// The shape of a room in `rooms`. Times are relative to now, and not times of day, as the clocks of two hosts
  /// differ.
  public var json: JSON {
    var json: JSON = [
      "name": name, "state": state, "away": isAway, "track": track.orNull, "positionSeconds": position,
      "durationSeconds": duration.orNull, "volume": volume, "modes": modes, "notice": notice,
      "retriesInSeconds": retriesIn, "sleepsInSeconds": sleepsIn, "interruption": interruption, "title": title.orNull,
      "entry": entry.orNull, "rate": rate, "queueRevision": queueRevision, "bufferedSeconds": buffered,
      "usedSecondsAgo": sinceUsed, "plugin": plugin, "preview": isPreview ? JSON.bool(true) : .absent,
    ]
    if let theme { json = json.with(["theme": theme]) }
    guard let error else { return json }
    return json.with(["message": error.message, "code": error.code])
  }
}

extension Playback.RoomState: JSONRepresentable {
  /// The shape of a room in `rooms`, for a room that has just answered.
  public var json: JSON { RoomStatus(answered: self).json }
}

extension Playback.Modes: JSONRepresentable {
  public var json: JSON {
    [
      "repeat": repeats.rawValue, "order": order.rawValue, "stopsAfterCurrent": stopsAfterCurrent,
      "stopsAfterAlbum": stopsAfterAlbum == true ? JSON.bool(true) : .absent, "muted": isMuted,
      "maxVolume": maximumVolume,
    ]
  }
}

extension RoomQueue: JSONRepresentable {
  /// The shape of `queue`. `place` is the number for `queue remove` and `queue move`, from 1; `first` and `current` are
  /// indexes in the whole queue, from 0.
  public var json: JSON {
    [
      "room": room, "current": current.orNull,
      "items": JSON.list(items.enumerated()) { index, item in
        [
          "entry": item.entry, "place": first + index + 1, "id": item.track.id, "title": item.track.title,
          "artist": item.track.artist, "album": item.track.album, "albumID": item.track.shownAlbumID,
          "durationSeconds": item.track.duration, "art": item.track.art, "described": item.described != nil,
          "choice": item.described?.choice,
          "continued": item.origin.isContinued == true ? JSON.bool(true) : .absent,
        ]
      },
      "positionSeconds": position, "order": modes?.order.rawValue, "repeat": modes?.repeats.rawValue,
      "continues": continues, "revision": revision, "count": count, "first": first, "nextIndex": nextIndex,
      "continuation": continuation?.json,
    ]
  }
}

extension QueueExplanation: JSONRepresentable {
  /// The shape of `queue --why`.
  public var json: JSON {
    [
      "room": room, "revision": revision, "playing": isPlaying, "tracksLeft": tracksLeft,
      "endsInSeconds": endsIn.orNull, "repeat": modes?.repeats.rawValue, "stopsAfter": modes?.stopsAfter,
      "origins": JSON.list(origins) {
        [
          "id": $0.id.orNull, "title": $0.title.orNull, "tracks": $0.tracks,
          "continued": $0.isContinued ? JSON.bool(true) : .absent,
        ]
      },
      "coming": JSON.list(coming) {
        [
          "entry": $0.item.entry, "place": $0.place, "title": $0.item.track.title, "artist": $0.item.track.artist,
          "audio": $0.audio?.rawValue,
        ]
      },
      "continuation": (continuation?.json).orNull,
    ]
  }
}

extension QueueExplanation.Continuation: JSONRepresentable {
  public var json: JSON {
    [
      "list": list.json, "words": words, "on": isOn, "albums": batch, "titles": titles.map { JSON.list($0) },
      "startsInSeconds": startsIn.orNull,
    ]
  }
}

extension Playback.Modes {
  /// The part of the queue after which the room stops by itself: `track` or `album`; nil if it does not.
  fileprivate var stopsAfter: String? { stopsAfterCurrent ? "track" : stopsAfterAlbum == true ? "album" : nil }
}

extension Library.AlbumList: JSONRepresentable {
  /// The shape of the list of albums in which a queue continues, as a request to play takes it.
  public var json: JSON {
    let list: JSON = [
      "sort": sort.rawValue, "seed": seed, "tag": tag, "tags": tags, "artist": artist, "collection": collection,
      "albums": albums.map { JSON.list($0) }, "wall": wall,
    ]
    return isReversed == true ? list.with(["reversed": true]) : list
  }
}

extension Playback.PlayedItem: JSONRepresentable {
  public var json: JSON {
    let track = item.track
    return [
      "entry": item.entry, "id": track.id, "albumID": track.shownAlbumID, "title": track.title, "artist": track.artist,
      "album": track.album, "art": track.art, "startedAt": startedAt, "heardSeconds": heard, "reason": reason.rawValue,
      "skipped": isSkipped, "described": item.described != nil,
    ]
  }
}

extension Playback.OutputState {
  /// Returns the shape of `output`: the outputs of a room, and its limits of loudness.
  public func json(of room: RoomName) -> JSON {
    [
      "room": room, "devices": JSON.list(devices) { ["name": $0.name, "title": $0.title] }, "chosen": chosen.orNull,
      "used": used.orNull, "levels": levelling.rawValue, "preamp": preamp, "startVolume": startVolume.orNull,
      "maxVolume": maximumVolume, "resumesAfterCrash": resumesAfterCrash,
      "resumesLongTracks": resumesLongTracks ?? false,
    ]
  }
}
