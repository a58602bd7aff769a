import Model

/// What a server says of its music, in the words of the house. Each record is staged as JSON until a refresh brings the
/// catalogue in line with it; texts are as the server spells them, normalised to NFC.

/// An artist as a server shows it.
struct ServerArtist: Codable, Hashable, Sendable {
  /// The server's own id.
  var native: String
  var name: String
  var sort: String?
  /// What names it across rebuilt libraries (`plex://artist/…`); nil where there is no such thing.
  var guid: String?
  /// Its MusicBrainz id.
  var artistID: String?
  var summary: String?
  var genres: [String] = []
  /// Names its picture for `MusicServer.picture`; changes when the picture does.
  var art: String?
  var rating: Rating?
  var section: String?
}

/// An album as a server shows it.
struct ServerAlbum: Codable, Hashable, Sendable {
  var native: String
  var title: String
  var titleSort: String?
  /// The album artist.
  var artist: String
  var artistSort: String?
  /// The server's own id of the album artist.
  var artistNative: String?
  var year: Int?
  var genres: [String] = []
  var moods: [String] = []
  var styles: [String] = []
  var guid: String?
  /// Its MusicBrainz release id.
  var releaseID: String?
  var art: String?
  var rating: Rating?
  /// When the server took it in; nil where it does not say.
  var addedAt: Timestamp?
  /// When it was last heard by what the server counts; nil where never.
  var lastPlayedAt: Timestamp?
  var section: String?
}

/// A track as a server shows it.
struct ServerTrack: Codable, Hashable, Sendable {
  var native: String
  /// The server's own id of its album.
  var album: String
  var title: String
  var titleSort: String?
  /// The track's own artist; nil where it is the album artist.
  var artist: String?
  var disc: Int = 1
  var number: Int?
  var year: Int?
  var genres: [String] = []
  var moods: [String] = []
  var duration: Milliseconds
  var guid: String?
  var recordingID: String?
  /// The MusicBrainz ids of its artists; nil where the server names none.
  var artistIDs: [String]?
  var isrc: String?
  var levels: Levels?
  var rating: Rating?
  /// The file on the server's disk, for finding it again after ids changed; nil where it is not told.
  var file: String?
  /// Names its audio for `MusicServer.stream`; nil where it cannot be had now.
  var part: String?
  /// The audio's ending in lower case: `flac`, `mp3`.
  var format: String?
  var addedAt: Timestamp?
  var lastPlayedAt: Timestamp?
  /// How often the server counted it.
  var plays: Int?
  var section: String?
}

/// A collection as a server shows it.
struct ServerCollection: Codable, Hashable, Sendable {
  var native: String
  var title: String
  var titleSort: String?
  var summary: String?
  var art: String?
  var section: String?
  /// The server's own ids of what it holds, in its order.
  var items: [String] = []
}

/// A playlist as a server shows it.
struct ServerPlaylist: Codable, Hashable, Sendable {
  var native: String
  var title: String
  var isSmart: Bool = false
  var art: String?
  /// The server's own ids of its tracks, in its order; one may come several times.
  var items: [String] = []
}

/// A library section as a server shows it.
struct ServerSection: Codable, Hashable, Sendable {
  var key: String
  var title: String
  /// Whether its music is wanted where nobody has decided: audiobooks are not.
  var isOnByDefault: Bool
}
