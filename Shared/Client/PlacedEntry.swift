public import Messages
public import Model

extension Library.PlaylistPage {
  /// One entry in its place: a track of the library, or the description of one.
  public struct PlacedEntry: Sendable {
    /// The id of the entry; nil from a library that is too old for entries.
    public var entry: Int64?
    /// The track; nil for one that is not in the library.
    public var track: Track?
    /// The description of a track that is not in the library; nil for one that is.
    public var described: DescribedTrack?
  }

  /// The entries in the order of the playlist.
  public var rows: [PlacedEntry] {
    guard let entries else { return tracks.map { PlacedEntry(entry: nil, track: $0, described: nil) } }
    var next = tracks.makeIterator()
    return entries.map { entry in
      PlacedEntry(
        entry: entry.entry, track: entry.described == nil ? next.next() : nil, described: entry.described)
    }
  }
}
