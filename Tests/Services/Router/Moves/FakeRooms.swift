import Bus
import Messages
import Model
import Synchronization

@testable import lunara_playback
@testable import lunara_router

/// Two rooms in memory with what a move needs of them, whose answers can be lost.
final class FakeRooms: RequestSender {
  struct Contents: Sendable {
    var kitchen = MoveModel.Room(hasQueue: true, isPlaying: true)
    var den = MoveModel.Room(hasQueue: false)
    /// The number of coming requests that are not answered, by kind and room.
    var silences: [String: Int] = [:]
    /// True where a request without an answer still takes effect.
    var isHeard = false
    /// The number of answers to each kind and room after which no further request is answered.
    var answersLeft: [String: Int] = [:]
  }

  let contents = Mutex(Contents())
  let (kitchen, den) = (RoomName(from: "kitchen"), RoomName(from: "den"))

  /// The rooms to choose from; both are on the bus.
  var choice: RoomChoice { RoomChoice(live: [kitchen, den], away: []) }

  /// The kitchen's queue as it would be published.
  var observed: Observed<Playback.QueueState> {
    Observed(
      node: .playback(kitchen), value: contents.withLock { $0.kitchen.queue }, age: .zero,
      saidAt: Timestamp(seconds: 1_800_000_000), away: false)
  }

  /// Leaves all requests of a kind without an answer, except the next ones.
  func silence<R: Request>(_ kind: R.Type, in room: RoomName, after answers: Int) {
    contents.withLock { $0.answersLeft["\(R.kind) \(room)"] = answers }
  }

  /// Leaves the next requests of a kind without an answer.
  func silence<R: Request>(_ kind: R.Type, in room: RoomName, times: Int = 1) {
    contents.withLock { $0.silences["\(R.kind) \(room)"] = times }
  }

  func request<R: Request>(
    _ request: R, to node: NodeID, within timeout: Duration, id requestID: RequestID?
  ) async throws -> R.Answer {
    try contents.withLock { contents in
      let key = "\(R.kind) \(node.name)"
      let isSilent = contents.silences[key, default: 0] > 0 || contents.answersLeft[key] == 0
      contents.silences[key, default: 0] -= contents.silences[key, default: 0] > 0 ? 1 : 0
      contents.answersLeft[key]? -= isSilent ? 0 : 1
      let silence = LunaraError("bus.timeout", "\(node) did not answer in time.")
      if isSilent, !contents.isHeard { throw silence }
      let answer =
        try node.name == kitchen.rawValue ? contents.kitchen.answer(request) : contents.den.answer(request)
      guard !isSilent, let fitting = answer as? R.Answer else { throw silence }
      return fitting
    }
  }
}

extension MoveModel.Room {
  /// The state of its queue that would be published.
  fileprivate var queue: Playback.QueueState {
    let item = QueueItem(entry: EntryID(rawValue: "e"), track: anyTrack(1).track, origin: .init(node: "web@main"))
    return Playback.QueueState(
      revision: queueRevision, count: hasQueue ? 1 : 0, current: hasQueue ? 0 : nil, first: 0,
      items: hasQueue ? [item] : [], moving: book.outgoing?.moving)
  }

  fileprivate mutating func answer(_ request: any Request) throws -> any Sendable {
    switch request {
    case is Playback.ReadQueue: queue
    case let request as Playback.OfferMove: try answered(.offer, request.move)
    case let request as Playback.PrepareMove: try answered(.prepare(request.moved), request.move)
    case let request as Playback.HoldForMove: try answered(.hold, request.move)
    case let request as Playback.CommitMove: try answered(.commit(request.moved), request.move)
    case let request as Playback.EndMove: try answered(.end(done: request.done), request.move)
    default: throw LunaraError("bus.unknownRequest", "Nobody here knows that.")
    }
  }

  private mutating func answered(_ question: MoveStateMachine.Question, _ move: String) throws -> any Sendable {
    switch answer(question, move: move) {
    case .offered(let moved), .held(let moved): return moved
    case .prepared: return Done()
    case .committed:
      return Playback.RoomState(
        room: RoomName(from: "den"), state: isPlaying ? .playing : .paused, item: nil,
        position: Position(offset: .zero, rate: 0, takenAt: Timestamp(seconds: 1)), duration: nil, volume: 100,
        queueRevision: 1)
    case .ended(let wasCommitted): return Playback.MoveOutcome(isCommitted: wasCommitted)
    case .failed(let error): throw error
    }
  }
}
