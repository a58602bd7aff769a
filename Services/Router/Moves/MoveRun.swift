import Bus
import Messages
import Model

/// Carries out what a conductor says for one move: asks the two rooms, and hands the items over.
///
/// The move is named after the intent, so that one that is sent again goes on with the same. Each question bears an id
/// of its own: what makes it harmless when it comes twice is what the rooms know of the move, and an old answer given
/// again would not tell how they stand now.
struct MoveRun: Sendable {
  let asking: any Asking
  let move: String
  let from: RoomName
  let to: RoomName

  /// How long a room is waited for.
  private static let patience = Duration.seconds(4)
  /// How long the target may take to make ready.
  private static let readiness = Duration.seconds(12)

  /// Leads the move until it is over.
  func run(_ start: (MoveConductor, MoveConductor.Action)) async -> MoveConductor.Result {
    var (conductor, action) = start
    while true {
      switch action {
      case .finish(let result): return result
      case .ask(let question, let side): action = conductor.take(await reply(to: question, of: side))
      }
    }
  }

  /// How the target stands, which has committed.
  func state() async throws -> Playback.RoomState {
    let nothing = Playback.Moved(
      revision: 0, count: 0, current: 0, position: .zero, isPlaying: false, listen: nil, modes: Playback.Modes(),
      continuation: nil)
    return try await asking.ask(
      Playback.CommitMove(move: move, moved: nothing), of: .playback(to), within: Self.patience)
  }

  private func reply(
    to question: MoveConductor.Question, of side: MoveConductor.Side
  ) async -> MoveConductor.Reply {
    let room = NodeID.playback(side == .source ? from : to)
    do {
      switch question {
      case .offer:
        return .offered(
          try await asking.ask(Playback.OfferMove(move: move, to: to), of: room, within: Self.patience))
      case .prepare(let moved):
        try await handOver(moved)
        return .prepared
      case .hold:
        return .held(try await asking.ask(Playback.HoldForMove(move: move), of: room, within: Self.patience))
      case .commit(let moved):
        _ = try await asking.ask(Playback.CommitMove(move: move, moved: moved), of: room, within: Self.patience)
        return .committed
      case .end(let done):
        let outcome = try await asking.ask(
          Playback.EndMove(move: move, done: done), of: room, within: Self.patience)
        return .ended(wasCommitted: outcome.isCommitted)
      }
    } catch {
      return .failed(LunaraError(error))
    }
  }

  /// Reads the items from the source and gives them to the target, page by page.
  private func handOver(_ moved: Playback.Moved) async throws {
    var first = 0
    var part = 0
    repeat {
      let page = try await asking.ask(Playback.ReadQueue(first: first, limit: 100), of: .playback(from))
      guard page.revision == moved.revision, page.first == first, !page.items.isEmpty else { throw Self.outdated }
      first += page.items.count
      let isLast = first >= moved.count
      _ = try await asking.ask(
        Playback.PrepareMove(
          move: move, moved: moved, part: part, isLast: isLast, items: page.items, homes: page.homes),
        of: .playback(to), within: isLast ? Self.readiness : Self.patience)
      part += 1
    } while first < moved.count
  }

  private static let outdated = LunaraError(
    "playback.moveOutdated", "The queue changed while it was being handed over. Move again.")
}
