import Messages
import Model
import TestSupport
import Testing

extension QueueItem {
  /// An item for tests; different numbers give different items.
  static func numbered(_ number: Int, path: LocalPath? = nil, seconds: Double = 60, host: String = "here") -> QueueItem
  {
    QueueItem(
      entry: EntryID(rawValue: "entry-\(number)"),
      track: Track(
        id: TrackID(source: "files", native: "t\(number)"), albumID: AlbumID(source: "files", native: "a"),
        title: "Title \(number)", artist: "Artist", albumArtist: "Artist", album: "Album", number: number,
        duration: Milliseconds(seconds: seconds)),
      path: path, host: path == nil ? nil : host, origin: Origin(node: "test@main"))
  }
}

extension RoomName {
  static let kitchen = RoomName(from: "kitchen")
}

/// Tests that play, one after the other: each needs real time for its sound.
@Suite(.serialized) struct RealSound {}
