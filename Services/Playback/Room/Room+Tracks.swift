import Bus
import Messages
import Model
import ServiceKit
import Storage

/// The tracks of the items that a room holds, which are copies of those of the library.
extension Room {
  /// Updates the items of tracks from the library.
  func renew(_ tracks: [Track], _ reply: Reply<Playback.QueueSummary>) async throws {
    try machine.refuseWhileMoving(at: .now())
    let queue = machine.queue
    let (isHeld, lastAlbum) = try await writer.commit {
      (try QueueStore.renew(tracks, in: $0), try QueueStore.lastAlbum(of: queue, in: $0))
    }
    if isHeld {
      machine.renew(tracks, lastAlbum: lastAlbum)
      // The items of the published part may have changed although its revision has not.
      published = nil
    }
    await answer(reply, machine.queue.summary, .now())
  }

  /// The longest time before a start of which the ratings are read again.
  private static let ratingHistory = Milliseconds(7 * 86_400_000)

  /// Follows the ratings that people give, and applies them to the room's items, which are copies of the library's
  /// tracks. Those since the room was last used are read again, as the room may not have run meanwhile.
  func followRatings() async {
    let lastUsed = machine.position.anchor.date
    let start = max(lastUsed, .now() - Self.ratingHistory)
    await node.follow("library", from: .since(start)) { [inbox, writer, log] fact in
      do {
        guard let rated = try fact.decode(Library.RatingChanged.self), let track = rated.track?.id else { return }
        let rating = rated.rating
        let isHeld = try await writer.commit { try QueueStore.rate(track, rating, in: $0) }
        guard isHeld else { return }
        inbox.yield { room, _ in
          room.machine.rate(track, rating)
          // The items of the published part may have changed although its revision has not.
          room.published = nil
        }
      } catch {
        log.error(error)
      }
    }
  }
}

extension QueueStore {
  /// Replaces tracks in all items: those of the queue, of the former one, and of loads that are not finished. Returns
  /// true if any item has changed.
  static func renew(_ tracks: [Track], in transaction: Transaction) throws -> Bool {
    var isChanged = false
    for track in tracks {
      let text = String(decoding: try MessageCoding.encode(track), as: UTF8.self)
      for (table, isOfTrack) in [
        ("queue_items", "row IN (SELECT row FROM queue_names WHERE track = ?2)"), ("former_items", "track = ?2"),
        ("staged_items", "track = ?2"),
      ] {
        let count = try transaction.execute(
          """
          UPDATE \(table) SET item = CAST(json_set(CAST(item AS TEXT), '$.track', json(?1)) AS BLOB)
          WHERE \(isOfTrack) AND json_extract(CAST(item AS TEXT), '$.track') IS NOT json(?1)
          """, text, track.id)
        isChanged = isChanged || count > 0
      }
      for table in ["queue_names", "former_items", "staged_items"] {
        try transaction.execute("UPDATE \(table) SET album = ? WHERE track = ?", track.albumID, track.id)
      }
    }
    return isChanged
  }

  /// Sets the rating of a track in all items: those of the queue, of the former one, of loads that are not finished,
  /// and those that were played. The queue keeps its revision. Returns true if any item has changed.
  static func rate(_ track: TrackID, _ rating: Rating?, in transaction: Transaction) throws -> Bool {
    // RFC 7396: null removes the field.
    let patch = #"{"track":{"rating":\#(rating.map { "\($0.rawValue)" } ?? "null")}}"#
    let items = [
      "queue_items": "row IN (SELECT row FROM queue_names WHERE track = ?2)", "former_items": "track = ?2",
      "staged_items": "track = ?2", "played": "json_extract(CAST(item AS TEXT), '$.track.id') = ?2",
    ]
    let changed = try items.map { table, isOfTrack in
      try transaction.execute(
        """
        UPDATE \(table) SET item = CAST(json_patch(CAST(item AS TEXT), ?1) AS BLOB)
        WHERE \(isOfTrack) AND json_extract(CAST(item AS TEXT), '$.track.rating') IS NOT ?3
        """, patch, track, rating)
    }
    return changed.contains { $0 > 0 }
  }
}
