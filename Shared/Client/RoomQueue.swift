import Bus
public import Messages
public import Model

/// A room's queue, or a part of it.
public struct RoomQueue: Sendable, Equatable {
  /// The room.
  public var room: RoomName
  /// The revision, which grows with every change of the queue.
  public var revision: Int64
  /// The number of items in the whole queue.
  public var count: Int
  /// The index of `items[0]` in the whole queue, from 0.
  public var first: Int
  /// The index of the current item in the whole queue; nil if no item is current.
  public var current: Int?
  /// The index at which the room starts if nothing is current; nil while an item is current, and if nothing is left to
  /// play.
  public var nextIndex: Int?
  /// The items.
  public var items: [QueueItem]
  /// The list of albums in which the queue continues, or would if a person switched that on; nil if it has none.
  public var continuation: Library.AlbumList?
  /// True if further albums follow after the last item.
  public var continues: Bool
  /// The position in the current item; nil in an event, as it may be read much later.
  public var position: Milliseconds?
  /// The modes of the room; nil if not known.
  public var modes: Playback.Modes?

  public init(
    _ state: Playback.QueueState, of room: RoomName, position: Milliseconds? = nil, modes: Playback.Modes? = nil
  ) {
    self.room = room
    revision = state.revision
    count = state.count
    first = state.first
    current = state.current
    nextIndex = state.nextIndex
    items = state.items
    continuation = state.continuation?.list
    continues = state.continuation.map { $0.isOff != true } ?? false
    self.position = position
    self.modes = modes
  }

  /// Returns the part of this queue from the current item on, with at most `limit` items; all of it if that is nil.
  public func limited(to limit: Int?) -> RoomQueue {
    guard let limit else { return self }
    var part = self
    part.first = max(first, current ?? first)
    part.items = Array(items.dropFirst(part.first - first).prefix(limit))
    return part
  }

  /// The items after the current one, as far as this part of the queue contains them.
  public var coming: ArraySlice<QueueItem> { current.map { items.dropFirst(max(0, $0 + 1 - first)) } ?? [] }
}

extension Client {
  /// Returns a room's whole queue, read page by page until all pages are of one revision.
  ///
  /// - Throws: `client.queueKeepsChanging`, and the errors of `ask(_:in:)`.
  public func queue(of room: RoomName) async throws -> RoomQueue {
    for _ in 0..<5 {
      var page = try await ask(Playback.ReadQueue(), in: room)
      var whole = page
      while whole.items.count < page.count, !page.items.isEmpty, page.revision == whole.revision {
        page = try await ask(Playback.ReadQueue(first: whole.items.count), in: room)
        whole.items += page.items
      }
      // The queue was changed meanwhile: the pages do not belong together, or some items are missing.
      guard page.revision == whole.revision, whole.items.count == page.count else { continue }
      let state = try await state(Playback.RoomState.self, of: .playback(room))
      return RoomQueue(
        whole, of: room, position: state.map { RoomStatus($0).position } ?? .zero, modes: state?.value.modes)
    }
    throw LunaraError("client.queueKeepsChanging", "The queue of \(room) keeps changing while it is read. Try again.")
  }
}
