import Bus
import Messages
import Model

/// What an intent puts into a queue. It follows from the intent, its id and the tracks alone, so that an intent sent
/// again gives the same items under the same ids.
struct PlayPlan: Equatable {
  /// A track and what was asked for that led to it.
  struct Found: Equatable, Sendable {
    var track: Library.PlayableTrack
    var place: PlayableID
  }

  /// The items in the order they play.
  var items: [QueueItem]
  /// The index to start with.
  var startAt: Int

  /// Makes a plan.
  ///
  /// With `shuffle`, a start other than the first keeps its track at the front: it was chosen by a person.
  ///
  /// - Throws: `router.nothingToPlay`, `router.startOutOfRange`.
  init(_ intent: Router.Play, of found: [Found], asked context: RequestContext) throws {
    guard !found.isEmpty else {
      let what = intent.ids.count == 1 ? intent.ids[0].description : "\(intent.ids.count) things"
      throw LunaraError("router.nothingToPlay", "There is no track to play in \(what).")
    }
    let start = intent.mode == .now ? intent.startAt : 0
    guard found.indices.contains(start) else {
      throw LunaraError(
        "router.startOutOfRange", "The track to start with is none of these. Choose from 1 to \(found.count).")
    }
    items = found.enumerated().map { index, found in
      QueueItem(
        entry: EntryID(rawValue: "\(context.id)-\(index)"), track: found.track.track, path: found.track.path,
        host: found.track.host,
        origin: QueueItem.Origin(node: context.from.description, place: found.place.description))
    }
    startAt = start
    guard intent.shuffle else { return }
    var generator = SplitMix64(state: intent.seed ?? SplitMix64.seed(from: context.id.text))
    let first = start > 0 ? [items.remove(at: start)] : []
    items = first + items.shuffled(using: &generator)
    startAt = 0
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
