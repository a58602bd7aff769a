// Generated from Playback+Moves.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Playback.Moving {
  public init(move: String, to: RoomName, heldAt: Timestamp? = nil, wasPlaying: Bool, _: Void = ()) {
    self.move = move
    self.to = to
    self.heldAt = heldAt
    self.wasPlaying = wasPlaying
  }
}

extension Playback.Moved {
  public init(
    revision: Int64, count: Int, current: Int, position: Milliseconds, isPlaying: Bool, listen: Playback.ListenMark?,
    modes: Playback.Modes, continuation: Playback.Continuation?, _: Void = ()
  ) {
    self.revision = revision
    self.count = count
    self.current = current
    self.position = position
    self.isPlaying = isPlaying
    self.listen = listen
    self.modes = modes
    self.continuation = continuation
  }
}

extension Playback.OfferMove {
  public init(move: String, to: RoomName, _: Void = ()) {
    self.move = move
    self.to = to
  }
}

extension Playback.PrepareMove {
  public init(
    move: String, moved: Playback.Moved, part: Int, isLast: Bool, items: [QueueItem], homes: [Int64]? = nil,
    _: Void = ()
  ) {
    self.move = move
    self.moved = moved
    self.part = part
    self.isLast = isLast
    self.items = items
    self.homes = homes
  }
}

extension Playback.HoldForMove {
  public init(move: String, _: Void = ()) { self.move = move }
}

extension Playback.CommitMove {
  public init(move: String, moved: Playback.Moved, keepsQueue: Bool? = nil, _: Void = ()) {
    self.move = move
    self.moved = moved
    self.keepsQueue = keepsQueue
  }
}

extension Playback.EndMove {
  public init(move: String, done: Bool, _: Void = ()) {
    self.move = move
    self.done = done
  }
}

extension Playback.MoveOutcome {
  public init(isCommitted: Bool, _: Void = ()) { self.isCommitted = isCommitted }
}
