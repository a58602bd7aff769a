/// An album of the demo library: what its tags say, how it sounds and looks.
struct DemoAlbum: Sendable {
  /// The album artist.
  let artist: String
  /// The title.
  let title: String
  /// The year of release.
  let year: Int
  /// The genre.
  let genre: String
  /// How its music is written.
  let composer: Composer
  /// How its cover is drawn.
  let cover: Cover
  /// Whether the cover lies in each file; otherwise beside them.
  let embedsCover: Bool
  /// Its tracks in order.
  let tracks: [DemoTrack]

  /// Where it lies within the library.
  var folder: String { "\(artist)/\(year) - \(title)" }

  /// The tracks that are rendered together because they play on into one another, as ranges of `tracks`.
  var suites: [Range<Int>] {
    var suites: [Range<Int>] = []
    var start = 0
    for (index, track) in tracks.enumerated() where !track.playsOn || index == tracks.count - 1 {
      suites.append(start..<index + 1)
      start = index + 1
    }
    return suites
  }

  /// The piece behind a track.
  func piece(_ index: Int) -> Piece {
    let track = tracks[index]
    let seed = UInt64(year) &* 1000 &+ UInt64(index)
    return Piece(
      scale: Scale(tonic: track.tonic, mode: track.mode), tempo: track.tempo, bars: track.bars,
      verse: track.verse.map(composer.chord(on:)), chorus: track.chorus.map(composer.chord(on:)),
      playsOn: track.playsOn, seed: seed)
  }
}

/// A track of the demo library.
struct DemoTrack: Sendable {
  /// Its title.
  let title: String
  /// The key's tonic as a MIDI number.
  let tonic: Int
  /// The key's mode.
  let mode: Scale.Mode
  /// Beats a minute.
  let tempo: Double
  /// Its length in bars of four.
  let bars: Int
  /// The degrees of its first idea's chords.
  let verse: [Int]
  /// The degrees of its second idea's chords.
  let chorus: [Int]
  /// Whether the next track follows without a pause.
  var playsOn = false

  init(
    _ title: String, _ tonic: Int, _ mode: Scale.Mode, _ tempo: Double, bars: Int, _ verse: [Int], _ chorus: [Int],
    playsOn: Bool = false
  ) {
    self.title = title
    self.tonic = tonic
    self.mode = mode
    self.tempo = tempo
    self.bars = bars
    self.verse = verse
    self.chorus = chorus
    self.playsOn = playsOn
  }
}

extension Composer {
  /// The chord that the manner builds on a degree.
  func chord(on degree: Int) -> Chord {
    switch self {
    case .folk: .triad(degree)
    case .piano: .triad(degree)
    case .ambient: .ninth(degree)
    case .night: .seventh(degree)
    case .lounge: .ninth(degree)
    }
  }
}
