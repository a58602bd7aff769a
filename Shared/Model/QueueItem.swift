/// One place in a room's queue, with all that display, history and scrobbling need when the library is gone. It holds
/// no URL and no secret.
public struct QueueItem: Codable, Hashable, Sendable {
  /// This place's own id: the same track queued twice has two.
  public var entry: EntryID
  /// The track, with title, artists, album, disc, number, length, genres, MusicBrainz ids and art.
  public var track: Track
  /// Where the audio lies on the host of the library; nil where it has no file there. Used as it is only by a room on
  /// that host.
  public var path: LocalPath?
  /// The host the path is valid on.
  public var host: String?
  /// Who asked for it and from which place.
  public var origin: Origin

  /// Makes an item from all its parts.
  public init(entry: EntryID, track: Track, path: LocalPath? = nil, host: String? = nil, origin: Origin) {
    self.entry = entry
    self.track = track
    self.path = path
    self.host = host
    self.origin = origin
  }

  /// Who put an item into the queue, and from where.
  public struct Origin: Codable, Hashable, Sendable {
    /// The node that asked, for example `web@main`.
    public var node: String
    /// What was asked for, for example an album's id.
    public var place: String?

    /// Makes an origin.
    public init(node: String, place: String? = nil) {
      self.node = node
      self.place = place
    }
  }
}
