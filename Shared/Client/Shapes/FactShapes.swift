public import Bus
public import Messages
import Model

extension ReceivedFact {
  /// Returns the fact as JSON for people: its kind, its node, its time, and its own members; nil for a kind that is not
  /// in `shown`.
  ///
  /// - Throws: `bus.badPayload`.
  public func shape() throws -> JSON? {
    guard let type = Self.shown.first(where: { $0.kind == kind }), let json = try decoded(type) else { return nil }
    guard case .object(let members) = json else { return nil }
    return .object([("kind", .text(kind)), ("node", .text(node)), ("at", .text(time))].map(JSON.Member.init) + members)
  }

  /// The facts that are shown outside the services.
  private static let shown: [any (Fact & JSONRepresentable).Type] = [
    Library.CatalogueChanged.self, Library.RatingChanged.self, Library.SyncFinished.self, Library.SyncFailed.self,
    Playback.TrackFailed.self, Playback.ListenStarted.self, Playback.ListenEnded.self, Scrobble.ListenCounted.self,
    Scrobble.DeliverySent.self, Scrobble.DeliveryFailed.self, Scrobble.LoveFailed.self, Scrobble.AccountPaused.self,
    Library.NoteChanged.self, Library.MarkChanged.self, Library.TodoChanged.self, Library.OpinionChanged.self,
    Library.ThemeChanged.self,
  ]

  private func decoded<F: Fact & JSONRepresentable>(_ type: F.Type) throws -> JSON? { try decode(type)?.json }
}

extension Library.RatingChanged: JSONRepresentable {
  /// The shape of a rating of an item; without `stars` if the rating was removed.
  public var json: JSON { ["id": id, "stars": rating] }
}

extension Library.OpinionChanged: JSONRepresentable {
  /// The shape of an opinion of an album; without `opinion` if it was taken back.
  public var json: JSON { ["id": id, "opinion": opinion?.rawValue, "title": title, "artist": artist] }
}

extension Library.SyncFailed: JSONRepresentable {
  public var json: JSON { ["source": source, "error": error.json] }
}

extension Playback.TrackFailed: JSONRepresentable {
  public var json: JSON { ["room": room, "track": item.track.json, "error": error.json] }
}

extension Playback.ListenSubject: JSONRepresentable {
  public var json: JSON { ["room": room, "track": item.track.json, "listen": listen] }
}
