/// What a sealed frame is, as its clear part says and its seal proves. The numbers are bytes on the wire.
enum SealedClass: UInt8, Sendable {
  case fact = 1
  case state = 2
  case signal = 3
  case question = 4
  case answer = 5

  /// Where a frame of this class may arrive.
  var channel: SealedChannel {
    switch self {
    case .fact, .state, .signal: .inbox
    case .question: .desk
    case .answer: .line
    }
  }
}

/// Where a frame arrived.
enum SealedChannel: Sendable {
  /// The SUB at which a node hears what others publish.
  case inbox
  /// The raw REP at which it is asked.
  case desk
  /// A raw REQ on which it asked.
  case line
}

/// One run of one node, as others address it.
struct SealPeer: Hashable, Sendable {
  /// Who it is.
  var node: NodeID
  /// What it drew at its start.
  var nonce: StartNonce
}

/// What a sealed frame held, and who is proven to have sealed it.
struct Opened: Sendable {
  /// The topic and the envelope.
  var frame: Frame
  /// Who sealed it.
  var sender: SealPeer
  /// The sender's start number.
  var epoch: Int64
  /// Whether it was sealed for this very run of this node; a knock is not.
  var isBound: Bool
  /// Whether the sender had been admitted. Of one who was not, only hellos, knocks and answers open.
  var isAdmitted: Bool
}
