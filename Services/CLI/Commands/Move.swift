import Bus
import Messages
import Model

extension Command {
  /// Moves what plays to another room.
  static let move = Command(
    name: "move", summary: "move what plays to another room, with its queue and position",
    examples: [
      .init("lunara move kitchen bath", "the music goes on in the bath, and the kitchen is quiet"),
      .init("lunara move bath kitchen", "and back again"),
    ],
    operand: .exactly(2, "FROM TO", help: "the room that is left, and the one that is gone to"),
    action: .asynchronous { context in
      let household = try await Client(context)
      let state = try await household.move(context.arguments.operands[0], context.arguments.operands[1])
      let view = RoomView(state, age: .zero, now: .now())
      if context.console.isJSON { return context.console.print(view.json) }
      var table = Table()
      view.add(to: &table)
      context.console.print(table)
    })
}

extension Household {
  /// Has the router move what plays; answers how the target stands.
  ///
  /// - Throws: the errors of `router.move`, which knows of rooms that are away as well.
  func move(_ from: String, _ to: String) async throws -> Playback.RoomState {
    try await ask(
      Router.Move(from: RoomName(from: from), to: RoomName(from: to)), of: .router, within: .seconds(60))
  }
}
