import Bus
import Messages
import Model
import System

/// Appends to a queue the next albums of its list.
///
/// The load's name is made from the queue's revision, the continuation's position and the items. So a room recognises a
/// repeated load, and two attempts between which the catalogue changed do not mix. Each request has a new id: the bus
/// answers a known id with the earlier answer, even if that was the error of a full disk.
struct QueueContinuation {
  /// The number of pages of albums that are read if none of them has a track.
  private static let tries = 5

  let sender: any RequestSender
  let needed: QueueMaintenancePlan.NeededAlbums

  /// Appends the albums, and returns the number of tracks. Throws `playback.queueMoved`, and the errors of the library
  /// and the room.
  func run() async throws -> Int {
    var after = needed.continuation.after
    var tracks: [(track: Library.PlayableTrack, album: AlbumID)] = []
    var hasMore = true
    for _ in 0..<Self.tries where tracks.isEmpty && hasMore {
      let next = try await nextAlbums(after: after)
      for album in next.albums { try await read(album) { tracks.append(($0, album)) } }
      after = next.albums.last ?? after
      hasMore = next.hasMore && !next.albums.isEmpty
    }
    try await append(tracks, after: hasMore ? after : nil)
    return tracks.count
  }

  /// Returns the albums that follow one in the list: on a wall by the service that makes it, else by the library.
  private func nextAlbums(after: AlbumID) async throws -> (albums: [AlbumID], hasMore: Bool) {
    let (list, batch) = (needed.continuation.list, needed.continuation.batch)
    if let wall = list.wall {
      let next = try await sender.ask(
        Discovery.ListNextAlbums(wall: wall, after: after, limit: batch), of: .discovery,
        within: .seconds(15))
      return (next.albums, next.hasMore)
    }
    let page = try await sender.ask(
      Library.ListNextAlbums(list: list, after: after, limit: batch), of: .library)
    return (page.items.map(\.id), page.next != nil)
  }

  /// Reads the tracks of an album. One that has left the library since the wall was made is passed over.
  private func read(_ album: AlbumID, _ body: (Library.PlayableTrack) -> Void) async throws {
    do { try await sender.readTracks(of: album.playable) { body($0) } } catch let error as LunaraError
      where error.code == "library.unknownID" && needed.continuation.list.wall != nil
    {}
  }

  private func append(
    _ tracks: [(track: Library.PlayableTrack, album: AlbumID)], after: AlbumID?
  ) async throws {
    let (revision, position) = (needed.revision, needed.continuation.position)
    let contents = tracks.map(\.track.track.id.description) + [after?.description ?? ""]
    let digest = String(FNV1a.hash(contents.joined(separator: " ")), radix: 36)
    let load = "\(needed.room).\(revision).\(position).\(digest)"
    let items = tracks.enumerated().map { index, found in
      QueueItem(
        entry: EntryID(rawValue: "\(load)-\(index)"), track: found.track.track, path: found.track.path,
        host: found.track.host,
        origin: QueueItem.Origin(node: needed.origin, place: found.album.description, isContinued: true),
        segment: found.track.segment, described: found.track.described)
    }
    let parts = items.isEmpty ? [[]] : try LoadParts.split(items)
    for (index, part) in parts.enumerated() {
      let append = Playback.Append(
        load: load, part: index, isLast: index == parts.count - 1, items: part, revision: revision, position: position,
        after: after)
      _ = try await sender.ask(append, of: .playback(needed.room), within: .seconds(10))
    }
  }
}
