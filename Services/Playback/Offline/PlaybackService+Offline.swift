import Bus
import Messages
import Model

/// The requests about the albums that a room keeps.
extension PlaybackService {
  func answerOffline(_ offline: OfflineAlbums) async {
    await node.serve(Playback.ListOffline.self) { request, _ in try await offline.page(request) }
    await node.serve(Playback.AddOffline.self) { request, _ in try await offline.add(request) }
    await node.serve(Playback.RemoveOffline.self) { request, _ in try await offline.remove(request) }
    await node.serve(Playback.SetOffline.self) { request, _ in try await offline.set(request) }
    await node.serve(Playback.SetOfflineConnection.self) { request, _ in try await offline.set(request) }
    await node.serve(Playback.PlayOffline.self) { [room] request, context in
      let tracks = try await offline.tracks(named: request.names)
      return try await room.play(tracks, as: request, asked: context)
    }
  }
}

extension Room {
  /// Loads kept tracks into the queue. The items depend only on the request, its id and the tracks, so that a repeated
  /// request gives the same items. Throws `playback.noSuchItem`, and the errors of `QueueStore.apply`.
  nonisolated func play(
    _ tracks: [Library.PlayableTrack], as request: Playback.PlayOffline, asked context: RequestContext
  ) async throws -> Router.Played {
    guard tracks.indices.contains(request.startAt) else {
      throw LunaraError(
        "playback.noSuchItem", "The track to start with does not exist. Choose one from 1 to \(tracks.count).")
    }
    let items = tracks.enumerated().map { index, found in
      QueueItem(
        entry: EntryID(rawValue: "\(context.id)-\(index)"), track: found.track, path: found.path, host: found.host,
        origin: QueueItem.Origin(node: context.from.description, place: found.track.albumID.description),
        segment: found.segment)
    }
    var queue = Playback.QueueSummary(revision: 0, count: 0, current: nil)
    for first in stride(from: 0, to: items.count, by: QueueStore.partLimit) {
      let end = min(first + QueueStore.partLimit, items.count)
      let part = Playback.Load(
        load: context.id.text, part: first / QueueStore.partLimit, isLast: end == items.count, mode: request.mode,
        items: Array(items[first..<end]), startAt: request.mode == .now ? request.startAt : 0)
      queue = try await ask { room, reply, _ in try await room.load(part, reply) }
    }
    return Router.Played(room: name, tracks: items.count, queue: queue)
  }
}
