public import Messages
public import Model

// The shapes of the albums that a room keeps on its disk.

extension Playback.OfflineState: JSONRepresentable {
  public var json: JSON {
    [
      "albums": albums, "whole": whole, "bytes": bytes, "limit": limit, "limitChosen": isLimitChosen == true,
      "free": free, "loading": loading, "pause": pause, "connection": connection?.rawValue,
    ]
  }
}

extension Playback.OfflineAlbum {
  /// The part of the album that is on the disk, from 0 to 1; 1 only for a whole album.
  public var progress: Double {
    if state == .whole { return 1 }
    let part =
      if let size, size > 0 { Double(bytes) / Double(size) } else { Double(kept) / Double(max(1, tracks)) }
    return max(0, min(part, 0.99))
  }

  /// Returns the shape of `offline`, for the albums of a room.
  public func json(of room: RoomName) -> JSON {
    [
      "id": id, "title": title, "artist": artist, "art": art, "room": room, "state": state.rawValue, "bytes": bytes,
      "size": size, "progress": progress, "tracks": tracks, "kept": kept, "pinned": isPinned, "addedAt": addedAt,
      "playedAt": playedAt, "problem": problem.map { ["code": $0.code, "message": $0.message] as JSON },
    ]
  }
}

extension Playback.OfflinePage {
  /// Returns the shape of a page of the albums of a room.
  public func json(of room: RoomName) -> JSON {
    ["room": room, "state": state, "items": JSON.list(albums) { $0.json(of: room) }, "next": next]
  }
}
