import Model

@testable import Bus

// What travels in the simulation. The bytes of frames have tests of their own, so here they stay values.

/// What comes to an inbox.
enum Word {
  case heartbeat(NodePresence, leaving: Bool)
  case fact(Envelope)
  case state(Envelope, topic: String)
}

/// What comes to a desk.
struct Question {
  /// Tells one asking from another, also under one id; nobody in the world can see it.
  var asking: Int
  var envelope: Envelope
  var body: Body

  enum Body {
    case knock
    case hello(Hello)
    case replay(ReplayStart)
    case readStates([String])
    case command(Command)
  }
}

/// What comes back over a line.
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

/// What a node can be told to do.
enum Command: Hashable {
  /// Changes the database, in the transaction that stores its answer.
  case append(Durability)
  /// Changes nothing but memory.
  case next
  /// Has a room append twice, under ids derived from this command's.
  case play(in: NodeID)

  var kind: String {
    switch self {
    case .append: "playback.append"
    case .next: "playback.next"
    case .play: "router.play"
    }
  }
}
