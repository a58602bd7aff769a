import Client
import Messages
import Model

/// Rooms as outputs and partitions. An output that is switched off is a muted room.
enum OutputCommands {
  static let all: [MPDCommand] = [
    MPDCommand("outputs") { session, _, reply in try await outputs(session, &reply) },
    MPDCommand("enableoutput", 1...1) { session, arguments, _ in try await mute(session, arguments[0]) { _ in false } },
    MPDCommand("disableoutput", 1...1) { session, arguments, _ in try await mute(session, arguments[0]) { _ in true } },
    MPDCommand("toggleoutput", 1...1) { session, arguments, _ in try await mute(session, arguments[0]) { !$0 } },
    MPDCommand("listpartitions") { session, _, reply in
      for name in session.household.rooms.partitions { reply.add("partition", name) }
    },
    MPDCommand("partition", 1...1) { session, arguments, _ in
      session.subscriber.room = try session.household.rooms.room(ofPartition: arguments[0])
    },
  ]

  private static func outputs(_ session: Session, _ reply: inout Reply) async throws {
    let own = try session.room()
    for (index, status) in await session.household.client.roomStatuses().enumerated() {
      let isOwn = status.name == own
      reply.add("outputid", index)
      reply.add("outputname", status.title ?? status.name.rawValue)
      // Servers of this protocol call the outputs of other partitions so.
      reply.add("plugin", isOwn ? "lunara" : "dummy")
      reply.add("outputenabled", isOwn && status.modes?.isMuted != true && !status.isAway ? 1 : 0)
    }
  }

  private static func mute(_ session: Session, _ number: String, _ isMuted: (Bool) -> Bool) async throws {
    let index = try number.unsigned()
    let rooms = session.household.rooms.rooms
    guard rooms.indices.contains(index) else { throw CommandError(.noExist, "No such audio output") }
    let room = rooms[index]
    guard room == (try session.room()) else {
      throw CommandError(.permission, "This output is the room \(room). Choose its partition first.")
    }
    let muted = try await session.household.status(of: room).modes?.isMuted ?? false
    try await session.perform([.mute(isMuted(muted))])
  }
}
