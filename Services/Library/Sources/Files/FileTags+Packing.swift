import Model

/// Tags as one text for the store: fields in a fixed order, each ended by U+001F, genres by U+001E. New fields go to
/// the end.
extension FileTags {
  /// The tags as text.
  var packed: String {
    var text = ""
    func put(_ field: String?) {
      if let field { text += field }
      text += "\u{1F}"
    }
    put(title)
    put(titleSort)
    put(artist)
    put(firstArtist == artist ? nil : firstArtist)
    put(artistSort)
    put(album)
    put(albumSort)
    put(albumArtist)
    put(albumArtistSort)
    put(disc.map(String.init))
    put(number.map(String.init))
    put(year.map(String.init))
    for genre in genres {
      text += genre
      text += "\u{1E}"
    }
    put(nil)
    put(isCompilation ? "1" : nil)
    put(recordingID)
    put(releaseID)
    put(String(duration.rawValue))
    put(hasPicture ? "1" : nil)
    put(releaseGroupID)
    put(artistID)
    put(albumArtistID)
    put(isLossless ? "1" : nil)
    for level in [levels?.trackGain, levels?.trackPeak, levels?.albumGain, levels?.albumPeak] {
      put(level.map { "\($0)" })
    }
    put(artistIDs.count > 1 ? artistIDs.joined(separator: "\u{1E}") : nil)
    put(isrc)
    return text
  }

  /// Reads what `packed` gave; missing fields at the end are empty.
  init(packed: String) {
    var fields = packed.utf8.split(separator: 0x1F, omittingEmptySubsequences: false)[...]
    func next() -> String? { fields.popFirst().flatMap { $0.isEmpty ? nil : String(Substring($0)) } }
    func nextNumber() -> Int? { next().flatMap { Int($0) } }
    self.init()
    title = next()
    titleSort = next()
    artist = next()
    firstArtist = next() ?? artist
    artistSort = next()
    album = next()
    albumSort = next()
    albumArtist = next()
    albumArtistSort = next()
    disc = nextNumber()
    number = nextNumber()
    year = nextNumber()
    genres = (next() ?? "").utf8.split(separator: 0x1E).map { String(Substring($0)) }
    isCompilation = next() != nil
    recordingID = next()
    releaseID = next()
    duration = Milliseconds(Int64(nextNumber() ?? 0))
    hasPicture = next() != nil
    releaseGroupID = next()
    artistID = next()
    albumArtistID = next()
    isLossless = next() != nil
    func nextLevel() -> Double? { next().flatMap { Double($0) } }
    let read = Levels(
      trackGain: nextLevel(), trackPeak: nextLevel(), albumGain: nextLevel(), albumPeak: nextLevel())
    levels = read.isEmpty ? nil : read
    // A single one is the first of all.
    artistIDs = next()?.utf8.split(separator: 0x1E).map { String(Substring($0)) } ?? [artistID].compactMap { $0 }
    isrc = next()
  }
}
