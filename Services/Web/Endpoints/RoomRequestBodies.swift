import Messages
import Model

// The bodies of requests about rooms. Each is converted to a request to the room or the router, and throws
// `web.badBody` for an unknown action, and for a value that is missing or out of range.

/// The body of `POST /api/v1/play`.
struct PlayRequestBody: Decodable {
  var ids: [PlayableID]?
  /// Tracks by their descriptions, after those of `ids`.
  var described: [DescribedTrackBody]?
  var room: RoomName?
  /// The place in the queue: now, next or later.
  var mode: Playback.LoadMode?
  var startAt: Int?
  var shuffle: Bool?
  /// The unit that a shuffle mixes: `tracks` or `albums`.
  var order: Playback.Order?
  /// The list of albums that plays after the last item.
  var continues: List?
  /// True to end after the last item, and keep the list only for the switch of the queue.
  var endsAfter: Bool?

  /// A list of albums: the result of `GET /api/v1/albums` with these parameters, or the albums with these ids.
  struct List: Decodable {
    var sort: Library.Sort?
    /// True for the opposite order.
    var reversed: Bool?
    var seed: Int64?
    var tag: Library.Tag?
    var tags: [Library.Tag]?
    var artist: ArtistID?
    var collection: CollectionID?
    var albums: [AlbumID]?
    /// A wall or feed, as `GET /api/v1/wall` names it.
    var wall: Discovery.WallName?

    fileprivate var list: Library.AlbumList {
      Library.AlbumList(
        sort: sort ?? .name, seed: seed, tag: tag, tags: tags, isReversed: reversed, artist: artist,
        collection: collection, albums: albums.map { Array($0.prefix(200)) }, wall: wall)
    }
  }

  /// Returns the request to the router; `seed` returns the seed of a shuffled order.
  func intent(seed: () -> UInt64) throws -> Router.Play {
    let ids = ids ?? []
    guard !ids.isEmpty || described?.isEmpty == false else {
      throw LunaraError("web.badBody", "ids is empty. Name at least one album or track, or describe one.")
    }
    guard ids.count <= 500 else { throw LunaraError("web.badBody", "ids may hold at most 500.") }
    guard shuffle != true || order != .queued else {
      throw LunaraError("web.badBody", "order is queued, which a shuffle cannot be. It must be tracks or albums.")
    }
    guard startAt ?? 0 >= 0 else { throw LunaraError("web.badBody", "startAt counts from 0.") }
    let shuffle = shuffle ?? false
    return Router.Play(
      ids: ids, described: described?.map(\.track), room: room, mode: mode ?? .now, startAt: startAt ?? 0,
      shuffle: shuffle, seed: shuffle ? seed() : nil,
      continues: continues?.list, endsAfter: endsAfter, order: shuffle ? order ?? .tracks : nil)
  }
}

/// A track by its description, in the body of a request.
struct DescribedTrackBody: Decodable {
  var title: String
  var artist: String?
  var album: String?
  var durationSeconds: Double?
  var isrc: String?
  var recordingID: String?
  /// The https address of its cover; another address is left out.
  var cover: String?
  var choice: ChoiceBody?

  /// The source that a person chose.
  struct ChoiceBody: Decodable {
    var plugin: String?
    var preview: Bool?
  }

  var track: DescribedTrack {
    let cover = cover.flatMap { $0.hasPrefix("https://") && $0.utf8.count <= 2000 ? $0 : nil }
    let duration = durationSeconds.map { Milliseconds(Int64(max(0, min($0, 1e6)) * 1000)) }
    return DescribedTrack(
      title: title, artist: artist ?? "", album: album, duration: duration, isrc: isrc, recordingID: recordingID,
      cover: cover,
      choice: choice.map { ChosenSource(plugin: $0.plugin, isPreview: $0.preview == true ? true : nil) })
  }
}

/// The body of `POST /api/v1/rooms/{room}/transport`.
struct TransportRequestBody: Decodable {
  var action: String
  var seconds: Double?
  var percent: Int?
  var index: Int?
  var on: Bool?
  var mode: Playback.Repeat?
  /// The entry of the queue for a jump or a seek. It is found at any index; if it is gone, nothing happens.
  var entry: EntryID?

