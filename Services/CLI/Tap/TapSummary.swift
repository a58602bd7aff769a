import Bus
import Messages
import Model

/// What an envelope says, in the few words that a person wants to read while it passes.
enum TapSummary {
  /// The words; nil for a kind that has none here, or whose payload has another form than this version knows.
  static func text(of envelope: Envelope) -> String? {
    do {
      return try words(envelope.kind, Payload(bytes: envelope.payload))
    } catch {
      // The payload itself is shown instead.
      return nil
    }
  }

  private struct Payload {
    let bytes: [UInt8]

    func callAsFunction<M: Message>(_ type: M.Type) throws -> M { try MessageCoding.decode(type, from: bytes) }
  }

  private static func words(_ kind: String, _ payload: Payload) throws -> String? {
    switch kind {
    case Playback.RoomState.kind: return words(try payload(Playback.RoomState.self))
    case Playback.QueueState.kind:
      let queue = try payload(Playback.QueueState.self)
      return "\(queue.count) items, \(queue.current.map { "the \($0 + 1). is current" } ?? "none is current")"
    case Playback.ListenStarted.kind: return words(try payload(Playback.ListenStarted.self).subject)
    case Playback.ListenHeard.kind:
      let heard = try payload(Playback.ListenHeard.self)
      return "\(words(heard.subject)): \(heard.heard) heard"
    case Playback.ListenEnded.kind:
      let ended = try payload(Playback.ListenEnded.self)
      return "\(words(ended.subject)): \(ended.reason.rawValue) after \(ended.heard)"
    case Playback.TrackFailed.kind:
      let failed = try payload(Playback.TrackFailed.self)
      return "\(failed.item.track.title): \(failed.error)"
    case Scrobble.ListenCounted.kind: return words(try payload(Scrobble.ListenCounted.self).subject)
    case Scrobble.OutboxState.kind:
      let outbox = try payload(Scrobble.OutboxState.self)
      return "\(outbox.counted) counted, \(outbox.pending) to be sent, \(outbox.failed) refused"
    case Library.CatalogueState.kind:
      let state = try payload(Library.CatalogueState.self)
      let sources = state.sources.map { "\($0.name) \($0.health)" }.joined(separator: ", ")
      return "\(state.albums) albums, \(state.tracks) tracks; \(sources)"
    case Library.SyncFinished.kind: return String(try payload(Library.SyncFinished.self).line.dropLast())
    case RequestHandled.kind:
      let handled = try payload(RequestHandled.self)
      return
        "\(handled.request) from \(handled.from): \(handled.outcome) in \(StatisticsView.short(handled.milliseconds)) ms"
    case BusMetrics.kind:
      let metrics = try payload(BusMetrics.self)
      let counts = metrics.counts
      return
        "\(counts.heard.frames) frames heard, \(counts.said.frames) said; \(counts.factGaps) gaps, \(metrics.lag) facts behind"
    default: return nil
    }
  }

  private static func words(_ state: Playback.RoomState) -> String {
    var words = state.state.name
    if case .error(let error) = state.state { words += ": \(error.message)" }
    if let track = state.item?.track { words += " \(track.title) by \(track.artist)" }
    if let duration = state.duration { words += ", \(state.position.offset) of \(duration)" }
    return words
  }

  private static func words(_ subject: Playback.ListenSubject) -> String {
    "\(subject.item.track.title) by \(subject.item.track.artist)"
  }
}
