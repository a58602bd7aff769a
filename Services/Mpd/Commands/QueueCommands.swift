import Messages
import Model

/// Commands that read the queue.
enum QueueCommands {
  static let all: [MPDCommand] = [
    MPDCommand("playlistinfo", 0...1) { session, arguments, reply in
      let queue = try await session.queue()
      let positions = try shown(arguments.first, in: queue)
      try await session.add(positions, of: queue, &reply)
    },
    MPDCommand("playlistid", 0...1) { session, arguments, reply in
      let queue = try await session.queue()
      guard let id = arguments.first else { return try await session.add(queue.items.indices, of: queue, &reply) }
      try await session.add([try queue.index(id: try id.unsigned())], of: queue, &reply)
    },
    MPDCommand("playlist") { session, _, reply in
      let queue = try await session.queue()
      let index = await session.household.catalogue.known()
      for (position, item) in queue.items.enumerated() {
        reply.add(line: "\(position):file: \(Reply.oneLine(index[item.track.id]?.path ?? item.track.id.description))")
      }
    },
    MPDCommand("plchanges", 1...2) { session, arguments, reply in
      let queue = try await session.queue()
      try await session.add(try changes(arguments, in: queue), of: queue, &reply)
    },
    MPDCommand("plchangesposid", 1...2) { session, arguments, reply in
      let queue = try await session.queue()
      for position in try changes(arguments, in: queue) {
        reply.add("cpos", position)
        reply.add("Id", queue.ids[position])
      }
    },
    MPDCommand("playlistfind", 1...60) { session, arguments, reply in
      try await search(session, arguments, isSearch: false, &reply)
    },
    MPDCommand("playlistsearch", 1...60) { session, arguments, reply in
      try await search(session, arguments, isSearch: true, &reply)
    },
  ]

  private static func shown(_ argument: String?, in queue: NumberedQueue) throws(CommandError) -> Range<Int> {
    guard let argument else { return queue.items.indices }
    let range = try argument.positions()
    guard !range.isSingle || argument.contains(":") || range.start < queue.items.count else {
      throw CommandError.badIndex
    }
    return range.within(queue.items.count)
  }

  private static func changes(_ arguments: [String], in queue: NumberedQueue) throws(CommandError) -> [Int] {
    let changes = queue.changes(after: try arguments[0].unsigned())
    guard arguments.count == 2 else { return changes }
    let range = try arguments[1].positions().within(queue.items.count)
    return changes.filter(range.contains)
  }

  private static func search(
    _ session: Session, _ arguments: [String], isSearch: Bool, _ reply: inout Reply
  ) async throws {
    let search = try SearchArguments(arguments, isSearch: isSearch)
    let matcher = search.filter.prepared(folds: isSearch)
    let queue = try await session.queue()
    let index = await session.household.catalogue.known()
    let found = queue.items.indices.filter { position in
      let track = queue.items[position].track
      return matcher.matches(Song(track, path: index[track.id]?.path ?? track.id.description))
    }
    let range = search.window?.within(found.count) ?? found.indices
    try await session.add(found[range], of: queue, &reply)
  }
}
