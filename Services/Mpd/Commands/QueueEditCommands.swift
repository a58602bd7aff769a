import Bus
import Client
import Messages
import Model

/// Commands that change the queue.
enum QueueEditCommands {
  static let all: [MPDCommand] = [
    MPDCommand("add", 1...2) { session, arguments, _ in
      let position = try position(arguments)
      let songs = try await songs(session, at: arguments[0])
      try await session.enqueue(songs.map(\.id.playable), at: position)
    },
    MPDCommand("addid", 1...2) { session, arguments, reply in
      let position = try position(arguments)
      let index = try await session.household.catalogue.index()
      try refuse(address: arguments[0])
      guard let song = index.song(at: arguments[0]) else { throw CommandError.noSuchSong }
      let new = try await session.enqueue([song.id.playable], at: position, findsNew: true)
      guard let id = new.first else { throw CommandError(.system, "The song was not added") }
      reply.add("Id", id)
    },
    MPDCommand("clear") { session, _, _ in try await session.edit(.clear) },
    MPDCommand("delete", 1...1) { session, arguments, _ in
      let queue = try await session.queue()
      let range = try arguments[0].positions()
      guard range.start < queue.items.count else { throw CommandError.badIndex }
      try await remove(try range.checked(queue.items.count), of: queue, session)
    },
    MPDCommand("deleteid", 1...1) { session, arguments, _ in
      let queue = try await session.queue()
      let index = try queue.index(id: try arguments[0].unsigned())
      try await remove(index..<index + 1, of: queue, session)
    },
    MPDCommand("move", 2...2) { session, arguments, _ in
      let queue = try await session.queue()
      let range = try arguments[0].positions()
      guard range.start < queue.items.count else { throw CommandError.badIndex }
      let positions = try range.checked(queue.items.count)
      try await session.move(positions, of: queue, to: try QueuePosition(arguments[1]))
    },
    MPDCommand("moveid", 2...2) { session, arguments, _ in
      let queue = try await session.queue()
      let index = try queue.index(id: try arguments[0].unsigned())
      try await session.move(index..<index + 1, of: queue, to: try QueuePosition(arguments[1]))
    },
    MPDCommand("swap", 2...2) { session, arguments, _ in
      let queue = try await session.queue()
      let first = try arguments[0].unsigned()
      let second = try arguments[1].unsigned()
      guard queue.items.indices.contains(first), queue.items.indices.contains(second) else {
        throw CommandError.badIndex
      }
      try await swap(first, second, of: queue, session)
    },
    MPDCommand("swapid", 2...2) { session, arguments, _ in
      let queue = try await session.queue()
      let first = try queue.index(id: try arguments[0].unsigned())
      let second = try queue.index(id: try arguments[1].unsigned())
      try await swap(first, second, of: queue, session)
    },
    MPDCommand("shuffle", 0...1) { session, arguments, _ in
      guard arguments.isEmpty else { throw CommandError(.argument, "Lunara shuffles the whole queue only") }
      try await session.edit(.order(.tracks, seed: .random(in: 0 ... .max)))
    },
    MPDCommand("prio", 2...60) { _, arguments, _ in try refuse(priority: arguments[0]) },
    MPDCommand("prioid", 2...60) { _, arguments, _ in try refuse(priority: arguments[0]) },
  ]

  private static func position(_ arguments: [String]) throws(CommandError) -> QueuePosition? {
    arguments.count > 1 ? try QueuePosition(arguments[1]) : nil
  }

  /// Returns the songs of a path: one song, or all of a folder.
  private static func songs(_ session: Session, at path: String) async throws -> ArraySlice<Song> {
    try refuse(address: path)
    return try await session.household.catalogue.index().songs(at: path)
  }

  private static func refuse(address: String) throws(CommandError) {
    guard !address.contains("://") else {
      throw CommandError(.noExist, "Lunara plays music of its library only, and no addresses")
    }
  }

  private static func refuse(priority: String) throws(CommandError) {
    guard try priority.unsigned() == 0 else {
      throw CommandError(.argument, "Lunara has no priorities. Move the song instead.")
    }
  }

  private static func remove(_ range: Range<Int>, of queue: NumberedQueue, _ session: Session) async throws {
    if range.count == queue.items.count, !range.isEmpty { return try await session.edit(.clear) }
    guard let first = range.first, let last = range.last else { return }
    if first == last { return try await session.edit(.remove(at: first, of: queue.items[first].entry)) }
    try await session.edit(.removeAll(at: [.init(from: first, to: last)], revision: queue.revision))
  }

  private static func swap(_ one: Int, _ other: Int, of queue: NumberedQueue, _ session: Session) async throws {
    guard one != other else { return }
    let first = min(one, other)
    let second = max(one, other)
    try await session.edit(.move(from: second, to: first, of: queue.items[second].entry))
    try await session.edit(.move(from: first + 1, to: second, of: queue.items[first].entry))
  }
}

extension Session {
  /// The most ids of one request to the library.
  static let idLimit = 2000

  /// Adds items to the end of the queue, or at a position.
  ///
  /// - Parameters:
  ///   - ids: the items.
  ///   - position: the position; nil for the end.
  ///   - findsNew: true to return the numbers of the new entries.
  /// - Returns: the numbers of the new entries; empty unless they were asked for.
  @discardableResult
  func enqueue(
    _ ids: [PlayableID], at position: QueuePosition? = nil, findsNew: Bool = false
  ) async throws -> [Int] {
    guard !ids.isEmpty else { return [] }
    let room = try room()
    let needsNew = findsNew || position != nil
    let before = needsNew ? try await queue() : nil
    let place = try before.flatMap { queue in
      try position?.index(count: queue.items.count, current: queue.current)
    }
    var rest = ids[...]
    while !rest.isEmpty {
      let request = Router.Play(ids: Array(rest.prefix(Self.idLimit)), room: room, mode: .later)
      _ = try await household.client.ask(request, of: .router)
      rest = rest.dropFirst(Self.idLimit)
    }
    guard let before else { return [] }
    let after = try await queue()
    let old = Set(before.ids)
    let added = after.ids.indices.filter { !old.contains(after.ids[$0]) }
    if let place, let first = added.first, let last = added.last, place != first {
      try await move(first..<last + 1, of: after, to: .absolute(place))
    }
    return added.map { after.ids[$0] }
  }

  /// Moves entries that stand one behind the other.
  ///
  /// - Parameters:
  ///   - range: the entries.
  ///   - queue: the queue in which they stand.
  ///   - position: the position of the first of them afterwards.
  func move(_ range: Range<Int>, of queue: NumberedQueue, to position: QueuePosition) async throws {
    var current = queue.current
    if case .absolute = position {
    } else if let playing = current {
      guard !range.contains(playing) else {
        throw CommandError(.argument, "Cannot move current song relative to itself")
      }
      // The place is counted without the songs that move.
      if range.upperBound <= playing { current = playing - range.count }
    }
    let target = try position.index(count: queue.items.count - range.count, current: current)
    let entries = queue.items[range].map(\.entry)
    if target < range.lowerBound {
      for (offset, entry) in entries.enumerated() {
        try await edit(.move(from: range.lowerBound + offset, to: target + offset, of: entry))
      }
    } else if target > range.lowerBound {
      for entry in entries {
        try await edit(.move(from: range.lowerBound, to: target + entries.count - 1, of: entry))
      }
    }
  }
}
