import Testing

/// The listens in a household's journals, compared with what should have been heard.
struct Listens {
  /// The listens in the order in which they began.
  var started: [JSON]
  var heard: [JSON]
  var ended: [JSON]
  var counted: [JSON]

  /// Reads all facts in the journals of a household.
  init(of household: Household) async throws {
    started = try await household.facts("playback.listen-started").map(\.payload)
    heard = try await household.facts("playback.listen-heard").map(\.payload)
    ended = try await household.facts("playback.listen-ended").map(\.payload)
    counted = try await household.facts("scrobble.listen-counted").map(\.payload)
  }

  /// Checks that exactly these pieces were heard to the end, in this order, each once.
  ///
  /// - Parameter slack: the seconds by which the time heard may differ from a piece's length.
  func expectWhole(
    _ pieces: [TestMusic.Piece], slack: Double = 1, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let titles = pieces.map(\.title)
    #expect(started.map(title) == titles, "started", sourceLocation: sourceLocation)
    #expect(ended.map(title) == titles, "ended", sourceLocation: sourceLocation)
    #expect(started.map(id) == ended.map(id), "the same listens", sourceLocation: sourceLocation)
    #expect(Set(started.map(id)).count == pieces.count, "each its own", sourceLocation: sourceLocation)
    #expect(ended.allSatisfy { $0.reason.asString == "finished" }, "to the end", sourceLocation: sourceLocation)
    for (piece, end) in zip(pieces, ended) {
      let seconds = (end.heard.asNumber ?? 0) / 1000
      #expect(abs(seconds - Double(piece.seconds)) <= slack, "\(piece.title)", sourceLocation: sourceLocation)
      let steps = heard.filter { id($0) == id(end) }.compactMap(\.heard.asNumber)
      #expect(steps == steps.sorted(), "time heard never shrinks", sourceLocation: sourceLocation)
      #expect((steps.last ?? 0) <= (end.heard.asNumber ?? 0), sourceLocation: sourceLocation)
      if piece.counts { #expect(!steps.isEmpty, "heard on the way", sourceLocation: sourceLocation) }
    }
    let counting = pieces.filter(\.counts).map(\.title)
    #expect(counted.map(title) == counting, "counted once each", sourceLocation: sourceLocation)
  }

  private func title(_ payload: JSON) -> String { payload.subject.item.track.title.asString ?? "" }
  private func id(_ payload: JSON) -> String { payload.subject.listen.asString ?? "" }
}

extension Household {
  /// Checks that exactly the pieces that count were scrobbled, the newest first.
  func expectScrobbles(_ pieces: [TestMusic.Piece], sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let counting = pieces.filter(\.counts)
    let scrobbles = try await soon("\(counting.count) scrobbles", sourceLocation: sourceLocation) {
      try await json("scrobbles").elements
    } satisfies: {
      $0.count >= counting.count
    }
    #expect(
      scrobbles.map(\.track.asString) == counting.reversed().map(\.title), sourceLocation: sourceLocation)
    let shape = [
      "listen": "string", "track": "string", "artist": "string", "album": "string", "startedAt": "string|number",
      "heardSeconds": "number", "destinations": "array",
    ]
    for (scrobble, piece) in zip(scrobbles, counting.reversed()) {
      #expect(scrobble.differences(from: shape) == [], sourceLocation: sourceLocation)
      #expect(
        (scrobble.heardSeconds.asNumber ?? 0) >= Double(piece.seconds) / 2, "\(piece.title)",
        sourceLocation: sourceLocation)
    }
    #expect(Set(scrobbles.map(\.listen)).count == counting.count, sourceLocation: sourceLocation)
  }
}
