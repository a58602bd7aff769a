import Bus
import Messages
import Model

/// What an intent puts into a queue. It follows from the intent, its id and the tracks alone, so that an intent sent
/// again gives the same items under the same ids.
struct PlayPlan {
  /// The most tracks an intent may load: as many as a queue takes.
  static let trackLimit = 250_000
  /// The most tracks that are mixed before they are queued behind others, which takes all of them in memory.
  static let mixedLimit = 50_000
  /// The id that stands for every album there is.
  static let everything = PlayableID(source: "library", native: "all")

  let intent: Router.Play
  let context: RequestContext
  /// How many items there are so far.
  private(set) var count = 0
  /// The album of the last of them.
  private var album: AlbumID?

  init(_ intent: Router.Play, asked context: RequestContext) {
    self.intent = intent
    self.context = context
  }

  /// Whether the items are mixed here. What replaces a queue is mixed by the room, which can undo it; what comes behind
  /// other items has an order of its own.
  var isMixedHere: Bool { intent.shuffle && intent.mode != .now }

  /// The next item.
  ///
  /// - Parameter place: what was asked for that led to the track.
  /// - Throws: `router.tooMany`.
  mutating func item(_ found: Library.PlayableTrack, of place: PlayableID) throws -> QueueItem {
    try check(total: count + 1)
    defer { count += 1 }
    album = found.track.albumID
    return QueueItem(
      entry: EntryID(rawValue: "\(context.id)-\(count)"), track: found.track, path: found.path, host: found.host,
      origin: QueueItem.Origin(node: context.from.description, place: place.description))
  }

  /// Looks whether so many tracks may be loaded.
  ///
  /// - Throws: `router.tooMany`.
  func check(total: Int) throws {
    let limit = isMixedHere ? Self.mixedLimit : Self.trackLimit
    guard total <= limit else {
      throw LunaraError("router.tooMany", "More than \(limit) tracks cannot be loaded at once. Choose fewer.")
    }
  }

  /// Looks whether what was found can be played.
  ///
  /// - Throws: `router.nothingToPlay`, `router.startOutOfRange`.
  func check() throws {
    guard count > 0 else {
      let what = intent.ids.count == 1 ? intent.ids[0].description : "\(intent.ids.count) things"
      throw LunaraError("router.nothingToPlay", "There is no track to play in \(what).")
    }
    guard (0..<count).contains(start) else {
      throw LunaraError(
        "router.startOutOfRange", "The track to start with is none of these. Choose from 1 to \(count).")
    }
  }

  /// One part of the load; the last one says how the queue goes on.
  func part(_ index: Int, _ items: [QueueItem], isLast: Bool) -> Playback.Load {
    Playback.Load(
      load: context.id.text, part: index, isLast: isLast, mode: intent.mode, items: items,
      startAt: start, continuation: isLast ? continuation : nil, order: isMixedByRoom ? intent.order ?? .tracks : nil,
      seed: isMixedByRoom ? seed : nil)
  }

  /// The items mixed, each album in its own order where albums are.
  func mixed(_ items: [QueueItem]) -> [QueueItem] {
    guard isMixedHere else { return items }
    var generator = SplitMix64(state: seed)
    guard intent.order == .albums else { return items.shuffled(using: &generator) }
    return items.chunked { $0.track.albumID == $1.track.albumID }.shuffled(using: &generator).flatMap(\.self)
  }

  private var isMixedByRoom: Bool { intent.shuffle && intent.mode == .now }

  /// The index to start with.
  private var start: Int { intent.mode == .now ? intent.startAt : 0 }

  private var seed: UInt64 { intent.seed ?? SplitMix64.seed(from: context.id.text) }

  /// What the queue goes on with. A random order that was drawn nowhere is drawn here.
  private var continuation: Playback.Continuation? {
    guard intent.mode == .now, var list = intent.continues, let album else { return nil }
    if list.sort == .random { list.seed = list.seed ?? Int64(truncatingIfNeeded: seed) }
    return Playback.Continuation(list: list, after: album)
  }
}

extension Array {
  /// Runs of neighbours that belong together.
  fileprivate func chunked(_ belong: (Element, Element) -> Bool) -> [ArraySlice<Element>] {
    var runs: [ArraySlice<Element>] = []
    var first = startIndex
    for index in indices.dropFirst() where !belong(self[index - 1], self[index]) {
      runs.append(self[first..<index])
      first = index
    }
    return isEmpty ? runs : runs + [self[first...]]
  }
}

/// A small generator of numbers that depend on the seed alone (Steele, Lea and Flood: Fast Splittable Pseudorandom
/// Number Generators, 2014).
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A seed from a text: its 64-bit FNV-1a hash. Swift's own hashes differ from process to process.
  static func seed(from text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
