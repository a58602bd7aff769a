import MusicTags

/// The ids of a track in public databases, beside its recording and release. The library only stores them for the
/// services to which listens are sent.
package struct MusicIDs: Codable, Hashable, Sendable {  // memberwise
  /// The ids of music for which there are none.
  package static let none = MusicIDs()

  /// The MusicBrainz ids of its artists, in their order.
  package var artists: [String] = []
  /// The MusicBrainz id of its release group.
  package var releaseGroup: String? = nil
  /// Its International Standard Recording Code.
  package var isrc: String? = nil

  /// The most artists that are kept of one track.
  package static let mostArtists = 16

  /// All ids as one text for the column `music_ids`; nil if none is known.
  package var packed: String? {
    self == MusicIDs() ? nil : TextList.packed([releaseGroup ?? "", isrc ?? ""] + artists)
  }
}

extension MusicIDs {
  package init(packed: String) {
    let fields = packed.utf8.split(separator: 0x1F, omittingEmptySubsequences: false).map { String(Substring($0)) }
    guard fields.count > 2 else { return }
    releaseGroup = fields[0].isEmpty ? nil : fields[0]
    isrc = fields[1].isEmpty ? nil : fields[1]
    artists = fields[2...].filter { !$0.isEmpty }
  }
}
