import Model

@testable import Bus

// The messages of the simulation. Other tests cover the bytes of frames, so messages stay values here.

/// A message for an inbox.
enum Published {
  case heartbeat(NodePresence, leaving: Bool)
  case fact(Envelope)
  case state(Envelope, topic: String)
}

/// A request for a request socket.
struct Question {
  /// Distinguishes repeated sendings of one request id; only the simulation can see it.
  var asking: Int
  var envelope: Envelope
  var body: Body

  enum Body {
    case probe
    case hello(Hello)
    case replay(ReplayStart)
    case readStates([String])
    case command(Command)
  }
}

/// An answer to a request.
struct Answer {
  var id: String
  var node: NodeID
  var epoch: Int64
  var body: Body

  enum Body {
    case presence(NodePresence, [RosterEntry])
    case page(FactPage)
    case states([Envelope])
    case done
    case error(String)
  }
}

/// The commands that a node carries out.
enum Command: Hashable {
  /// Changes the database in the transaction that stores its answer.
  case append(Durability)
  /// Changes only memory.
  case next
  /// Makes a room append twice, with ids derived from this command's id.
  case play(in: NodeID)

  var kind: String {
    switch self {
    case .append: "playback.append"
    case .next: "playback.next"
    case .play: "router.play"
    }
  }
}
