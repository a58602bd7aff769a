extension String {
  /// Returns the beginning of a text that takes at most so many bytes.
  package func prefix(bytes most: Int) -> String {
    guard utf8.count > most else { return self }
    var bytes = 0
    return String(
      prefix { character in
        bytes += character.utf8.count
        return bytes <= most
      })
  }
}
