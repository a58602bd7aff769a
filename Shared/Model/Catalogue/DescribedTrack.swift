/// A track by its description, such as an entry of a playlist whose music is not in the library. It stands for the
/// track until the music is there. In a queue it has an id of the source `described`, which follows from artist, album
/// and title, and no album that can be read.
public struct DescribedTrack: Codable, Hashable, Sendable {
  /// The title.
  public var title: String
  /// The artist as one text; empty if it is not known.
  public var artist: String
  /// The title of the album; nil if it is not known.
  public var album: String? = nil
  /// The length; nil if it is not known.
  public var duration: Milliseconds? = nil
  /// The International Standard Recording Code: twelve letters and digits; nil if it is not known.
  public var isrc: String? = nil
  /// The MusicBrainz id of the recording, a UUID; nil if it is not known.
  public var recordingID: String? = nil
  /// The address of the music in the list file from which the entry came; nil if there is none.
  public var location: String? = nil
  /// The address of a picture of the cover; nil if there is none. One of https is the id `cover:ADDRESS` of a picture.
  public var cover: String? = nil
  /// The source that a person chose for this track; nil if the usual order decides.
  public var choice: ChosenSource? = nil
}

/// The source that a person chose for a described track, as by a press on its badge. It comes before the library, the
/// order of plugins and all confidence.
public struct ChosenSource: Codable, Hashable, Sendable {
  /// The id of the plugin; nil for any.
  public var plugin: String? = nil
  /// True if the preview is wanted that a service offers, about 30 s of the track; nil for the whole track.
  public var isPreview: Bool? = nil

  /// True if a preview is wanted.
  public var wantsPreview: Bool { isPreview ?? false }
}

/// Described tracks in a queue, where each track has an id.
extension DescribedTrack {
  /// The source in the ids of described tracks. No source of music has this name.
  public static let source = "described"

  /// The track as queues, rooms and plays have it. Its id follows from title, artist and album, so that the same
  /// description has the same id everywhere. A length that is not known is zero, and an entry of a list file that names
  /// only an address has the end of that as its title.
  public var track: Track {
    let title = title.isEmpty ? location?.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? "" : title
    let words = [artist, album ?? "", title].map { $0.lowercased() }
    return Track(
      id: TrackID(source: Self.source, native: Self.native(words)),
      albumID: AlbumID(source: Self.source, native: Self.native(Array(words.prefix(2)))), title: title, artist: artist,
      albumArtist: artist, album: album ?? "", duration: duration ?? .zero, recordingID: recordingID, isrc: isrc,
      art: art)
  }

  /// The source in the ids of covers at public addresses: the native part is the address. No source of music has this
  /// name.
  public static let coverSource = "cover"

  /// The id of the cover, by which the library fetches and keeps it; nil without an address that begins with https.
  public var art: ArtID? {
    guard let cover, cover.hasPrefix("https://"), cover.utf8.count <= 2000 else { return nil }
    return ArtID(source: Self.coverSource, native: cover)
  }

  /// Returns the native part of the id for these words. Its first letter is none with which the ids of the catalogue
  /// begin.
  private static func native(_ words: [String]) -> String {
    "d" + String(FNV1a.hash(words.joined(separator: "\0")), radix: 16)
  }
}

extension ItemID {
  /// True for the id of a described track, or of the album in its description. The library has no such item.
  public var isDescribed: Bool { source == DescribedTrack.source }
}
