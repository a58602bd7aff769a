import Model

/// Ids of the form of MusicBrainz, made of names.
package enum TestID {
  /// Returns the id of a name.
  package static func musicBrainz(_ name: String) -> String {
    let digits = Hexadecimal.text(FNV1a.hash(name.utf8))
    return "\(digits.prefix(8))-\(digits.suffix(4))-4\(digits.dropFirst(8).prefix(3))-8000-00000000000a"
  }
}
