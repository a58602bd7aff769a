import Messages
import Model

/// The moves of a room, as its machine follows them.
struct RoomMoves: Hashable, Sendable {
  var state = MoveState()
  /// The time since when the room is held for a move, as far as this start of the service knows.
  var heldSince: MonotonicTime?
  /// The time until which the engine may still say where exactly the sound held.
  var settlesBy: MonotonicTime?
  /// True if the sound goes on when the move is called off. False after a restart, where it has ended by itself.
  var resumes = false
  /// The item that a move to this room begins with, while it is prepared.
  var arrival: Arrival?

  /// The item that a move to this room begins with.
  struct Arrival: Hashable, Sendable {
    enum Stage: Hashable, Sendable {
      /// The place of its audio is being asked for.
      case locating
      /// The engine was told to open it and hold.
      case opening
      /// The engine holds it at `start`.
      case open
      /// Its place is known; the engine is busy with what plays here.
      case located
      /// It cannot be played here.
      case failed(LunaraError)
    }

    var move: String
    var item: QueueItem
    var neighbours: NeighbouringTracks
    var cue: CueID
    var stage = Stage.locating
    var start: Milliseconds
    var isMovedPlaying: Bool
    /// The time at which the position was `start`, if it moves.
    var since: MonotonicTime
    var locator: Library.Locator?
    var staleAt: MonotonicTime?
    var duration: Milliseconds?
    /// The time until which the stage may last.
    var until: MonotonicTime

    /// The answer for the coordinator, once there is one: an error, or nil for ready.
    var settled: LunaraError?? {
      switch stage {
      case .locating, .opening: nil
      case .open, .located: .some(nil)
      case .failed(let error): .some(error)
      }
    }
  }

  /// True if the sound is held for a move.
  var isHeld: Bool { state.outgoing?.isHeld == true }

  /// Forgets that the room was held.
  mutating func release() {
    heldSince = nil
    settlesBy = nil
    resumes = false
  }

  /// The time to call `wakeForMoves`; nil for never.
  var deadline: MonotonicTime? { [settlesBy, arrival?.until].compactMap { $0 }.min() }

  /// The time that the engine has to say where the sound held; after it the position is where it should be.
  static let settling = Milliseconds(150)
  /// The time that opening may take.
  static let opening = Milliseconds(8000)
  /// The time for which a prepared item waits to be committed. Less than `patience`: when a person takes the source room back,
  /// nothing can start in the target any more.
  static let waiting = Milliseconds(20_000)
  /// The time after which a person can take a held room back.
  static let patience = Milliseconds(30_000)
}
