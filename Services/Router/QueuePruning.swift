import Bus
import Messages
import Model
import ServiceKit

/// Removes from a room's queue the tracks that are gone from the catalogue for ever.
struct QueuePruning {
  /// The number of tracks in one request to the library or to a room.
  static let batch = 500
  /// The number of times that the queue is read if it changes meanwhile.
  private static let tries = 5

  let sender: any RequestSender
  let room: RoomName

  /// Removes the tracks. The library decides which ones are gone, and removing a track twice does no harm. Throws
  /// `client.queueKeepsChanging`, and the errors of the library and the room.
  func run(_ log: Log) async throws {
    var gone: [TrackID] = []
    let tracks = try await tracks()
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
  }

  /// Returns the tracks of the whole queue, each one once. Throws `client.queueKeepsChanging`, and the errors of the
  /// room.
  private func tracks() async throws -> [TrackID] {
    for _ in 0..<Self.tries {
      var seen: Set<TrackID> = []
      var tracks: [TrackID] = []
      var (first, revision) = (0, nil as Int64?)
      while true {
        let page = try await sender.ask(Playback.ReadQueue(first: first), of: .playback(room))
        // An item that was moved between the reading of two pages might be on neither of them.
        guard revision == nil || revision == page.revision else { break }
        for item in page.items where seen.insert(item.track.id).inserted { tracks.append(item.track.id) }
        (first, revision) = (first + page.items.count, page.revision)
        if page.items.isEmpty || first >= page.count { return tracks }
      }
    }
    throw LunaraError(
      "client.queueKeepsChanging",
      "The queue of \(room) keeps changing while it is compared with the library. It is tried again.")
  }
}
