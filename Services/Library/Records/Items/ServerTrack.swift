import Messages
package import Model
import MusicTags

/// A track as a server shows it.
package struct ServerTrack: Codable, Hashable, Sendable {
  package var native: String
  /// The server's own id of its album.
  package var album: String
  package var title: String
  package var titleSort: String?
  /// The track's own artist; nil where it is the album artist.
  package var artist: String?
  package var disc: Int = 1
  package var number: Int?
  package var year: Int?
  package var genres: [String] = []
  package var moods: [String] = []
  package var duration: Milliseconds
  package var guid: String?
  package var recordingID: String?
  package var ids = MusicIDs()
  package var levels: Levels?
  package var rating: Rating?
  /// The path on the server's disk, by which the track is found again after the server's ids changed; nil if unknown.
  package var file: String?
  /// The server's reference to the audio, for `MusicServer.stream`; nil where there is no audio now.
  package var part: String?
  /// The audio's ending in lower case: `flac`, `mp3`.
  package var format: String?
  package var audio = AudioProperties()
  package var addedAt: Timestamp?
  package var lastPlayedAt: Timestamp?
  /// The numbers that the server gives; nil where it gives none.
  package var counts: Counts?
  package var section: String?
  /// True where the server did not give its details, such as moods and loudness: a track that is known stays as it is.
  package var isPartial: Bool?

  package init(
    native: String, album: String, title: String, titleSort: String? = nil, artist: String? = nil, disc: Int = 1,
    number: Int? = nil, year: Int? = nil, genres: [String] = [], moods: [String] = [], duration: Milliseconds,
    guid: String? = nil, recordingID: String? = nil, ids: MusicIDs = MusicIDs(), levels: Levels? = nil,
    rating: Rating? = nil, file: String? = nil, part: String? = nil, format: String? = nil,
    audio: AudioProperties = AudioProperties(), addedAt: Timestamp? = nil, lastPlayedAt: Timestamp? = nil,
    counts: Counts? = nil, section: String? = nil, isPartial: Bool? = nil
  ) {
    (self.native, self.album, self.title, self.titleSort, self.artist) = (native, album, title, titleSort, artist)
    (self.disc, self.number, self.year, self.genres, self.moods) = (disc, number, year, genres, moods)
    (self.duration, self.guid, self.recordingID, self.ids, self.levels) = (duration, guid, recordingID, ids, levels)
    (self.rating, self.file, self.part, self.format, self.audio) = (rating, file, part, format, audio)
    self.addedAt = addedAt
    self.lastPlayedAt = lastPlayedAt
    self.counts = counts
    self.section = section
    self.isPartial = isPartial
  }

  package struct Counts: Codable, Hashable, Sendable {
    /// The number of plays that the server counted.
    package var plays: Int?
    /// The number of listeners at Last.fm, which Plex gives.
    package var listeners: Int?

    package init(plays: Int? = nil, listeners: Int? = nil) {
      (self.plays, self.listeners) = (plays, listeners)
    }
  }
}

extension ServerTrack {
  /// True if its audio is lossless by its codec, or by its ending where the codec is unknown.
  package var isLossless: Bool {
    (audio.codec ?? format.flatMap(AudioFormat.codec)).map(AudioFormat.isLossless) ?? false
  }
}