  func command() throws -> Playback.Transport.Action {
    func required<Value>(_ value: Value?, _ what: String, _ isRight: (Value) -> Bool = { _ in true }) throws -> Value {
      guard let value, isRight(value) else { throw LunaraError("web.badBody", "\(action) needs \(what).") }
      return value
    }
    func time(in range: ClosedRange<Double>, _ what: String) throws -> Milliseconds {
      Milliseconds(seconds: try required(seconds, what, range.contains))
    }
    return switch action {
    case "resume": .resume
    case "pause": .pause
    case "toggle": .toggle
    case "next": .next
    case "previous": .previous
    case "stop": .stop
    case "seek": .seek(to: try time(in: 0...1e7, "seconds from 0"), of: entry)
    case "skip": .skip(by: try time(in: -1e7...1e7, "seconds, negative to go back"))
    case "volume": .volume(try required(percent, "percent from 0 to 100", (0...100).contains))
    case "jump": .jump(to: try required(index, "index from 0") { $0 >= 0 }, of: entry)
    case "mute": .mute(try required(on, "on, true or false"))
    case "stop-after-current": .stopAfterCurrent(try required(on, "on, true or false"))
    case "stop-after-album": .stopAfterAlbum(try required(on, "on, true or false"))
    case "repeat": .repeats(try required(mode, "mode: off, one or all"))
    case "sleep" where seconds == nil: .sleep(after: nil)
    case "sleep": .sleep(after: try time(in: 1...86_400, "seconds from 1 to 86400, or none to end the timer"))
    default:
      throw LunaraError(
        "web.badBody",
        """
        There is no action \(action). There are resume, pause, toggle, next, previous, stop, seek, skip, volume, jump, \
        mute, repeat, stop-after-current, stop-after-album, sleep.
        """)
    }
  }
}

/// The body of `POST /api/v1/rooms/{room}/queue`.
struct QueueRequestBody: Decodable {
  var action: String
  var index: Int?
  var to: Int?
  var entry: EntryID?
  var items: [Playback.EditQueue.IndexRange]?
  var revision: Int64?
  var order: Playback.Order?
  var on: Bool?

  /// Returns the change; `seed` returns the seed of a shuffled order.
  func edit(seed: () -> UInt64) throws -> Playback.EditQueue.Edit {
    func place(_ value: Int?, _ name: String) throws -> Int {
      guard let value, value >= 0 else { throw LunaraError("web.badBody", "\(action) needs \(name) from 0.") }
      return value
    }
    switch action {
    case "clear": return .clear
    case "restore": return .restore
    case "remove": return .remove(at: try place(index, "index"), of: entry)
    case "remove-all":
      guard let items, let revision else {
        throw LunaraError("web.badBody", "remove-all needs items, a list of from and to, and the queue's revision.")
      }
      return .removeAll(at: items, revision: revision)
    case "move": return .move(from: try place(index, "index"), to: try place(to, "to"), of: entry)
    case "order":
      guard let order else {
        throw LunaraError("web.badBody", "order needs order: queued, tracks or albums.")
      }
      return .order(order, seed: order == .queued ? 0 : seed())
    case "continue":
      guard let on else { throw LunaraError("web.badBody", "continue needs on, true or false.") }
      return .continues(on)
    default:
      throw LunaraError(
        "web.badBody",
        "There is no action \(action). There are clear, remove, remove-all, move, order, restore, continue.")
    }
  }
}

/// The body of `PATCH /api/v1/rooms/{room}/output`.
struct OutputRequestBody: Decodable {
  private var device: String?
  private var levels: Playback.Levelling?
  private var preamp: Double?
  private var startVolume: Int?
  private var maxVolume: Int?
  private var resumesAfterCrash: Bool?
  private var resumesLongTracks: Bool?

  /// Returns the change that the text of a body asks for. A `startVolume` of null is the last volume, and a missing one
  /// changes nothing.
  static func change(_ text: [UInt8]) throws -> Playback.SetOutput {
    let body = try decodeBody(text)
    guard (-15...15).contains(body.preamp ?? 0) else {
      throw LunaraError("web.badBody", "preamp goes from -15 to 15 dB.")
    }
    guard (1...100).contains(body.maxVolume ?? 1) else {
      throw LunaraError("web.badBody", "maxVolume goes from 1 to 100.")
    }
    guard (0...100).contains(body.startVolume ?? 0) else {
      throw LunaraError("web.badBody", "startVolume goes from 0 to 100, or is null for the last one.")
    }
    let isLast = try body.startVolume == nil && JSONInput(text).has("startVolume")
    return Playback.SetOutput(
      device: body.device, levelling: body.levels, preamp: body.preamp, startVolume: isLast ? -1 : body.startVolume,
      maximumVolume: body.maxVolume, resumesAfterCrash: body.resumesAfterCrash,
      resumesLongTracks: body.resumesLongTracks)
  }
}
