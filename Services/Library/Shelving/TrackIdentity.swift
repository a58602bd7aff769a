import Model
import Text

/// By what a track is known where nothing else names it: in a library that was built anew, and for what a person
/// thinks of it.
struct TrackIdentity: Hashable {
  /// By how many milliseconds two lengths of one track may differ.
  static let tolerance: Int64 = 2000

  private let text: String

  /// Makes an identity from the album artist, the album, and the track's place and title on it.
  init(artist: String, album: String, disc: Int, number: Int?, title: String) {
    text = [
      artist.trimmed.folded, album.trimmed.folded, "\(disc)", number.map(String.init) ?? "", title.trimmed.folded,
    ].joined(separator: "\u{1F}")
  }

  /// FNV-1a of 64 bits (Fowler, Noll, Vo), never 0: as the store keeps it.
  var hash64: Int64 { contentHash(of: text.utf8) }
}

/// Names contents by 64 bits: for noticing a change, not for keeping anyone out.
enum Digest {
  /// FNV-1a; never 0.
  static func of(_ bytes: some Sequence<UInt8>) -> Int64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash == 0 ? 1 : Int64(bitPattern: hash)
  }
}
