import Bus
import Messages
import Model
import System

/// The items that an intent puts into a queue. They depend only on the intent, its id and the tracks, so that a
/// repeated intent gives the same items with the same ids.
struct PlayPlan {
  /// The largest number of tracks that an intent may load: as many as a queue can hold.
  static let trackLimit = 250_000
  /// The largest number of tracks that are shuffled here, as all of them must be in memory.
  static let shuffleLimit = 50_000
  /// The id that means all albums of the library.
  static let everything = PlayableID(source: "library", native: "all")

  let intent: Router.Play
  let context: RequestContext
  /// The number of items so far.
  private(set) var count = 0
  /// The album of the last item.
  private var album: AlbumID?

  init(_ intent: Router.Play, asked context: RequestContext) {
    self.intent = intent
    self.context = context
  }

  /// True if the router shuffles the items. Items that replace a queue are shuffled by the room, which can undo that;
  /// items that are added to a queue are shuffled here, before they are sent.
  var isShuffledHere: Bool { intent.shuffle && intent.mode != .now }

  /// Returns the item for the next track.
  ///
  /// - Parameters:
  ///   - found: the track.
  ///   - place: the id of the intent that led to the track; nil for a description.
  /// - Throws: `router.tooMany`.
  mutating func item(_ found: Library.PlayableTrack, of place: PlayableID?) throws -> QueueItem {
    try check(total: count + 1)
    defer { count += 1 }
    if let place, intent.continues?.wall != nil {
      // A wall knows the albums by the ids that it has shown.
      album = AlbumID(source: place.source, native: place.native)
    } else if found.described == nil {
      album = found.track.albumID
    }
    return QueueItem(
      entry: EntryID(rawValue: "\(context.id)-\(count)"), track: found.track, path: found.path, host: found.host,
      origin: QueueItem.Origin(node: context.from.description, place: place?.description),
      segment: found.segment, described: found.described)
  }

  /// Checks that an intent may load `total` tracks. Throws `router.tooMany`.
  func check(total: Int) throws {
    let limit = isShuffledHere ? Self.shuffleLimit : Self.trackLimit
    guard total <= limit else {
      throw LunaraError("router.tooMany", "More than \(limit) tracks cannot be loaded at once. Choose fewer.")
    }
  }

  /// Checks the descriptions of an intent. Throws `router.tooMany`, `router.badDescription`.
  func check(described: [DescribedTrack]) throws {
    guard described.count <= Router.Play.describedLimit else {
      throw LunaraError(
        "router.tooMany",
        "More than \(Router.Play.describedLimit) described tracks cannot be loaded at once. Choose fewer.")
    }
    guard described.allSatisfy({ !$0.title.isEmpty && !$0.artist.isEmpty }) else {
      throw LunaraError("router.badDescription", "A described track needs a title and an artist.")
    }
  }

  /// Checks the list with which the queue is to continue. The order by plays changes with each album that is played, so
  /// a queue would pass some over and repeat others. Throws `router.badContinuation`.
  func check(continues list: Library.AlbumList?) throws {
    guard let list, intent.mode == .now, list.sort == .plays else { return }
    guard list.artist != nil || list.collection != nil || list.albums != nil || list.wall != nil else {
      throw LunaraError(
        "router.badContinuation",
        "A queue cannot continue in the order by plays, as it changes while the queue plays. Choose another order.")
    }
  }

  /// Checks that there is a track to play, and that the track to start with exists. Throws `router.nothingToPlay`,
  /// `router.startOutOfRange`.
  func check() throws {
    guard count > 0 else {
      let what = intent.ids.count == 1 ? intent.ids[0].description : "\(intent.ids.count) things"
      throw LunaraError("router.nothingToPlay", "There is no track to play in \(what).")
    }
    guard (0..<count).contains(start) else {
      throw LunaraError(
        "router.startOutOfRange", "The track to start with does not exist. Choose one from 1 to \(count).")
    }
  }

  /// Returns one part of the load; the last part contains the continuation.
  func part(_ index: Int, _ items: [QueueItem], isLast: Bool) -> Playback.Load {
    Playback.Load(
      load: context.id.text, part: index, isLast: isLast, mode: intent.mode, items: items,
      startAt: start, continuation: isLast ? continuation : nil,
      order: isShuffledByRoom ? intent.order ?? .tracks : nil,
      seed: isShuffledByRoom ? seed : nil)
  }

  /// Returns the items in random order, if the router shuffles them; if albums are shuffled, the tracks of an album
  /// stay in their order.
  func shuffled(_ items: [QueueItem]) -> [QueueItem] {
    guard isShuffledHere else { return items }
    var generator = SplitMix64(state: seed)
    guard intent.order == .albums else { return items.shuffled(using: &generator) }
    var albums: [[QueueItem]] = []
    for item in items {
      if albums.last?.last?.track.albumID == item.track.albumID {
        albums[albums.count - 1].append(item)
      } else {
        albums.append([item])
      }
    }
    return albums.shuffled(using: &generator).flatMap(\.self)
  }

  private var isShuffledByRoom: Bool { intent.shuffle && intent.mode == .now }

  private var start: Int { intent.mode == .now ? intent.startAt : 0 }

  private var seed: UInt64 { intent.seed ?? FNV1a.hash(context.id.text) }

  /// The list with which the queue continues. If its order is random and has no seed, it gets one.
  private var continuation: Playback.Continuation? {
    guard intent.mode == .now, var list = intent.continues, let album else { return nil }
    if list.sort == .random { list.seed = list.seed ?? Int64(truncatingIfNeeded: seed) }
    return Playback.Continuation(list: list, after: album, isOff: intent.endsAfter == true ? true : nil)
  }
}
