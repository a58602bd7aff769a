/// What a vigil does to its room.
struct RoomInterrupter: Sendable {
  /// Pauses it; returns when it is quiet and all is stored.
  var interrupt: @Sendable () async -> Void
  /// Has it play on, if it paused for that.
  var resume: @Sendable () async -> Void
}

extension RoomInterrupter {
  /// Interrupts a room for a reason.
  init(of room: Room, _ reason: Interruption) {
    self.init(interrupt: { await room.interrupt(reason) }, resume: { room.interruptionOver(reason) })
  }
}
