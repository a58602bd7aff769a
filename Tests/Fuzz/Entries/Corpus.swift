import Model

@testable import Bus
@testable import Messages

/// The inputs that mutation starts from: valid messages, made here.
enum Corpus {
  static let moment = Timestamp(microseconds: 1_795_185_000_123_456)
  static let kitchen = Seals.sender
  static let place = JournalPosition(journal: "3f9c1b7e", epoch: 7, seq: 41)

  static let presence = NodePresence(
    id: kitchen, pid: 4711, epoch: 7, version: "0.1.0", startedAt: moment, saidAt: moment, journal: place, lag: 2,
    states: ["playback.kitchen.state.": 12, "playback.kitchen.queue.": 4])

  private static let near = RosterEntry(
    id: kitchen, claim: Claim(identity: "3f9c1b7e", term: 2, start: 7),
    endpoints: Endpoints(inbox: "tcp://192.168.1.10:7700", requests: "tcp://192.168.1.10:7701"), away: false)
  private static let far = RosterEntry(
    id: .library, claim: Claim(identity: "a0", term: 0, start: 1),
    endpoints: Endpoints(inbox: "tcp://[fd00::7]:7702", requests: "tcp://[fd00::7]:7703"), away: true)

  private static var kept: KeptRoster {
    var kept = KeptRoster()
    kept.update([(near, .zero), (far, .zero)], at: moment)
    kept.term = 2
    return kept
  }

  /// An envelope of each class, and one in which every field is set.
  static let envelopes = [
    envelope("playback.listen-started", #"{"track":"files:1","at":"2026-11-20T15:30:00.123456Z"}"#) {
      ($0.seq, $0.journal) = (41, "3f9c1b7e")
    },
    envelope("playback.state", #"{"room":"Küche","state":"playing","position":12.5,"track":null}"#) {
      ($0.version, $0.journal) = (12, "3f9c1b7e")
    },
    envelope("bus.heartbeat", "{}") { _ in },
    envelope("playback.seek", #"{"seconds":-1e3,"list":[1,2,[{"a":"\"\\\u0041"}]]}"#) {
      ($0.target, $0.patience) = (7, Milliseconds(5000))
    },
    envelope("bus.x\"y", "[]") { $0.id = "a\"b\\c\nd" },
  ]

  private static func envelope(_ kind: String, _ payload: String, _ change: (inout Envelope) -> Void) -> Envelope {
    var envelope = Envelope(
      id: "0f8d3a52c1b04e6f", node: kitchen, epoch: 7, time: moment, kind: kind, payload: Array(payload.utf8))
    change(&envelope)
    return envelope
  }

  /// The inputs of an entry, without the byte that names it.
  static func seeds(of entry: Entry) throws -> [[UInt8]] {
    switch entry {
    case .frame: try envelopes.dropLast().map { try Frame(topic: $0.topic, body: $0.encoded()).encoded() }
    case .envelope: envelopes.map { $0.encoded() }
    case .slice: envelopes.map { $0.encoded() } + [Array("[1, {\"a\": [true]}, \"]\\\"\" ]".utf8), Array("[ ]".utf8)]
    case .replayPage:
      try [0, 3].map { missed in
        try Bus.Replay.encode(
          JournalPage(
            facts: (39...41).map {
              JournaledFact(
                seq: $0, epoch: 7, id: "f\($0)", kind: "playback.listen-started", time: moment, payload: [123, 125])
            }, through: place, head: 52, oldest: 12, missed: missed), from: kitchen)
      }
    case .states:
      [[], [envelopes[1]], [envelopes[1], envelopes[1]]].map { ReadStates.Answer(now: moment, states: $0).encoded() }
    case .replay:
      try [.oldest, .head, .since(moment), .after(place)].map { try MessageCoding.encode(Bus.Replay(start: $0)) }
    case .hello:
      try [(nil, nil), ("ipc:///run/lunara/web@main.inbox", [ReaderCursor(reader: "history", position: place)])].map {
        try MessageCoding.encode(
          Hello(presence: presence, inbox: $0, wantsSignals: true, hearsNothing: false, cursors: $1))
      }
    case .heartbeat: try [nil, true].map { try MessageCoding.encode(Heartbeat(presence: presence, leaving: $0)) }
    case .sealed: try sealed()
    case .resealed: (0..<5).map { [$0, 0, $0 &* 29, 1 << $0] + Array(#"{"id":"x"}"#.utf8) }
    case .keyFile:
      [
        Files.keyLine + "\n",
        "# ours\n" + Files.keyLine + "\n\nlunara-key-1\t" + String(repeating: "Fe", count: 32) + " former\r\n",
        "lunara-key-1 " + String(repeating: "a5", count: 32) + " next",
      ].map { Array($0.utf8) }
    case .probe: [try MessageCoding.encode(Probe.Answer(presence: presence, roster: [near, far]))]
    case .address:
      ["tcp://192.168.1.10:7700", "tcp://[fd00::7]:65535", "*", "localhost", "fd00::7", "tcp://kitchen.local:1"].map {
        Array($0.utf8)
      }
    case .keptRoster: [try MessageCoding.encode(kept)]
    case .settings:
      [
        "LUNARA_ROOM=Küche\n# a remark\n\n  LUNARA_WEB=\"[::1]:8787\" \r\nLUNARA_MUSIC='/a:/b'\n",
        "LUNARA_WEB=8787\nLUNARA_AUDIO=pcm:/dev/null\n",
      ].map { Array($0.utf8) }
    }
  }

  private static func sealed() throws -> [[UInt8]] {
    try Seals(keys: try Files.ring()).frames().map(\.bytes)
  }

  /// All inputs, each with the byte that names its entry.
  static func inputs() throws -> [[UInt8]] {
    try Entry.allCases.flatMap { entry in try seeds(of: entry).map { entry.input($0) } }
  }

  /// The tokens for a mutator, in libFuzzer's dictionary format.
  static let dictionary = words.map { word in
    "\""
      + word.utf8.map { byte in
        (32...126).contains(byte) && byte != 34 && byte != 92
          ? String(UnicodeScalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }.joined() + "\"\n"
  }.joined()

  static let words =
    [
      "id", "node", "epoch", "seq", "version", "time", "kind", "journal", "target", "patience", "payload", "facts",
      "states", "head", "oldest", "missed", "through", "now", "presence", "inbox", "wantsSignals", "hearsNothing",
      "cursors", "reader", "position", "leaving", "pid", "startedAt", "saidAt", "lag", "from", "since", "after",
    ].map { "\"\($0)\":" } + [
      "null", "true", "false", "9223372036854775807", "-9223372036854775808", "1e999", "0.1", "\\u0000", "\\ud800",
      "\\\"", "\u{0}\u{10}", "\u{0}\u{11}", "playback@kitchen", "2026-11-20T15:30:00.123456Z", "\"\"", "{}", "[]",
      "lunara-key-1 ", " next", " former", "LUNARA_", "playback.kitchen.state.", ".hello.", "bus.knock.",
    ]
}
