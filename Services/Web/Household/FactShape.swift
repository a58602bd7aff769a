import Bus
import Messages
import Model

/// A fact as browsers are told it: its kind, who says it, when it was, and what there is to say of it.
struct FactShape: Encodable {
  private var kind: String
  private var node: String
  private var at: Timestamp
  private var room: RoomName?
  private var track: Shape.Track?
  private var listen: ListenID?
  private var listens: [ListenID]?
  private var heardSeconds: Double?
  private var reason: String?
  private var error: LunaraError?
  private var generation: Int64?
  private var albums: [AlbumID]?
  private var removed: [AlbumID]?
  private var isWide: Bool?
  private var id: PlayableID?
  private var stars: Double?
  private var source: String?
  private var new: Int?
  private var changed: Int?
  private var unchanged: Int?
  private var deleted: Int?
  private var seconds: Double?
  private var service: String?
  private var account: String?
  private var title: String?
  private var artist: String?

  /// Makes the shape; nil for a fact that is nothing to browsers.
  ///
  /// - Throws: `bus.badPayload`.
  init?(_ fact: ReceivedFact) throws {
    (kind, node, at) = (fact.kind, fact.node.description, fact.time)
    if fact.kind.hasPrefix("library.") {
      guard try take(library: fact) else { return nil }
    } else if fact.kind.hasPrefix("playback.") {
      guard try take(playback: fact) else { return nil }
    } else {
      guard try take(scrobble: fact) else { return nil }
    }
  }

  private mutating func take(library fact: ReceivedFact) throws -> Bool {
    if let change = try fact.decode(Library.CatalogueChanged.self) {
      (generation, albums, removed, isWide) = (change.generation, change.albums, change.removed, change.isWide)
    } else if let rated = try fact.decode(Library.RatingChanged.self) {
      (id, stars) = (rated.id, rated.rating?.stars)
    } else if let end = try fact.decode(Library.SyncFinished.self) {
      source = end.source
      (new, changed, unchanged) = (end.counts.new, end.counts.changed, end.counts.unchanged)
      (deleted, seconds) = (end.counts.deleted, end.counts.seconds)
    } else if let end = try fact.decode(Library.SyncFailed.self) {
      (source, error) = (end.source, end.error)
    } else {
      return false
    }
    return true
  }

  private mutating func take(playback fact: ReceivedFact) throws -> Bool {
    if let failed = try fact.decode(Playback.TrackFailed.self) {
      (room, track, error) = (failed.room, Shape.Track(failed.item.track), failed.error)
    } else if let started = try fact.decode(Playback.ListenStarted.self) {
      take(started.subject)
    } else if let ended = try fact.decode(Playback.ListenEnded.self) {
      take(ended.subject)
      (heardSeconds, reason) = (ended.heard.seconds, ended.reason.rawValue)
    } else {
      return false
    }
    return true
  }

  private mutating func take(scrobble fact: ReceivedFact) throws -> Bool {
    if let counted = try fact.decode(Scrobble.ListenCounted.self) {
      take(counted.subject)
      heardSeconds = counted.heard.seconds
    } else if let sent = try fact.decode(Scrobble.DeliverySent.self) {
      (service, account, listens) = (sent.service, sent.account, sent.listens)
    } else if let parked = try fact.decode(Scrobble.DeliveryFailed.self) {
      (service, account, listen) = (parked.service, parked.account, parked.listen)
      (title, artist, reason) = (parked.title, parked.artist, parked.reason)
    } else if let love = try fact.decode(Scrobble.LoveFailed.self)?.love {
      (service, account, title, artist, reason) = (love.service, love.account, love.title, love.artist, love.reason)
    } else if let paused = try fact.decode(Scrobble.AccountPaused.self) {
      (service, account, error) = (paused.service, paused.account, paused.error)
    } else {
      return false
    }
    return true
  }

  private mutating func take(_ subject: Playback.ListenSubject) {
    (room, track, listen) = (subject.room, Shape.Track(subject.item.track), subject.listen)
  }
}
