import Messages
import Model

/// Reads one node's facts for one reader: live ones as they come, missing ones from the desk, each once and in order.
final class FactFollower: Sendable {
  /// What the node tells its followers.
  enum Event: Sendable {
    /// A live fact.
    case fact(ReceivedFact)
    /// Where the journal ends.
    case head(JournalPosition)
  }

  private let events: AsyncStream<Event>.Continuation
  private let work: Task<Void, Never>

  /// Starts following `publisher`.
  ///
  /// - Parameters:
  ///   - fetch: asks the publisher's desk for a page.
  ///   - moved: told how many facts there are still to read.
  ///   - failed: told of an error that holds the reader up; it tries again at the next heartbeat.
  init(
    of publisher: NodeID, into sink: any FactSink,
    fetch: @escaping @Sendable (ReplayStart) async throws -> FactPage,
    moved: @escaping @Sendable (Int64) async -> Void, failed: @escaping @Sendable (LunaraError) -> Void
  ) {
    // A dropped live fact shows as a gap and is fetched, so the bound costs nothing but a request.
    let (stream, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(2048))
    events = continuation
    work = Task {
      var reader: FactReader?
      var failures = 0
      for await event in stream {
        // After a failure the facts wait for the next heartbeat, so that a fault is met once a second, not once a fact.
        if failures > 0, case .fact = event { continue }
        do {
          if reader == nil { reader = FactReader(position: try await sink.position(in: publisher)) }
          guard var place = reader else { continue }
          // The place moves page by page, so an error half-way repeats nothing that was applied.
          defer { reader = place }
          try await Self.handle(event, reader: &place, publisher: publisher, sink: sink, fetch: fetch)
          failures = 0
          if case .head(let head) = event { await moved(place.lag(behind: head)) }
        } catch is CancellationError {
          return
        } catch {
          if failures % 60 == 0 { failed(LunaraError(error)) }
          failures += 1
        }
      }
    }
  }

  /// Hands over an event.
  func take(_ event: Event) { events.yield(event) }

  /// Stops following.
  func stop() async {
    events.finish()
    work.cancel()
    await work.value
  }

  private static func handle(
    _ event: Event, reader: inout FactReader, publisher: NodeID, sink: any FactSink,
    fetch: @Sendable (ReplayStart) async throws -> FactPage
  ) async throws {
    let verdict: FactReader.Verdict
    switch event {
    case .fact(let fact):
      guard let position = fact.envelope.position else { return }
      verdict = reader.judge(fact: position)
      if verdict == .apply {
        try await sink.apply([fact], through: position, of: publisher)
        reader.position = position
      }
    case .head(let head): verdict = reader.judge(head: head)
    }
    guard verdict == .fetch else { return }
    while true {
      try Task.checkCancellation()
      let page = try await fetch(reader.position.map { .after($0) } ?? sink.start)
      try await sink.apply(page.facts, through: page.through, of: publisher)
      reader.position = page.through
      if page.through.seq >= page.head { return }
    }
  }
}

/// A page of facts as a reader gets it.
struct FactPage: Sendable {
  var facts: [ReceivedFact]
  var through: JournalPosition
  var head: Int64
}

/// Asks a node for the facts behind a starting point. The answer holds the envelopes unchanged.
struct Replay: Codable, Sendable {
  static let kind = "bus.replay"
  var start: ReplayStart

  /// The answer as JSON: `{"facts": [envelope…], "head": n, "through": position}`.
  static func encode(_ page: JournalPage, from node: NodeID) -> [UInt8] {
    var text = Array("{\"facts\":[".utf8)
    for (index, fact) in page.facts.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      text += fact.envelope(from: node, journal: page.through.journal).encoded()
    }
    text += Array("],\"head\":\(page.head),\"through\":{\"epoch\":\(page.through.epoch),".utf8)
    text += Array("\"journal\":\"\(page.through.journal)\",\"seq\":\(page.through.seq)}}".utf8)
    return text
  }

  /// Reads the answer.
  static func decode(_ bytes: [UInt8]) throws -> FactPage {
    struct Rest: Codable {
      var head: Int64
      var through: JournalPosition
    }
    let rest = try MessageCoding.decode(Rest.self, from: bytes)
    let facts = try bytes.withUnsafeBytes { raw in
      var list: Range<Int>?
      let isObject = JSONSlice.members(of: raw) { key, value in
        if key.elementsEqual("facts".utf8) { list = value }
      }
      guard isObject, let list else { throw Envelope.bad("a replay without facts") }
      let array = UnsafeRawBufferPointer(rebasing: raw[list])
      guard let elements = JSONSlice.elements(of: array) else { throw Envelope.bad("a replay without facts") }
      return try elements.map { ReceivedFact(envelope: try Envelope(decoding: array[$0])) }
    }
    return FactPage(facts: facts, through: rest.through, head: rest.head)
  }
}
