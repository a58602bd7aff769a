import Model
import MusicTags
import Records

/// The values by which a track of a file is recognised after its path, its names or its file changed, as hashes: the
/// audio itself, the ids of MusicBrainz and AcoustID, and the names. The most reliable come first.
struct TrackRecognition {
  /// One value, which is compared only with values of the same kind.
  enum Kind: String, CaseIterable {
    /// The digest of the audio, with the names, which tell two tracks with the same audio apart.
    case audioAndNames
    case audio
    /// The MusicBrainz ids of the recording and the release.
    case recordingOnRelease
    case recording
    case acoustID
    /// The album artist, the album, the place and the title.
    case names

    /// True if tracks with the same value may still be different ones, unless they are equally long.
    var needsLength: Bool { self != .audioAndNames && self != .audio }
  }

  /// The hash of each kind that the file has a value for.
  let keys: [Kind: Int64]
  let duration: Milliseconds

  init(_ reading: FileMetadata) {
    let names = TrackIdentity(
      artist: reading.albumArtist ?? reading.firstArtist ?? "", album: reading.tags.albumName.title ?? "",
      disc: reading.disc, number: reading.number, title: reading.title
    ).hash64
    var keys: [Kind: Int64] = [:]
    func add(_ kind: Kind, _ values: String...) {
      keys[kind] = contentHash(of: ([kind.rawValue] + values).joined(separator: "\u{1F}").utf8)
    }
    let tags = reading.tags
    if tags.audio.digest != 0 {
      add(.audioAndNames, "\(tags.audio.digest)", "\(names)")
      add(.audio, "\(tags.audio.digest)")
    }
    if let recording = tags.ids.recordingID {
      if let release = tags.albumName.releaseID { add(.recordingOnRelease, recording, release) }
      add(.recording, recording)
    }
    if let acoustID = tags.ids.acoustID { add(.acoustID, acoustID) }
    // A file that says nothing of itself is not recognised by a number or a name like `Track 1` alone.
    if !tags.isEmpty { add(.names, "\(names)") }
    self.keys = keys
    duration = tags.audio.duration
  }

  /// Returns true if a track with the same value of a kind and this length can be this one.
  func matches(_ kind: Kind, length: Milliseconds) -> Bool {
    !kind.needsLength || TrackIdentity.isNear(duration, length)
  }
}
