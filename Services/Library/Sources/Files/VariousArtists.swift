import Text

/// The album artist of albums that many share.
enum VariousArtists {
  /// What such an album shows.
  static let name = "Various Artists"
  /// What a track shows whose artist nobody names.
  static let unknown = "Unknown Artist"
  /// What an album shows that neither tags nor a folder name.
  static let unknownAlbum = "Unknown Album"

  private static let spellings: Set<String> = ["various artists", "various", "va", "v.a.", "v/a"]

  /// Whether a name stands for many artists.
  static func isMeant(by artist: String) -> Bool {
    guard artist.utf8.first.map({ $0 | 32 == UInt8(ascii: "v") }) == true, artist.utf8.count <= 16 else { return false }
    return spellings.contains(artist.caseFolded)
  }

  /// An artist without those who take part in one track: `Nas feat. Olu Dara` becomes `Nas`.
  static func withoutGuests(_ artist: String) -> String {
    let small = Array(artist.caseFolded.utf8)
    // Where folding changes lengths the places in both texts differ; such a name is taken as it is.
    guard small.count == artist.utf8.count, small.contains(UInt8(ascii: "f")) else { return artist }
    for word in [" feat. ", " feat ", " ft. ", " ft ", " featuring ", " (feat", " [feat", " (ft.", " (ft "] {
      let word = Array(word.utf8)
      guard small.count > word.count else { continue }
      for start in 1..<(small.count - word.count + 1) where small[start..<(start + word.count)].elementsEqual(word) {
        return String(decoding: artist.utf8.prefix(start), as: UTF8.self).trimmed
      }
    }
    return artist
  }
}
