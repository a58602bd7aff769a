import Messages
import Model

/// A track on its way from the queue to the output.
struct PreparedTrack: Hashable, Sendable {
  enum Stage: Hashable, Sendable {
    /// The engine knows nothing of it.
    case waiting
    /// Its locator is being asked for.
    case locating
    /// The engine was told to play it.
    case loaded
    /// The engine was told to go on with it.
    case prepared
    /// The engine decodes it, though an earlier one may still be heard.
    case decoding
    /// It is the one that is heard.
    case audible
  }

  var id: CueID
  /// The row of the queue that holds its item.
  var row: Int64
  var item: QueueItem?
  var locator: Library.Locator?
  /// True if the locator is the path in the item, about which the router was not asked yet.
  var isOwnPath = false
  /// The time from which on the locator cannot be used; nil for never.
  var staleAt: MonotonicTime?
  /// The time to ask for a fresh locator while the track waits to be played; nil for never.
  var renewAt: MonotonicTime?
  var start: Milliseconds
  var stage: Stage
  /// The length as the decoder knows it.
  var duration: Milliseconds?
  /// The position up to which its stream is buffered.
  var buffered: Milliseconds?
  /// The tracks before and after it in the queue, which its level may depend on.
  var neighbours = NeighbouringTracks()
  /// True once a second locator was asked for because the first one was refused.
  var isRenewed = false
  /// The id under which a fresh locator is being asked for, while the track waits to be played.
  var renewal: CueID?
  /// True while its locator is still being asked for, though the room has given up waiting for it.
  var isSought = false

  /// The shortest time between two requests for the locator of one track.
  static let renewalPause = Milliseconds(5000)
  /// The time before a locator becomes stale at which a fresh one is asked for.
  static let renewalMargin = Milliseconds(20_000)

  /// Returns the locator, if it can still be used.
  func locator(at now: Now) -> Library.Locator? {
    if let staleAt, staleAt <= now.moment { nil } else { locator }
  }

  /// Sets the locator that was found, and when it has to be renewed.
  mutating func set(_ locator: Library.Locator, at now: Now) {
    self.locator = locator
    (staleAt, renewAt) = (nil, nil)
    guard case .url(_, _, let lasts?) = locator else { return }
    // A server that gives a senseless time must not make the room ask without end.
    let length = max(.zero, lasts.clamped(to: Milliseconds(30 * 24 * 3_600_000)))
    staleAt = now.moment + length
    renewAt = now.moment + max(Self.renewalPause, length - Self.renewalMargin)
  }

  /// Returns the same track as it is opened again, with a new id and what is still known of its audio.
  func reopened(as id: CueID, at position: Milliseconds, _ now: Now) -> PreparedTrack {
    var track = PreparedTrack(
      id: id, row: row, item: item, locator: locator(at: now), start: position, stage: .locating)
    track.staleAt = staleAt
    track.isOwnPath = track.locator != nil && isOwnPath
    track.duration = duration
    track.neighbours = neighbours
    return track
  }
}

struct NeighbouringTracks: Hashable, Sendable {
  var before: Track?
  var after: Track?
}
