import Messages
import Model

/// A track between the queue and the output.
struct PreparedTrack: Hashable, Sendable {
  enum Stage: Hashable, Sendable {
    /// The engine does not have the track.
    case waiting
    /// The locator is being looked up.
    case locating
    /// The track follows the current one, and the room fetches it: the engine gets the file.
    case fetching
    /// The engine was told to play the track.
    case loaded
    /// The engine was told to prepare the track as the next one.
    case prepared
    /// The engine decodes the track; an earlier one may still be heard.
    case decoding
    /// The track is the audible one.
    case audible
  }

  var id: CueID
  /// The row of the queue that contains the item.
  var row: Int64
  var item: QueueItem?
  var locator: Library.Locator?
  /// True if the locator is the path in the item, and the router has not been asked.
  var isOwnPath = false
  /// The time from which the locator is no longer valid; nil for never.
  var staleAt: MonotonicTime?
  /// The time to ask for a fresh locator while the track waits to be played; nil for never.
  var renewAt: MonotonicTime?
  var start: Milliseconds
  /// True until the item is read, if the track then starts where it was left.
  var startsWhereLeft = false
  var stage: Stage
  /// The length according to the decoder.
  var duration: Milliseconds?
  /// The position up to which the stream is buffered.
  var buffered: Milliseconds?
  /// The tracks before and after this one in the queue, on which its level may depend.
  var neighbours = NeighbouringTracks()
  /// The ids of the plugins whose addresses of the track could not be played.
  var failedPlugins: [String] = []
  /// True if another locator was requested because the first one was refused.
  var isRenewed = false
  /// The id of the request for a fresh locator while the track waits to be played; nil if there is none.
  var renewal: CueID?
  /// True if the locator is still being looked up, though the room has given up waiting for it.
  var isSought = false

  /// The shortest time between two requests for the locator of one track.
  static let renewalPause = Milliseconds(5000)
  /// The time before the end of a locator's validity at which a fresh one is requested.
  static let renewalMargin = Milliseconds(20_000)

  /// The plugin that gave the locator; nil for music of the library.
  var plugin: Library.PluginSource? {
    if case .url(_, _, _, _, let plugin) = locator { plugin } else { nil }
  }

  /// True if only a preview of the track is played.
  var isPreview: Bool { plugin?.isPreview ?? false }

  /// Returns the locator, if it is still valid.
  func locator(at now: Now) -> Library.Locator? {
    if let staleAt, staleAt <= now.moment { nil } else { locator }
  }

  /// Sets the locator and the time when it must be renewed.
  mutating func set(_ locator: Library.Locator, at now: Now) {
    self.locator = locator
    staleAt = nil
    renewAt = nil
    guard case .url(_, _, let lasts?, _, _) = locator else { return }
    // An extremely large or negative validity from a server must not overflow or cause requests without end.
    let length = max(.zero, lasts.clamped(to: Milliseconds(30 * 24 * 3_600_000)))
    staleAt = now.moment + length
    renewAt = now.moment + max(Self.renewalPause, length - Self.renewalMargin)
  }

  /// Returns the track with a new id and start, and with everything that is still known about its audio.
  func reopened(as id: CueID, at position: Milliseconds, _ now: Now) -> PreparedTrack {
    var track = PreparedTrack(
      id: id, row: row, item: item, locator: locator(at: now), start: position, stage: .locating)
    track.staleAt = staleAt
    track.isOwnPath = track.locator != nil && isOwnPath
    track.duration = duration
    track.neighbours = neighbours
    track.failedPlugins = failedPlugins
    return track
  }
}

struct NeighbouringTracks: Hashable, Sendable {
  var before: Track?
  var after: Track?
}
