import Model

/// Makes the files of one album: its cover, and its suites of tracks.
struct DemoStudio: Sendable {
  /// What is made.
  let album: DemoAlbum
  /// Where its files go.
  let folder: String
  /// Who encodes them.
  let encoder: FFmpeg
  /// Pixels on each side of the cover.
  let coverSide: Int

  private var cover: String { "\(folder)/cover.jpg" }

  /// Draws the cover, which the suites need.
  func drawCover() throws {
    try Folders.make(folder)
    try encoder.encode(album.cover.draw(side: coverSide, seed: UInt64(album.year)), to: cover)
  }

  /// Leaves the cover beside the tracks only where they do not hold it themselves.
  func tidy() throws {
    if album.embedsCover { try Folders.remove(cover) }
  }

  /// Renders a suite as one piece of sound and cuts it into its tracks, so that nothing is heard at the seams.
  func record(_ suite: Range<Int>) throws {
    let (sound, cuts) = Self.render(album, suite)
    for (track, range) in zip(suite, cuts) {
      try encoder.encode(
        sound.samples(range), tags: tags(track), cover: album.embedsCover ? cover : nil,
        to: "\(folder)/\(fileName(track)).flac")
    }
  }

  /// The sound of a suite, and the frames of each of its tracks.
  static func render(_ album: DemoAlbum, _ suite: Range<Int>) -> (sound: StereoSound, cuts: [Range<Int>]) {
    var notes: [Note] = []
    var cuts: [Range<Int>] = []
    var start = 0.0
    for index in suite {
      let piece = album.piece(index)
      let offset = start
      notes += album.composer.compose(piece).map { note in
        var note = note
        note.start += offset
        return note
      }
      start += piece.seconds
      cuts.append((cuts.last?.upperBound ?? 0)..<Waveform.frames(start))
    }
    let isAmbient = album.composer == .ambient
    let sound = album.composer.mix.render(
      notes, frames: cuts.last?.upperBound ?? 0, fadeIn: isAmbient ? 3 : 0.005, fadeOut: isAmbient ? 7 : 2.5,
      seed: UInt64(album.year) &+ UInt64(suite.lowerBound))
    return (sound, cuts)
  }

  private func fileName(_ track: Int) -> String {
    "\(track < 9 ? "0" : "")\(track + 1) \(album.tracks[track].title)"
  }

  private func tags(_ track: Int) -> [(String, String)] {
    [
      ("ARTIST", album.artist), ("ALBUMARTIST", album.artist), ("ALBUM", album.title),
      ("TITLE", album.tracks[track].title), ("TRACKNUMBER", "\(track + 1)"), ("TRACKTOTAL", "\(album.tracks.count)"),
      ("DISCNUMBER", "1"), ("DATE", "\(album.year)"), ("GENRE", album.genre),
    ]
  }
}
