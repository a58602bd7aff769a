import Client
import Messages
import Model

/// The dialogue with one client: its settings, its list of commands, and whether it waits for changes.
final class Session {
  static let protocolVersion = "0.23.5"

  let household: Household
  let subscriber: Subscriber
  let access: Access
  /// True if the client may send all commands.
  var hasAccess: Bool
  /// The tags that the client wants.
  var tags = Set(SongTag.allCases)
  /// The most bytes of a picture in one answer.
  var binaryLimit = 8192
  private var list: CommandList?

  init(household: Household, subscriber: Subscriber, access: Access) {
    self.household = household
    self.subscriber = subscriber
    self.access = access
    hasAccess = access.password == nil
  }

  /// Handles a line.
  ///
  /// - Parameters:
  ///   - line: the line without its end.
  ///   - send: sends bytes to the client.
  /// - Returns: false if the connection has to be closed.
  func handle(_ line: [UInt8], _ send: @escaping ([UInt8]) async throws -> Void) async throws -> Bool {
    // Other programs begin otherwise, such as browsers that a page makes send something.
    guard let first = line.first, (97...122).contains(first) else { return false }
    let text = String(decoding: line, as: UTF8.self)
    if subscriber.idle({ $0.isIdle }) {
      guard text == "noidle", subscriber.idle({ $0.end() }) else { return false }
      try await send(Array("OK\n".utf8))
      return true
    }
    if var list {
      // A second reference would make each addition copy the whole list.
      self.list = nil
      if text == "command_list_end" { return try await run(list, send) }
      guard text != "noidle", text != "idle", !text.hasPrefix("idle "), list.add(line) else { return false }
      self.list = list
      return true
    }
    switch text {
    case "command_list_begin": list = CommandList(confirmsEach: false, hasAccess: hasAccess)
    case "command_list_ok_begin": list = CommandList(confirmsEach: true, hasAccess: hasAccess)
    case "noidle": break
    default:
      var reply = Reply(send)
      return try await run(line, index: 0, isInList: false, &reply)
    }
    return true
  }

  /// Returns the answer to `idle`.
  static func text(of changes: [Subsystem]) -> String {
    changes.map { "changed: \($0.rawValue)\n" }.joined() + "OK\n"
  }

  private func run(_ list: CommandList, _ send: @escaping ([UInt8]) async throws -> Void) async throws -> Bool {
    var reply = Reply(send)
    for (index, line) in list.lines.enumerated() {
      let mark = list.confirmsEach ? "list_OK" : nil
      guard try await run(line, index: index, isInList: true, &reply) else { return !isClosing }
      if let mark { reply.add(line: mark) }
      try await reply.sendIfLong()
    }
    reply.add(line: "OK")
    try await reply.flush()
    return !isClosing
  }

  /// True once the client sent `close`.
  var isClosing = false

  /// Runs one command. Outside a list returns false if the connection has to be closed, and in a list if it ends there.
  private func run(_ line: [UInt8], index: Int, isInList: Bool, _ reply: inout Reply) async throws -> Bool {
    var name = ""
    do {
      let command = try ClientCommand(line: line)
      if command.name == "idle", !isInList {
        name = "idle"
        guard hasAccess else { throw CommandError(.permission, "you don't have permission for \"idle\"") }
        return try await idle(command.arguments, &reply)
      }
      if CommandTable.exists(command.name) { name = command.name }
      let found = try CommandTable.command(command.name, hasAccess: hasAccess)
      try found.check(command.arguments.count)
      try await found.run(self, command.arguments, &reply)
      if isClosing { return false }
      if !isInList {
        reply.add(line: "OK")
        try await reply.flush()
      }
      return true
    } catch let error where !(error is SendFailure) {
      let error = CommandError(error)
      reply.add(line: String(error.line(command: name, index: index).dropLast()))
      try await reply.flush()
      return !isInList
    }
  }

  private func idle(_ arguments: [String], _ reply: inout Reply) async throws -> Bool {
    var subsystems: Set<Subsystem> = []
    for name in arguments {
      guard let subsystem = Subsystem(rawValue: name) else {
        throw CommandError(.argument, "Unrecognized idle event: \(name)")
      }
      subsystems.insert(subsystem)
    }
    let changes = subscriber.idle { idle in
      idle.begin(subsystems)
      return idle.takeChanges()
    }
    if let changes { try await reply.send(Array(Self.text(of: changes).utf8)) }
    return true
  }
}

extension Session {
  /// Returns the room of this client.
  ///
  /// - Throws: `client.noRoom`.
  func room() throws -> RoomName {
    if let room = subscriber.room { return room }
    guard let usual = household.rooms.usual else {
      throw LunaraError("client.noRoom", "No room is running. Start one with `lunara up`.")
    }
    subscriber.room = usual
    return usual
  }

  /// Sends a command to the player of the client's room.
  func perform(_ actions: [Playback.Transport.Action]) async throws {
    let room = try room()
    for action in actions { _ = try await household.ask(Playback.Transport(action), in: room) }
  }

  /// Edits the queue of the client's room.
  func edit(_ edit: Playback.EditQueue.Edit) async throws {
    _ = try await household.ask(Playback.EditQueue(edit), in: try room())
  }

  /// Returns the queue of the client's room.
  func queue() async throws -> NumberedQueue { try await household.queue(of: try room()) }

  /// Adds songs of a queue to an answer.
  func add(_ positions: some Sequence<Int>, of queue: NumberedQueue, _ reply: inout Reply) async throws {
    let index = await household.catalogue.known()
    for position in positions {
      let track = queue.items[position].track
      reply.add(
        path: index[track.id]?.path ?? track.id.description, tags: SongTags(track), duration: track.duration, mask: tags
      )
      reply.add("Pos", position)
      reply.add("Id", queue.ids[position])
      try await reply.sendIfLong()
    }
  }

  /// Adds songs of the library to an answer.
  func add(_ songs: some Sequence<Song>, _ reply: inout Reply) async throws {
    for song in songs {
      reply.add(song, mask: tags)
      try await reply.sendIfLong()
    }
  }
}
