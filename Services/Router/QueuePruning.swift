import Bus
import Messages
import Model
import ServiceKit

/// Removes tracks from a room's queue that have left the catalogue for good, and updates the next ones from the
/// catalogue.
struct QueuePruning {
  /// The number of tracks in one request to the library or to a room.
  static let batch = 500
  /// The number of times that the queue is read if it changes meanwhile.
  private static let tries = 5
  /// The places of the items that are compared with the catalogue, from that of the current one.
  private static let near = -20..<100
  /// The number of places by which the current item may move before the items around it are compared again.
  static let step = 50

  let sender: any RequestSender
  let room: RoomName

  /// Removes the tracks. The library decides which ones are gone, and removing a track twice does no harm. Throws
  /// `client.queueKeepsChanging`, and the errors of the library and the room.
  func run(_ log: Log) async throws {
    var gone: [TrackID] = []
    let (tracks, near) = try await contents()
    for first in stride(from: 0, to: tracks.count, by: Self.batch) {
      let batch = Array(tracks[first..<min(first + Self.batch, tracks.count)])
      gone += try await sender.ask(Library.ListRemovedTracks(tracks: batch), of: .library).tracks
    }
    for first in stride(from: 0, to: gone.count, by: Self.batch) {
      let batch = Array(gone[first..<min(first + Self.batch, gone.count)])
      _ = try await sender.ask(Playback.EditQueue(.forget(batch)), of: .playback(room), within: .seconds(10))
    }
    if !gone.isEmpty {
      log.info("tracks that are gone were removed from the queue", ["room": "\(room)", "tracks": "\(gone.count)"])
    }
    let changed = try await changed(near.filter { !gone.contains($0.id) })
    guard !changed.isEmpty else { return }
    _ = try await sender.ask(Playback.EditQueue(.renew(changed)), of: .playback(room), within: .seconds(10))
    log.debug("tracks of the queue have other tags", ["room": "\(room)", "tracks": "\(changed.count)"])
  }

  /// Returns the tracks that differ from the catalogue, as the catalogue has them.
  private func changed(_ tracks: [Track]) async throws -> [Track] {
    var found: [Track] = []
    do { found = try await read(tracks.map(\.id.playable)) } catch let error as LunaraError
      where error.code == "library.unknownID"
    {
      // A track may be missing, for example if its source is away.
      for track in tracks {
        do { found += try await read([track.id.playable]) } catch let error as LunaraError
          where error.code == "library.unknownID"
        {}
      }
    }
    let present = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
    return tracks.compactMap { track in present[track.id].flatMap { $0 == track ? nil : $0 } }
  }

  private func read(_ ids: [PlayableID]) async throws -> [Track] {
    guard !ids.isEmpty else { return [] }
    var tracks: [Track] = []
    var cursor: String?
    repeat {
      let page = try await sender.ask(
        Library.ListPlayable(ids: ids, after: cursor), of: .library, within: .seconds(15))
      tracks += page.tracks.map(\.track)
      cursor = page.next
    } while cursor != nil
    return tracks
  }

  /// Returns the ids of all tracks in the queue, and the catalogue's tracks that play next, each once.
  /// Throws `client.queueKeepsChanging`, and the errors of the room.
  private func contents() async throws -> (all: [TrackID], near: [Track]) {
    for _ in 0..<Self.tries {
      var seen: Set<TrackID> = []
      var tracks: [TrackID] = []
      var near: [Track] = []
      var (first, revision) = (0, nil as Int64?)
      while true {
        let page = try await sender.ask(Playback.ReadQueue(first: first), of: .playback(room))
        // An item that was moved between the reading of two pages might be on neither of them.
        guard revision == nil || revision == page.revision else { break }
        for (offset, item) in page.items.enumerated() where seen.insert(item.track.id).inserted {
          tracks.append(item.track.id)
          let isNear = Self.near.contains(first + offset - (page.current ?? page.nextIndex ?? 0))
          if isNear, item.described == nil { near.append(item.track) }
        }
        first = first + page.items.count
        revision = page.revision
        if page.items.isEmpty || first >= page.count { return (tracks, near) }
      }
    }
    throw LunaraError(
      "client.queueKeepsChanging",
      "The queue of \(room) keeps changing while it is compared with the library. It is tried again.")
  }
}
