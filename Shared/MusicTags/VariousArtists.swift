import Text

/// The names of artists of albums by several artists, or by none that is known.
package enum VariousArtists {
  package static let name = "Various Artists"
  package static let unknown = "Unknown Artist"
  package static let unknownAlbum = "Unknown Album"

  private static let spellings: Set<String> = ["various artists", "various", "va", "v.a.", "v/a"]

  /// Returns true if a name stands for many artists.
  package static func isMeant(by artist: String) -> Bool {
    guard artist.utf8.first.map({ $0 | 32 == UInt8(ascii: "v") }) == true, artist.utf8.count <= 16 else { return false }
    return spellings.contains(artist.caseFolded)
  }
}
