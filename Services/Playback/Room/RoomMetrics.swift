import Bus
import Messages
import Model

extension Room {
  /// Adds what this room does to the figures of its process.
  nonisolated func register(in metrics: MetricRegistry) {
    metrics.family("playback_state", "What the room does: 1 for the state it is in.", .gauge) { [self] in
      let name = await machine.state.state.name
      return ["idle", "buffering", "playing", "paused", "error"].map { .init($0 == name ? 1 : 0, ["state": $0]) }
    }
    metrics.gauge("playback_queue_length", "Items in the queue.") { [self] in Double(await machine.queue.slots.count) }
  }
}
