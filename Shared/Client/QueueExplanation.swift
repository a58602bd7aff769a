import Bus
public import Messages
public import Model

/// The sources of the queue of a room, the part of it that is on the room's disk, and its end.
public struct QueueExplanation: Sendable, Equatable {
  /// Something that was queued, such as an album, by which items follow each other in the queue.
  public struct Origin: Sendable, Equatable {
    /// Its id; nil for tracks that were queued by their names.
    public var id: PlayableID?
    /// Its title; nil if it is not known.
    public var title: String?
    /// The number of its items from the current one on.
    public var tracks: Int
    /// True if the queue continued with it by itself.
    public var isContinued: Bool
  }

  /// An item from the current one on, and the place of its audio.
  public struct Coming: Sendable, Equatable {
    /// The item.
    public var item: QueueItem
    /// Its place in the queue, from 1.
    public var place: Int
    /// The place of its audio; nil if the room did not say.
    public var audio: Playback.AudioPlace?
  }

  /// The albums that follow after the last item.
  public struct Continuation: Sendable, Equatable {
    /// The list of albums in which the queue continues.
    public var list: Library.AlbumList
    /// The list in words, such as “all albums by artist and title”.
    public var words: String
    /// False if the queue ends before them until a person lets it continue.
    public var isOn: Bool
    /// The number of albums that are appended at once.
    public var batch: Int
    /// The titles of the next albums; nil if they are not known, as those of a wall.
    public var titles: [String]?
    /// The time until they are appended; nil if they will not be, or if it is not known.
    public var startsIn: Milliseconds?
  }

  /// The room.
  public var room: RoomName
  /// The revision of the queue.
  public var revision: Int64
  /// The things that were queued, in the order of the queue, from that of the current item on.
  public var origins: [Origin]
  /// The items from the current one on, at most 100.
  public var coming: [Coming]
  /// The number of items after the current one.
  public var tracksLeft: Int
  /// The albums that follow; nil if the queue has no list.
  public var continuation: Continuation?
  /// The time until the last item ends if the room plays on; nil if that is not known, or if the queue repeats.
  public var endsIn: Milliseconds?
  /// True while the room plays.
  public var isPlaying: Bool
  /// The modes of the room; nil if not known.
  public var modes: Playback.Modes?

  /// The most items of which the time is added up.
  static let limit = 3000
  /// The most items whose audio is looked for.
  static let near = 100

  /// Explains a queue.
  ///
  /// - Parameters:
  ///   - queue: its items from the current one on, or as many of them as were read.
  ///   - status: the state of the room; nil if it is not known.
  init(_ queue: Playback.QueueState, of room: RoomName, status: RoomStatus?) {
    self.room = room
    revision = queue.revision
    modes = status?.modes
    isPlaying = status?.isPlaying ?? false
    tracksLeft = max(0, queue.count - queue.first - (queue.current == nil ? 0 : 1))
    origins = Self.origins(of: queue.items)
    coming = queue.items.prefix(Self.near).enumerated().map { index, item in
      let places = queue.audio ?? []
      return Coming(
        item: item, place: queue.first + index + 1, audio: places.indices.contains(index) ? places[index] : nil)
    }
    let starts = Self.starts(of: queue, position: queue.current == nil ? .zero : status?.position ?? .zero)
    let repeats = modes?.repeats ?? .off
    let isRead = queue.first + queue.items.count >= queue.count
    endsIn = repeats == .off && isRead ? starts?.last : nil
    continuation = queue.continuation.map { continuation in
      let isOn = continuation.isOff != true
      return Continuation(
        list: continuation.list, words: continuation.list.words(), isOn: isOn, batch: continuation.batch,
        startsIn: isOn && repeats == .off && isRead ? Self.startOfLastAlbum(queue, starts, modes) : nil)
    }
  }

  /// Returns the things that were queued, each with the number of its items that follow each other.
  private static func origins(of items: [QueueItem]) -> [Origin] {
    var origins: [Origin] = []
    var place: String?
    for item in items {
      let isContinued = item.origin.isContinued ?? false
      if let last = origins.last, place == item.origin.place, last.isContinued == isContinued {
        origins[origins.count - 1].tracks += 1
        continue
      }
      place = item.origin.place
      let id = place.flatMap { PlayableID($0) }
      var title: String?
      if id == item.track.albumID.playable { title = item.track.album }
      if id == item.track.id.playable { title = item.track.title }
      origins.append(Origin(id: id, title: title, tracks: 1, isContinued: isContinued))
    }
    return origins
  }

  /// Returns the times until each item starts, and until the last one ends; nil if the length of one is not known.
  private static func starts(of queue: Playback.QueueState, position: Milliseconds) -> [Milliseconds]? {
    var starts = [Milliseconds.zero]
    for (index, item) in queue.items.enumerated() {
      guard item.track.duration > .zero else { return nil }
      let left = index == 0 ? max(.zero, item.track.duration - position) : item.track.duration
      starts.append((starts.last ?? .zero) + left)
    }
    return starts
  }

