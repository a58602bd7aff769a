import Messages
import Model

/// The track list of MPRIS: the part of the room's queue around the current track, as MPRIS recommends for long lists.
struct TrackList: Equatable, Sendable {
  /// The index of the first item in the queue.
  var first = 0
  var items: [QueueItem] = []
  /// The covers and details of some items.
  var extras: [EntryID: MPRISMetadata.Extras] = [:]
  /// The id of this host.
  var host: String?
  /// The revision of the queue.
  private var revision: Int64?
  private var count = 0

  /// The least number of tracks after the current one. With fewer the list moves on.
  static let margin = 5

  /// The object paths of the tracks, in order.
  var paths: [String] { items.map { TrackPath.of($0.entry) } }

  /// Returns the index of a track in the queue, and its entry; nil for a track that is not in the list.
  func index(of path: String) -> (Int, EntryID)? {
    items.firstIndex { TrackPath.of($0.entry) == path }.map { (first + $0, items[$0].entry) }
  }

  /// Returns the metadata of a track.
  func metadata(of item: QueueItem) -> [DBusEntry] {
    MPRISMetadata.fields(
      of: item, length: item.track.duration, extras: extras[item.entry] ?? MPRISMetadata.Extras(host: host))
  }

  /// Sets the state of the queue. As long as the queue is unchanged the list stays the same, so that it does not change with
  /// every track, until the current track comes near its end.
  mutating func update(_ queue: Playback.QueueState) {
    defer { (revision, count) = (queue.revision, queue.count) }
    if revision == queue.revision, count == queue.count, let current = queue.current {
      let last = first + items.count
      if current >= first, current < last, last == count || current + Self.margin < last { return }
    }
    (first, items) = (queue.first, queue.items)
  }
}

/// A change of the track list (a signal of `org.mpris.MediaPlayer2.TrackList`).
enum TrackListChange: Equatable, Sendable {
  case replaced
  /// A track was added, after the one with this path.
  case added(QueueItem, after: String)
  case removed(String)

  /// The most tracks that are signalled one by one.
  static let limit = 4

  /// Returns the changes that lead from one list to another.
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

/// Decides when the changes of a track list are signalled, so that several in a row are sent together. Times are
/// microseconds of a monotonic clock.
struct TrackListChangeTiming {
  /// The list as the desktop knows it.
  private(set) var sent: TrackList
  private var latest: TrackList
  private var changedAt: Int64?

  /// Begins with the list that programs read themselves when they see the player appear.
  init(_ list: TrackList) { (sent, latest) = (list, list) }

  /// Sets the present list.
  mutating func update(_ list: TrackList, at now: Int64) {
    latest = list
    let isSent = list.items.elementsEqual(sent.items) { $0.entry == $1.entry }
    changedAt = isSent ? nil : changedAt ?? now
  }

  /// The time at which signals are due; nil for never.
  var due: Int64? { changedAt.map { $0 + PropertyChangeTiming.gathering } }

  /// Returns the changes to signal now, and counts them as sent.
  mutating func popDue(at now: Int64) -> [TrackListChange] {
    guard let due, due <= now else { return [] }
    defer {
      sent = latest
      changedAt = nil
    }
    return TrackListChange.between(sent, latest)
  }
}
