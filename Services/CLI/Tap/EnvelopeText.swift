import Model
import Bus
import Client
import Messages

/// One line of `lunara tap` for people: time, class, node, kind, number, and a summary or the start of the payload.
struct TapRow {
  private struct Layout {
    var time: Int
    var node: Int
    var kind: Int
    var number: Int
    var isShort: Bool

    /// Creates the layout for a terminal's width. On a narrow terminal the summary gets about a third of the columns.
    init(columns: Int) {
      isShort = columns < 110
      (time, number) = isShort ? (8, 0) : (12, 7)
      (node, kind) = isShort ? (11, columns < 70 ? 12 : 16) : (18, 26)
    }

    static let delivery = 6
  }

  let envelope: Envelope

  func text(columns: Int, style: Style) -> String {
    let layout = Layout(columns: columns)
    let number = envelope.seq.map { "#\($0)" } ?? envelope.version.map { "v\($0)" } ?? ""
    var cells = [
      style.faint(String(envelope.time.localTimeOfDay.prefix(layout.time))),
      tinted(Self.padded(envelope.delivery.rawValue, Layout.delivery), style),
      style.text(Self.padded(node(isShort: layout.isShort), layout.node), isFaint ? .faint : .plain),
      tinted(Self.padded(kind(isShort: layout.isShort), layout.kind), style),
    ]
    var used = layout.time + Layout.delivery + layout.node + layout.kind + 2 * cells.count
    if layout.number > 0 {
      cells.append(style.faint(Self.padded(number, layout.number)))
      used += layout.number + 2
    }
    let words = Printable.line(TapSummary.text(of: envelope) ?? String(decoding: envelope.payload, as: UTF8.self))
    cells.append(style.text(Printable.fit(words, max(8, columns - used)), isFaint ? .faint : .plain))
    return cells.joined(separator: "  ") + "\n"
  }

  private var isFaint: Bool { envelope.delivery == .signal }

  private func tinted(_ text: String, _ style: Style) -> String {
    switch envelope.delivery {
    case .fact: style.good(text)
    case .state: style.hue(0, text)
    case .signal: style.faint(text)
    case .request: style.notable(text)
    }
  }

  /// Returns the node that wrote the envelope; on a narrow terminal only the room or the role.
  private func node(isShort: Bool) -> String {
    let author = envelope.author
    guard isShort else { return author.description }
    return author.name == "main" ? author.role : author.name
  }

  /// Returns the kind; on a narrow terminal without a domain that repeats the node's role.
  private func kind(isShort: Bool) -> String {
    let domain = envelope.author.role + "."
    return isShort && envelope.kind.hasPrefix(domain) ? String(envelope.kind.dropFirst(domain.count)) : envelope.kind
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    let fitted = Printable.fit(text, width)
    return fitted + String(repeating: " ", count: max(0, width - Printable.columns(fitted)))
  }
}

/// Short summaries of the contents of envelopes, for people.
enum TapSummary {
  /// Returns a summary; nil for a kind without one, or for a payload that this version cannot read.
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
      return
        "\(Printable.count(queue.count, "item")), \(queue.current.map { "number \($0 + 1) is current" } ?? "none is current")"
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
      return "\(Printable.count(state.albums, "album")), \(Printable.count(state.tracks, "track")); \(sources)"
    case Library.SyncFinished.kind: return String(try payload(Library.SyncFinished.self).line.dropLast())
    case RequestHandled.kind:
      let handled = try payload(RequestHandled.self)
      return
        "\(handled.request) from \(handled.from): \(handled.outcome) in \(StatisticsView.short(handled.milliseconds)) ms"
    case BusMetrics.kind:
      let metrics = try payload(BusMetrics.self)
      let counts = metrics.counts
      return
        "\(counts.received.frames) frames received, \(counts.sent.frames) sent; \(counts.factGaps) gaps, \(metrics.lag) facts to read"
    default: return nil
    }
  }

  private static func words(_ state: Playback.RoomState) -> String {
    var words = state.state.name
    if case .error(let error) = state.state { words += ": \(error.message)" }
    if let track = state.item?.track { words += " " + Byline.text(track.title, track.artist) }
    if let duration = state.duration { words += ", \(state.position.offset) of \(duration)" }
    return words
  }

  private static func words(_ subject: Playback.ListenSubject) -> String {
    Byline.text(subject.item.track.title, subject.item.track.artist)
  }
}

extension Envelope {
  /// Returns the envelope as the line of JSON that `tap` prints for programs and `--record` stores.
  func json(topic: String) -> JSON {
    var members: [JSON.Member] = []
    func put(_ key: String, _ value: JSON) { members.append(JSON.Member(key: key, value: value)) }
    put("time", .text(time))
    put("node", .text(author))
    put("class", .text(delivery.rawValue))
    put("topic", .text(topic))
    put("kind", .text(kind))
    if let seq { put("seq", .count(seq)) }
    if let version { put("version", .count(version)) }
    put("payload", .raw(payload))
    put("id", .text(id))
    put("epoch", .count(epoch))
    if let journal { put("journal", .text(journal)) }
    return .object(members)
  }
}
