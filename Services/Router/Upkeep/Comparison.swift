import Bus
import Messages
import Model
import ServiceKit

/// Takes out of a room's queue what is gone from the catalogue for good.
struct Comparison {
  /// How many tracks the library is asked about at once, and a room told to forget at once.
  static let batch = 500
  /// How often the queue is read again where it changes meanwhile.
  private static let tries = 5

  let asking: any Asking
  let room: RoomName

  /// Does it. Which tracks go is said by the library, and that they go does no harm twice.
  ///
  /// - Throws: `client.queueKeepsChanging`, and what library and room throw.
  func run(_ log: Log) async throws {
    var gone: [TrackID] = []
    let tracks = try await tracks()
    for first in stride(from: 0, to: tracks.count, by: Self.batch) {
      let batch = Array(tracks[first..<min(first + Self.batch, tracks.count)])
      gone += try await asking.ask(Library.ListRemovedTracks(tracks: batch), of: .library).tracks
    }
    for first in stride(from: 0, to: gone.count, by: Self.batch) {
      let batch = Array(gone[first..<min(first + Self.batch, gone.count)])
      _ = try await asking.ask(Playback.EditQueue(.forget(batch)), of: .playback(room), within: .seconds(10))
    }
    if !gone.isEmpty { log.info("took out of the queue what is gone", ["room": "\(room)", "tracks": "\(gone.count)"]) }
  }

  /// The tracks of the whole queue, each once.
  private func tracks() async throws -> [TrackID] {
    for _ in 0..<Self.tries {
      var seen: Set<TrackID> = []
      var tracks: [TrackID] = []
      var (first, revision) = (0, nil as Int64?)
      while true {
        let page = try await asking.ask(Playback.ReadQueue(first: first), of: .playback(room))
        // What moved between two pages might be on neither.
        guard revision == nil || revision == page.revision else { break }
        for item in page.items where seen.insert(item.track.id).inserted { tracks.append(item.track.id) }
        (first, revision) = (first + page.items.count, page.revision)
        if page.items.isEmpty || first >= page.count { return tracks }
      }
    }
    throw LunaraError("client.queueKeepsChanging", "The queue of \(room) keeps changing while it is compared.")
  }
}
