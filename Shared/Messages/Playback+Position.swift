public import Model

extension Playback.RoomState {
  /// Returns where the current track is now. The position is older than the state that carries it, and the state is
  /// older than its arrival: both times pass while sound flows.
  ///
  /// - Parameters:
  ///   - saidAt: when the room said this state, on its own clock, as `position.takenAt` is.
  ///   - age: how long ago that was.
  /// - Returns: the position, never past the end of the track.
  public func position(saidAt: Timestamp, age: Milliseconds) -> Milliseconds {
    position.after(
      max(.zero, saidAt - position.takenAt) + max(.zero, age), upTo: duration ?? item?.track.duration)
  }
}
