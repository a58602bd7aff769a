import Messages
package import Model
import MusicTags

/// A track as a server shows it.
package struct ServerTrack: Codable, Hashable, Sendable {  // memberwise
  package var native: String
  /// The server's own id of its album.
  package var album: String
  package var title: String
  package var titleSort: String? = nil
  /// The track's own artist; nil if it is the album artist.
  package var artist: String? = nil
  package var disc: Int = 1
  package var number: Int? = nil
  package var year: Int? = nil
  package var genres: [String] = []
  package var moods: [String] = []
  package var duration: Milliseconds
  package var guid: String? = nil
  package var recordingID: String? = nil
  package var ids: MusicIDs = .none
  package var levels: Levels? = nil
  package var rating: Rating? = nil
  /// The path on the server's disk, by which the track is found again after the server's ids changed; nil if unknown.
  package var file: String? = nil
  /// The server's reference to the audio, for `MusicServer.stream`; nil if there is no audio now.
  package var part: String? = nil
  /// The audio's ending in lower case: `flac`, `mp3`.
  package var format: String? = nil
  package var audio = AudioProperties()
  package var addedAt: Timestamp? = nil
  package var lastPlayedAt: Timestamp? = nil
  /// The numbers that the server gives; nil if it gives none.
  package var counts: Counts? = nil
  package var section: String? = nil
  /// True where the server did not give its details, such as moods and loudness: a track that is known stays as it is.
  package var isPartial: Bool? = nil

  package struct Counts: Codable, Hashable, Sendable {  // memberwise
    /// The number of plays that the server counted.
    package var plays: Int? = nil
    /// The number of listeners at Last.fm, which Plex gives.
    package var listeners: Int? = nil
  }
}

extension ServerTrack {
  /// True if its audio is lossless by its codec, or by its ending where the codec is unknown.
  package var isLossless: Bool {
    (audio.codec ?? format.flatMap(AudioFormat.codec)).map(AudioFormat.isLossless) ?? false
  }
}