  /// Returns the time until the next albums are appended: when the album that was queued last begins, or in a shuffled
  /// queue the last item.
  private static func startOfLastAlbum(
    _ queue: Playback.QueueState, _ starts: [Milliseconds]?, _ modes: Playback.Modes?
  ) -> Milliseconds? {
    if queue.wantsMore == true { return .zero }
    guard let starts, let last = queue.items.last else { return nil }
    guard modes?.order ?? .queued == .queued else { return starts[queue.items.count - 1] }
    return queue.items.firstIndex { $0.track.albumID == last.track.albumID }.map { starts[$0] }
  }
}

extension Library.AlbumList {
  /// Returns the list in words, with the title of its artist or collection if that is known.
  func words(_ title: String? = nil) -> String {
    if let wall { return wall.genre.map { "the feed of \($0)" } ?? "the wall" }
    if artist != nil { return "the albums of \(title ?? "this artist")" }
    if collection != nil { return title.map { "the collection \($0)" } ?? "the collection" }
    if albums != nil { return "the list that the album was played from" }
    let tags = ([tag].compactMap(\.self) + (tags ?? [])).map(\.name)
    let what = tags.isEmpty ? "all albums" : "the albums with \(tags.joined(separator: ", "))"
    return "\(what) \(sort.words)\(isReversed == true ? ", reversed" : "")"
  }
}

extension Library.Sort {
  /// The order in words.
  fileprivate var words: String {
    switch self {
    case .name: "by artist and title"
    case .title: "by title"
    case .added: "by the date they were added"
    case .year: "by year"
    case .played: "by last play"
    case .rating: "by rating"
    case .plays: "by plays"
    case .random: "at random"
    }
  }
}

extension Client {
  /// Returns the sources of a room's queue, the part of it that is on the room's disk, and its end. Titles that the
  /// library does not answer are left out.
  ///
  /// - Throws: `client.queueKeepsChanging`, and the errors of `ask(_:in:)`.
  public func explanation(ofQueueIn room: RoomName) async throws -> QueueExplanation {
    let queue = try await comingItems(in: room)
    let state = try await state(Playback.RoomState.self, of: .playback(room))
    var explanation = QueueExplanation(queue, of: room, status: state.map { RoomStatus($0) })
    for index in explanation.origins.indices.prefix(10) where explanation.origins[index].title == nil {
      guard let id = explanation.origins[index].id else { continue }
      explanation.origins[index].title = await title(of: id)
    }
    if let continuation = queue.continuation {
      let id = continuation.list.artist?.playable ?? continuation.list.collection?.playable
      if let id { explanation.continuation?.words = continuation.list.words(await title(of: id)) }
      explanation.continuation?.titles = await nextTitles(continuation)
    }
    return explanation
  }

  /// Reads a queue from its current item on, with the places of the audio of the next items.
  private func comingItems(in room: RoomName) async throws -> Playback.QueueState {
    for _ in 0..<5 {
      let head = try await ask(Playback.ReadQueue(first: 0, limit: 0), in: room)
      let first = head.current ?? head.nextIndex ?? head.count
      var page = try await ask(
        Playback.ReadQueue(first: first, limit: QueueExplanation.near, wantsAudio: true), in: room)
      guard page.revision == head.revision, page.current == head.current else { continue }
      var whole = page
      while first + whole.items.count < page.count, !page.items.isEmpty, page.revision == whole.revision,
        whole.items.count < QueueExplanation.limit
      {
        page = try await ask(Playback.ReadQueue(first: first + whole.items.count), in: room)
        whole.items += page.items
      }
      if page.revision == whole.revision { return whole }
    }
    throw LunaraError("client.queueKeepsChanging", "The queue of \(room) keeps changing while it is read. Try again.")
  }

  /// Returns the titles of the albums that are appended next; nil if the library does not know them.
  private func nextTitles(_ continuation: Playback.Continuation) async -> [String]? {
    guard continuation.list.wall == nil else { return nil }
    let request = Library.ListNextAlbums(
      list: continuation.list, after: continuation.after, limit: continuation.batch)
    // The explanation is worth reading without them, as while the library is away.
    do { return try await ask(request, of: .library).items.map(\.title) } catch { return nil }
  }

  /// Returns the title of something that can be played; nil if the library does not know it.
  private func title(of id: PlayableID) async -> String? {
    do {
      switch ItemKind(id) {
      case .album:
        return try await ask(Library.ReadAlbum(id: AlbumID(source: id.source, native: id.native)), of: .library)
          .album.title
      case .artist:
        return try await ask(Library.ReadArtist(id: ArtistID(source: id.source, native: id.native)), of: .library)
          .artist.name
      case .collection:
        return try await ask(
          Library.ReadCollection(id: CollectionID(source: id.source, native: id.native)), of: .library
        ).collection.title
      case .playlist:
        return try await ask(Library.ReadPlaylist(id: PlaylistID(source: id.source, native: id.native)), of: .library)
          .playlist.title
      case .track:
        return try await ask(Library.ReadTrack(id: TrackID(source: id.source, native: id.native)), of: .library)
          .track.title
      case .folder: return String(id.native.dropFirst("folder:".count))
      case .work, .theme, nil: return nil
      }
    } catch {
      return nil
    }
  }
}
