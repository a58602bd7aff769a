import Client
import Messages
import Model

/// Commands that show and control what plays.
enum PlayerCommands {
  static let all: [MPDCommand] = [
    MPDCommand("status") { session, _, reply in try await status(session, &reply) },
    MPDCommand("currentsong") { session, _, reply in
      let queue = try await session.queue()
      if let shown = queue.shown { try await session.add([shown], of: queue, &reply) }
    },
    MPDCommand("clearerror") { _, _, _ in },
    MPDCommand("play", 0...1) { session, arguments, _ in
      guard let position = arguments.first, position != "-1" else { return try await resume(session) }
      let queue = try await session.queue()
      let index = try position.unsigned()
      guard queue.items.indices.contains(index) else { throw CommandError.badIndex }
      try await session.perform([.jump(to: index, of: queue.items[index].entry)])
    },
    MPDCommand("playid", 0...1) { session, arguments, _ in
      guard let id = arguments.first, id != "-1" else { return try await resume(session) }
      let queue = try await session.queue()
      let index = try queue.index(id: try id.unsigned())
      try await session.perform([.jump(to: index, of: queue.items[index].entry)])
    },
    MPDCommand("pause", 0...1) { session, arguments, _ in
      let pauses = try arguments.first?.flag()
      let status = try await session.household.status(of: try session.room())
      // A stopped room stays stopped.
      guard status.isPlaying || status.state == "paused" else { return }
      try await session.perform([pauses.map { $0 ? .pause : .resume } ?? .toggle])
    },
    MPDCommand("stop") { session, _, _ in try await session.perform([.stop]) },
    MPDCommand("next") { session, _, _ in try await skip(session, .next) },
    MPDCommand("previous") { session, _, _ in try await skip(session, .previous) },
    MPDCommand("seek", 2...2) { session, arguments, _ in
      let index = try arguments[0].unsigned()
      try await seek(
        session, to: arguments[1],
        at: { queue throws(CommandError) in
          guard queue.items.indices.contains(index) else { throw CommandError.badIndex }
          return index
        })
    },
    MPDCommand("seekid", 2...2) { session, arguments, _ in
      let id = try arguments[0].unsigned()
      try await seek(session, to: arguments[1], at: { queue throws(CommandError) in try queue.index(id: id) })
    },
    MPDCommand("seekcur", 1...1) { session, arguments, _ in
      let time = try arguments[0].time()
      guard try await session.queue().current != nil else { throw CommandError.notPlaying }
      let isRelative = arguments[0].hasPrefix("+") || arguments[0].hasPrefix("-")
      try await session.perform([isRelative ? .skip(by: time) : .seek(to: time)])
    },
  ]

  private static func resume(_ session: Session) async throws {
    // Nothing happens if nothing is queued.
    guard try await !session.queue().items.isEmpty else { return }
    try await session.perform([.resume])
  }

  private static func skip(_ session: Session, _ action: Playback.Transport.Action) async throws {
    guard try await session.queue().current != nil else { throw CommandError.notPlaying }
    try await session.perform([action])
  }

  private static func seek(
    _ session: Session, to text: String, at place: (NumberedQueue) throws(CommandError) -> Int
  ) async throws {
    let time = try text.time()
    guard time >= .zero else { throw CommandError(.argument, "Number is negative: \(text)") }
    let queue = try await session.queue()
    let index = try place(queue)
    let entry = queue.items[index].entry
    if queue.current != index { try await session.perform([.jump(to: index, of: entry)]) }
    try await session.perform([.seek(to: time, of: entry)])
  }

  private static func status(_ session: Session, _ reply: inout Reply) async throws {
    let room = try session.room()
    let queue = try await session.queue()
    let status = try await session.household.status(of: room)
    let options = RoomOptions(status.modes)
    reply.add("volume", ifPresent: status.volume)
    reply.add("repeat", options.isRepeating ? 1 : 0)
    reply.add("random", options.isRandom ? 1 : 0)
    reply.add("single", options.single.rawValue)
    reply.add("consume", 0)
    reply.add("partition", session.household.rooms.partition(of: room))
    reply.add("playlist", queue.version)
    reply.add("playlistlength", queue.items.count)
    reply.add("mixrampdb", 0)
    let isActive = status.isPlaying || status.state == "paused"
    reply.add("state", status.isPlaying ? "play" : status.state == "paused" ? "pause" : "stop")
    if let shown = queue.shown, queue.items.indices.contains(shown) {
      reply.add("song", shown)
      reply.add("songid", queue.ids[shown])
      if isActive, queue.current != nil { add(status, &reply) }
      if let next = next(after: shown, in: queue, options) {
        reply.add("nextsong", next)
        reply.add("nextsongid", queue.ids[next])
      }
    }
    if await session.household.libraryState?.isUpdating == true { reply.add("updating_db", 1) }
    reply.add("error", ifPresent: status.error?.message)
  }

  private static func add(_ status: RoomStatus, _ reply: inout Reply) {
    let length = status.duration ?? .zero
    reply.add("time", "\(status.position.roundedSeconds):\(length.roundedSeconds)")
    reply.add("elapsed", status.position.decimal)
    if length > .zero { reply.add("duration", length.decimal) }
  }

  private static func next(after index: Int, in queue: NumberedQueue, _ options: RoomOptions) -> Int? {
    if options.repeats == .one { return index }
    if index + 1 < queue.items.count { return index + 1 }
    return options.repeats == .all ? 0 : nil
  }
}
