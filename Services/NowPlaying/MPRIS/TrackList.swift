import Messages
import Model

/// The tracks around the current one, as MPRIS recommends it for long lists: a part of the room's queue.
struct TrackList: Equatable, Sendable {
  /// The index of the first one in the queue.
  var first = 0
  var items: [QueueItem] = []
  /// What is known of some of them beyond that.
  var extras: [EntryID: MPRISMetadata.Extras] = [:]
  /// This host's id.
  var host: String?
  /// The revision of the queue.
  private var revision: Int64?
  private var count = 0

  /// How many tracks there are after the current one before a list is looked for that reaches further.
  static let margin = 5

  /// Their paths, in order.
  var paths: [String] { items.map { TrackPath.of($0.entry) } }

  /// Where a track is in the queue.
  func index(of path: String) -> (Int, EntryID)? {
    items.firstIndex { TrackPath.of($0.entry) == path }.map { (first + $0, items[$0].entry) }
  }

  /// What is told of a track.
  func metadata(of item: QueueItem) -> [DBusEntry] {
    MPRISMetadata.fields(of: item, length: item.track.duration, extras: extras[item.entry] ?? MPRISMetadata.Extras(host: host))
  }

  /// Takes a state of the queue. While the queue itself stays as it is the list does too, so that it does not change with
  /// every track, until the current one comes near its end.
  mutating func update(_ queue: Playback.QueueState) {
    defer { (revision, count) = (queue.revision, queue.count) }
    if revision == queue.revision, count == queue.count, let current = queue.current {
      let last = first + items.count
      if current >= first, current < last, last == count || current + Self.margin < last { return }
    }
    (first, items) = (queue.first, queue.items)
  }
}

/// What is told of a track list that changed (the signals of `org.mpris.MediaPlayer2.TrackList`).
enum TrackListChange: Equatable, Sendable {
  case replaced
  /// A track came, after another one or first.
  case added(QueueItem, after: String)
  case removed(String)

  /// The most tracks that are told of one by one.
  static let limit = 4

  /// What leads from one list to another.
  static func between(_ old: TrackList, _ new: TrackList) -> [TrackListChange] {
    let (before, after) = (old.paths, new.paths)
    guard before != after else { return [] }
    let (had, has) = (Set(before), Set(after))
    let removed = before.filter { !has.contains($0) }
    let added = after.indices.filter { !had.contains(after[$0]) }
    let hasOrder = before.filter(has.contains) == after.filter(had.contains)
    guard hasOrder, removed.count + added.count <= limit else { return [.replaced] }
    return removed.map { .removed($0) }
      + added.map { .added(new.items[$0], after: $0 == 0 ? TrackPath.none : after[$0 - 1]) }
  }
}

/// Decides when a track list that changed is told of: several changes in a row together. Pure; times in microseconds of a
/// monotonic clock.
struct TrackListChangeTiming {
  /// What was told last.
  private(set) var told: TrackList
  private var wanted: TrackList
  private var waitsSince: Int64?

  /// Begins with what whoever sees the player appear reads by itself.
  init(_ list: TrackList) { (told, wanted) = (list, list) }

  /// Takes how the list looks now.
  mutating func update(_ list: TrackList, at now: Int64) {
    wanted = list
    let isTold = list.items.elementsEqual(told.items) { $0.entry == $1.entry }
    waitsSince = isTold ? nil : waitsSince ?? now
  }

  /// When something is to be told; nil for never.
  var due: Int64? { waitsSince.map { $0 + PropertyChangeTiming.gathering } }

  /// What is to be told now, once.
  mutating func popDue(at now: Int64) -> [TrackListChange] {
    guard let due, due <= now else { return [] }
    defer {
      told = wanted
      waitsSince = nil
    }
    return TrackListChange.between(told, wanted)
  }
}
