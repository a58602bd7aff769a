public import Bus
public import Messages
import Model

extension ReceivedFact {
  /// Returns the fact as people are told of it: its kind, who says it, when it was, and its own members; nil for a fact
  /// that is not listed below.
  ///
  /// - Throws: `bus.badPayload`.
  public func shape() throws -> JSON? {
    guard let type = Self.shown.first(where: { $0.kind == kind }), let json = try decoded(type) else { return nil }
    guard case .object(let members) = json else { return nil }
    let head = JSON.object(["kind": .text(kind), "node": .text(node), "at": .text(time)])
    return members.reduce(head) { $0.with($1.key, $1.value) }
  }

  /// The facts that are of interest outside the services.
  private static let shown: [any (Fact & JSONRepresentable).Type] = [
    Library.CatalogueChanged.self, Library.RatingChanged.self, Library.SyncFinished.self, Library.SyncFailed.self,
    Playback.TrackFailed.self, Playback.ListenStarted.self, Playback.ListenEnded.self, Scrobble.ListenCounted.self,
    Scrobble.DeliverySent.self, Scrobble.DeliveryFailed.self, Scrobble.LoveFailed.self, Scrobble.AccountPaused.self,
  ]

  private func decoded<F: Fact & JSONRepresentable>(_ type: F.Type) throws -> JSON? { try decode(type)?.json }
}

extension Library.CatalogueChanged: JSONRepresentable {
  /// The albums that changed or went; `isWide` where there are too many to list.
  public var json: JSON {
    .object([
      "generation": .count(generation), "albums": .list(albums) { .text($0) }, "removed": .list(removed) { .text($0) },
      "isWide": .bool(isWide),
    ])
  }
}

extension Library.RatingChanged: JSONRepresentable {
  /// The new rating of a thing; without `stars` it was taken back.
  public var json: JSON { .object(["id": .text(id), "stars": .stars(rating)]) }
}

extension Library.SyncFailed: JSONRepresentable {
  /// The source whose refresh failed, and why.
  public var json: JSON { .object(["source": .text(source), "error": error.json]) }
}

extension Playback.TrackFailed: JSONRepresentable {
  /// The track that a room could not play, and why.
  public var json: JSON { .object(["room": .text(room), "track": item.track.json, "error": error.json]) }
}

extension Playback.ListenSubject: JSONRepresentable {
  /// The track that is heard, and the room.
  public var json: JSON { .object(["room": .text(room), "track": item.track.json, "listen": .text(listen)]) }
}

extension Playback.ListenStarted: JSONRepresentable {
  /// The track that is heard from now on, and the room.
  public var json: JSON { subject.json }
}

extension Playback.ListenEnded: JSONRepresentable {
  /// The track that was heard, for how long, and why it ended.
  public var json: JSON { subject.json.with(["heardSeconds": .seconds(heard), "reason": .text(reason.rawValue)]) }
}

extension Scrobble.ListenCounted: JSONRepresentable {
  /// The track that counted as heard, and for how long it was.
  public var json: JSON { subject.json.with("heardSeconds", .seconds(heard)) }
}

extension Scrobble.DeliverySent: JSONRepresentable {
  /// The listens that an account took.
  public var json: JSON {
    .object(["service": .text(service), "account": .text(account), "listens": .list(listens) { .text($0) }])
  }
}

extension Scrobble.DeliveryFailed: JSONRepresentable {
  /// The listen that an account refused, and why.
  public var json: JSON {
    .object([
      "service": .text(service), "account": .text(account), "listen": .text(listen), "title": .text(title),
      "artist": .text(artist), "reason": .text(reason),
    ])
  }
}

extension Scrobble.LoveFailed: JSONRepresentable {
  /// The love that an account refused, and why.
  public var json: JSON { love.json }
}

extension Scrobble.AccountPaused: JSONRepresentable {
  /// The account that takes nothing for now, and why.
  public var json: JSON { .object(["service": .text(service), "account": .text(account), "error": .optional(error)]) }
}
