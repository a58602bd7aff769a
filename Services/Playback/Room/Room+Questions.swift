import Messages
import Model

/// The questions that can be put to a room.
extension Room {
  /// Commands a room.
  nonisolated func transport(_ action: Playback.Transport.Action) async throws -> Playback.RoomState {
    try await ask { .transport(action, $0) }
  }

  /// Takes a part of a load.
  nonisolated func load(_ part: Playback.Load) async throws -> Playback.QueueSummary {
    try await ask { .load(part, $0) }
  }

  /// Takes a part of what the queue goes on with.
  nonisolated func append(_ part: Playback.Append) async throws -> Playback.QueueSummary {
    try await ask { .append(part, $0) }
  }

  /// Changes the queue.
  nonisolated func edit(_ edit: Playback.EditQueue.Edit) async throws -> Playback.QueueSummary {
    try await ask { .edit(edit, $0) }
  }

  /// Changes how the room sounds.
  nonisolated func set(_ request: Playback.SetOutput) async throws -> Playback.OutputState {
    try await ask { .output(request, $0) }
  }

  /// Looks what outputs there are.
  nonisolated func read(_ request: Playback.ReadOutput) async throws -> Playback.OutputState {
    try await ask { .readOutput($0) }
  }

  /// Takes what people call the room.
  nonisolated func set(_ request: Playback.SetTitle) async throws -> Playback.RoomState {
    try await ask { .title(request.title, $0) }
  }

  /// Lets a chord be heard.
  nonisolated func play(_ request: Playback.PlayTestSound) async throws -> Done {
    try await ask { .testSound($0) }
  }
}
