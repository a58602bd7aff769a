/// A track by its description, such as an entry of a playlist whose music is not in the library. It stands for the
/// track until the music is there.
public struct DescribedTrack: Codable, Hashable, Sendable {
  /// The title.
  public var title: String
  /// The artist as one text; empty if it is not known.
  public var artist: String
  /// The title of the album; nil if it is not known.
  public var album: String?
  /// The length; nil if it is not known.
  public var duration: Milliseconds?
  /// The International Standard Recording Code: twelve letters and digits; nil if it is not known.
  public var isrc: String?
  /// The MusicBrainz id of the recording, a UUID; nil if it is not known.
  public var recordingID: String?
  /// The address of the music in the list file from which the entry came; nil if there is none.
  public var location: String?

  public init(
    title: String, artist: String, album: String? = nil, duration: Milliseconds? = nil, isrc: String? = nil,
    recordingID: String? = nil, location: String? = nil
  ) {
    self.title = title
    self.artist = artist
    self.album = album
    self.duration = duration
    self.isrc = isrc
    self.recordingID = recordingID
    self.location = location
  }
}
