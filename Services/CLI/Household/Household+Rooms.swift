import Bus
import Messages
import Model
import ServiceKit

extension Household {
  /// The room that a command is for.
  func room(for context: Context) async throws -> RoomName {
    let choice = RoomChoice(
      rooms: rooms(), wanted: context.arguments.value(.room), usual: try context.settings()["LUNARA_ROOM"])
    if let room = try choice.decided() { return room }
    let playing = await roomViews().filter(\.isPlaying).compactMap { RoomName($0.name) }
    return try choice.decided(playing: playing)
  }

  /// How every room stands. One that does not answer is away.
  func roomViews() async -> [RoomView] {
    await withTaskGroup(of: RoomView.self) { group in
      for room in rooms() {
        group.addTask {
          do {
            guard let state = try await state(Playback.RoomState.self, of: .playback(room), within: .seconds(2)) else {
              return RoomView(silent: room)
            }
            return RoomView(state)
          } catch {
            return RoomView(away: room, LunaraError(error))
          }
        }
      }
      var views: [RoomView] = []
      for await view in group { views.append(view) }
      return views.sorted { $0.name < $1.name }
    }
  }
}
