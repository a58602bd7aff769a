import Messages
import Model

/// The moves of a room, beside what it plays.
struct RoomMoves: Hashable, Sendable {
  /// What is known of them.
  var book = MoveState()
  /// Since when the room is held for a move, as far as this start of the service knows.
  var heldSince: MonotonicTime?
  /// Until when the word is waited for where exactly the sound held.
  var settlesBy: MonotonicTime?
  /// Whether the sound goes on if the move is called off: not after a restart, where it has ended by itself.
  var resumes = false
  /// What is to come here.
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
    /// When the position was `start`, if it moves.
    var since: MonotonicTime
    var locator: Library.Locator?
    var staleAt: MonotonicTime?
    var duration: Milliseconds?
    /// Until when the stage may last.
    var until: MonotonicTime

    /// Whether the answer can be given, and which: nil for ready.
    var settled: LunaraError?? {
      switch stage {
      case .locating, .opening: nil
      case .open, .located: .some(nil)
      case .failed(let error): .some(error)
      }
    }
  }

  /// Whether the sound is held for a move.
  var isHeld: Bool { book.outgoing?.isHeld == true }

  /// Lets go of what was held.
  mutating func release() {
    heldSince = nil
    settlesBy = nil
    resumes = false
  }

  /// When to look again; nil for never.
  var deadline: MonotonicTime? { [settlesBy, arrival?.until].compactMap { $0 }.min() }

  /// How long the engine may take to say where the sound held; then it is where it should be.
  static let settling = Milliseconds(150)
  /// How long opening may take.
  static let opening = Milliseconds(8000)
  /// How long what is prepared waits to be committed. Less than `patience`: when a person takes the room back that is
  /// left, nothing can start in the other any more.
  static let waiting = Milliseconds(20_000)
  /// How long a room is held before a person can take it back.
  static let patience = Milliseconds(30_000)
}
