import Model
import Storage

/// What the world calls a track, beside its recording and release: the store and the library itself make nothing of it, and
/// services that are told of listens do.
struct MusicIDs: Hashable, Sendable {
  /// The MusicBrainz ids of its artists, in their order.
  var artists: [String] = []
  /// The MusicBrainz id of its release group.
  var releaseGroup: String?
  /// Its International Standard Recording Code.
  var isrc: String?

  /// The column of it.
  static let migration = Migration("catalogue-music-ids-6", "ALTER TABLE tracks ADD COLUMN music_ids TEXT")

  /// Tracks of servers have the releases of their albums, as those of files do.
  static let releasesOfServers = Migration(
    "catalogue-server-releases-7",
    """
    UPDATE tracks SET release = (SELECT release FROM albums WHERE id = tracks.album)
    WHERE native IS NOT NULL AND release IS NULL
    """)

  /// The most artists that are kept of one track.
  static let mostArtists = 16

  init(artists: [String] = [], releaseGroup: String? = nil, isrc: String? = nil) {
    self.artists = artists
    self.releaseGroup = releaseGroup
    self.isrc = isrc
  }

  /// As one text, for the store; nil where nothing is known.
  var packed: String? {
    self == MusicIDs()
      ? nil : TextList.packed([releaseGroup ?? "", isrc ?? ""] + artists)
  }

  /// Reads what `packed` gave.
  init(packed: String?) {
    let fields =
      packed?.utf8.split(separator: 0x1F, omittingEmptySubsequences: false).map { String(Substring($0)) } ?? []
    guard fields.count > 2 else { return }
    releaseGroup = fields[0].isEmpty ? nil : fields[0]
    isrc = fields[1].isEmpty ? nil : fields[1]
    artists = fields[2...].filter { !$0.isEmpty }
  }
}

extension Track {
  /// Takes them in.
  mutating func take(_ ids: MusicIDs) {
    artistIDs = ids.artists.isEmpty ? nil : ids.artists
    releaseGroupID = ids.releaseGroup
    isrc = ids.isrc
  }
}
