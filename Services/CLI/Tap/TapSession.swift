import Bus
import Messages
import Model

/// Shows, counts and records what a tap hears. Its output may hold it up for as long as the reader likes; nothing else
/// goes on in this process.
actor TapSession {
  /// What is wanted.
  struct Wishes: Sendable {
    /// What is shown.
    var filter = TapFilter()
    /// After how many the tap ends.
    var limit: Int?
    /// Whether figures are shown instead of lines.
    var isStatistics = false
  }

  private let wishes: Wishes
  private let console: Console
  private let recording: Recording?
  private let clock: @Sendable () -> Milliseconds
  private var statistics: TapStatistics
  private var shown = 0
  private var linesToRedraw = 0

  /// A session that has seen nothing; `clock` is any that does not jump.
  init(
    _ wishes: Wishes, console: Console, recording: Recording?, at time: Timestamp,
    clock: @escaping @Sendable () -> Milliseconds
  ) {
    self.wishes = wishes
    self.console = console
    self.recording = recording
    self.clock = clock
    statistics = TapStatistics(startedAt: clock(), at: time)
  }

  /// Takes one envelope; true when the tap has shown all that was asked for.
  func take(_ envelope: Envelope, topic: String, at now: Timestamp) throws -> Bool {
    if isFull { return true }
    let isShown = wishes.filter.shows(envelope, topic: topic)
    if wishes.isStatistics {
      statistics.add(envelope, topic: topic, seenAt: now, shown: isShown)
      if let heartbeat = try Heartbeat(envelope), let journal = heartbeat.presence.journal {
        statistics.note(head: journal.seq, of: envelope.node)
      }
    }
    guard isShown else { return false }
    shown += 1
    let json = envelope.json(topic: topic)
    try recording?.add(json)
    if !wishes.isStatistics {
      console.isJSON || console.width == nil ? console.print(json) : console.print(envelope.line(on: console))
    }
    return isFull
  }

  /// Draws the figures over those drawn before; on a terminal only.
  func drawStatistics() {
    guard wishes.isStatistics, console.width != nil, !console.isJSON else { return }
    let text = statistics.table(at: clock()).text(for: console)
    let over = linesToRedraw > 0 ? "\u{1B}[\(linesToRedraw)A\u{1B}[J" : ""
    linesToRedraw = text.count { $0 == "\n" }
    console.print(over + text)
  }

  /// What is said at the end.
  func finish() {
    if wishes.isStatistics {
      if console.width != nil, !console.isJSON {
        drawStatistics()
      } else {
        for line in statistics.lines(at: clock()) { console.print(line) }
      }
    }
    if let recording { console.note("\(shown) envelopes are in \(recording.path)") }
  }

  private var isFull: Bool { wishes.limit.map { shown >= $0 } ?? false }

  private struct Heartbeat: Decodable {
    let presence: NodePresence

    init?(_ envelope: Envelope) throws {
      guard envelope.kind == "bus.heartbeat" else { return nil }
      self = try MessageCoding.decode(Heartbeat.self, from: envelope.payload)
    }
  }
}
