import Messages
import Model
import Text

/// A listen, or the current track, as it is sent to a service. It is made only from the data that is stored with the
/// listen, so that it is the same each time.
///
/// Texts are in Unicode's normal form C and otherwise spelled as in the source. Unknown values are left out.
struct Submission: Hashable, Sendable {
  /// The track's own artist.
  var artist: String
  var title: String
  var album: String?
  /// The album's artist; nil if it is the track's artist.
  var albumArtist: String?
  /// The track's number on its disc, from 1.
  var number: Int?
  var duration: Milliseconds?
  var recordingID: String?
  var releaseID: String?
  var releaseGroupID: String?
  /// The MusicBrainz ids of the artists; empty if one of them is not valid.
  var artistIDs: [String]
  /// The International Standard Recording Code, without dashes.
  var isrc: String?
  /// The start of the listen in seconds since 1970. Together with artist and title it identifies the listen at a
  /// service.
  var startedAt: Int64

  /// The reason why a listen cannot be sent to any service.
  struct Unsendable: Error, Hashable {
    var reason: String
  }

  init(_ track: Track, startedAt: Timestamp) throws(Unsendable) {
    guard let title = Self.text(track.title) else { throw Unsendable(reason: "the track has no title") }
    // “Various Artists” is not an artist but a compilation's placeholder for several.
    guard let artist = Self.text(track.artist), !Self.isVarious(artist) else {
      throw Unsendable(reason: "the track names no artist of its own")
    }
    self.title = title
    self.artist = artist
    album = Self.text(track.album)
    let albumArtist = Self.text(track.albumArtist)
    self.albumArtist = albumArtist == artist ? nil : albumArtist
    number = track.number.flatMap { $0 > 0 ? $0 : nil }
    duration = track.duration > .zero ? track.duration : nil
    recordingID = track.recordingID.flatMap(MusicBrainzID.init)?.text
    releaseID = track.releaseID.flatMap(MusicBrainzID.init)?.text
    releaseGroupID = track.releaseGroupID.flatMap(MusicBrainzID.init)?.text
    let artistIDs = (track.artistIDs ?? []).map { MusicBrainzID($0)?.text }
    self.artistIDs = artistIDs.contains(nil) ? [] : artistIDs.compactMap { $0 }
    isrc = track.isrc.flatMap(Self.code)
    self.startedAt = startedAt.seconds
  }

  /// Returns a text without control characters and without white space at its ends; nil if it is empty.
  private static func text(_ text: String) -> String? {
    let plain =
      text.utf8.contains { $0 < 32 || $0 == 127 }
      ? String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : $0 }))
      : text
    let trimmed = plain.normalised.trimmed
    return trimmed.isEmpty ? nil : trimmed
  }

  /// Returns an ISRC without spaces and dashes: two letters, three letters or digits, and seven digits (ISO 3901); nil
  /// for other texts.
  private static func code(_ text: String) -> String? {
    let plain = text.uppercased().filter { $0 != "-" && $0 != " " }
    let bytes = Array(plain.utf8)
    let (letters, digits) = (UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"))
    guard bytes.count == 12, bytes[..<2].allSatisfy(letters.contains), bytes[5...].allSatisfy(digits.contains),
      bytes[2..<5].allSatisfy({ letters.contains($0) || digits.contains($0) })
    else { return nil }
    return plain
  }

  private static func isVarious(_ artist: String) -> Bool {
    ["various artists", "various", "va"].contains(artist.folded)
  }
}
