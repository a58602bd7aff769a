/// An album of the demo library: its tags, its sound and its cover.
struct DemoAlbum: Sendable {
  /// The instruments of an album: levels from 0 to 1, decays in 1/s.
  struct Instruments: Sendable {
    /// The level of the sustained chord, and how quickly it fades in and out at each bar.
    var (pad, attack, release): (Double, Double, Double)
    /// The level of the bass, and how quickly each note decays.
    var (bass, bassDecay): (Double, Double)
    /// The level of the plucked notes, how quickly each decays, and how many there are in a bar.
    var (pluck, pluckDecay, notesPerBar): (Double, Double, Int)
    /// The notes of a chord in the order in which they are plucked, as steps of the scale above its root.
    var pattern: [Int]

    static let guitar = Instruments(
      (0.04, 2, 3), (0.20, 1.4), (0.30, 4, 8), pattern: [0, 4, 7, 4, 9, 7, 4, 2])
    static let piano = Instruments((0.03, 1, 1), (0.22, 0.9), (0.34, 2.4, 6), pattern: [0, 4, 7, 9, 7, 4])
    static let choir = Instruments((0.15, 0.5, 0.5), (0.12, 0.2), (0.05, 1.5, 4), pattern: [7, 4, 9, 2])
    static let synthesizer = Instruments(
      (0.07, 8, 20), (0.24, 1.2), (0.26, 7, 8), pattern: [0, 7, 4, 11, 9, 4, 7, 2])
    static let electricPiano = Instruments((0.06, 3, 4), (0.24, 0.8), (0.24, 3, 5), pattern: [0, 6, 4, 8, 2])

    private init(
      _ pad: (Double, Double, Double), _ bass: (Double, Double), _ pluck: (Double, Double, Int), pattern: [Int]
    ) {
      (self.pad, self.bass, self.pluck, self.pattern) = (pad.0, bass.0, pluck.0, pattern)
      (attack, release, bassDecay, pluckDecay, notesPerBar) = (pad.1, pad.2, bass.1, pluck.1, pluck.2)
    }
  }

  /// A track: its key, its tempo in beats a minute, its length in bars of four beats, and the chord of each of eight bars,
  /// which repeat.
  struct Track: Sendable {
    let title: String
    let tonic: Int
    let scale: [Int]
    let tempo: Double
    let bars: Int
    let chords: [Int]
    /// True if the next track follows without a pause.
    var playsOn = false

    /// Makes a track in a key: the MIDI number of its tonic and a scale. `chords` are degrees of the scale.
    init(
      _ title: String, _ tonic: Int, _ scale: [Int], _ tempo: Double, bars: Int, _ chords: [Int], playsOn: Bool = false
    ) {
      (self.title, self.tonic, self.scale, self.tempo) = (title, tonic, scale, tempo)
      (self.bars, self.chords, self.playsOn) = (bars, chords, playsOn)
    }

    /// Seconds of one bar.
    var bar: Double { 240 / tempo }
    /// Its length in samples.
    var samples: Int { Int(Double(bars) * bar * Double(DemoSound.rate)) }
  }

  let artist: String
  let title: String
  let year: Int
  let genre: String
  let instruments: Instruments
  let cover: DemoCover
  /// True if each file holds the cover; else it lies beside them.
  let embedsCover: Bool
  let tracks: [Track]

  /// The folder of the album within the library.
  var folder: String { "\(artist)/\(year) - \(title)" }

  /// Ranges of `tracks` that are rendered as one piece of sound because they follow each other without a pause.
  var suites: [Range<Int>] {
    let ends = tracks.indices.filter { !tracks[$0].playsOn || $0 == tracks.count - 1 }.map { $0 + 1 }
    return zip([0] + ends, ends).map { $0..<$1 }
  }
}

private let major = [0, 2, 4, 5, 7, 9, 11]
private let dorian = [0, 2, 3, 5, 7, 9, 10]
private let lydian = [0, 2, 4, 6, 7, 9, 11]
private let mixolydian = [0, 2, 4, 5, 7, 9, 10]
private let minor = [0, 2, 3, 5, 7, 8, 10]

extension DemoAlbum {
  /// The albums of the demo library: invented artists and titles.
  static let all: [DemoAlbum] = [
    DemoAlbum(
      artist: "Nova Kessler", title: "Night Lines", year: 2020, genre: "Electronic", instruments: .synthesizer,
      cover: .skyline, embedsCover: true,
      tracks: [
        Track("Last Tram", 57, minor, 108, bars: 24, [0, 5, 2, 6, 3, 5, 0, 6]),
        Track("Sodium Light", 62, dorian, 104, bars: 20, [0, 3, 0, 6, 5, 3, 0, 4]),
        Track("Window Seat", 55, minor, 112, bars: 20, [0, 2, 5, 6, 3, 0, 5, 4], playsOn: true),
        Track("Arrivals", 55, minor, 112, bars: 28, [5, 6, 0, 2, 3, 5, 6, 0]),
        Track("雨のホーム", 60, dorian, 100, bars: 16, [0, 6, 3, 0, 5, 6, 0, 3]),
      ]),
    DemoAlbum(
      artist: "Marrow & Pine", title: "Low Tide Letters", year: 2014, genre: "Folk", instruments: .guitar,
      cover: .dunes, embedsCover: false,
      tracks: [
        Track("Salt on the Sill", 55, major, 92, bars: 20, [0, 4, 5, 3, 3, 0, 4, 5]),
        Track("Harbour Bell", 62, major, 84, bars: 16, [0, 3, 0, 4, 5, 3, 0, 4]),
        Track("What the Heron Knew", 57, dorian, 96, bars: 24, [0, 6, 3, 0, 2, 6, 3, 4]),
        Track("A Small Boat", 60, mixolydian, 88, bars: 8, [0, 6, 3, 0, 3, 6, 0, 0]),
        Track("Letters Home", 55, major, 80, bars: 18, [0, 5, 3, 4, 5, 3, 0, 4]),
      ]),
    DemoAlbum(
      artist: "Halcyon Static", title: "Slow Weather", year: 2016, genre: "Ambient", instruments: .choir,
      cover: .aurora, embedsCover: true,
      tracks: [
        Track("High Pressure", 60, lydian, 60, bars: 14, [0, 1, 5, 4, 3, 1, 0, 4], playsOn: true),
        Track("Cirrus", 60, lydian, 60, bars: 12, [5, 2, 0, 1, 4, 1, 5, 0]),
        Track("The Long Front", 57, dorian, 60, bars: 18, [0, 3, 6, 2, 5, 6, 0, 3], playsOn: true),
        Track("Clearing", 60, major, 60, bars: 14, [3, 0, 5, 4, 0, 4, 3, 0]),
      ]),
    DemoAlbum(
      artist: "Éloïse Marée", title: "Chambres d’eau", year: 2011, genre: "Modern Classical", instruments: .piano,
      cover: .ripples, embedsCover: false,
      tracks: [
        Track("Première lumière", 62, minor, 72, bars: 16, [0, 5, 2, 6, 3, 0, 5, 4]),
        Track("Le couloir", 57, minor, 80, bars: 14, [0, 3, 6, 2, 5, 2, 3, 4]),
        Track("Interlude", 65, lydian, 66, bars: 7, [0, 1, 0, 4, 3, 4, 0, 1]),
        Track("Salle des cartes", 60, dorian, 76, bars: 20, [0, 2, 3, 6, 5, 6, 0, 3]),
      ]),
    DemoAlbum(
      artist: "Nova Kessler", title: "Glasshouse", year: 2024, genre: "Downtempo", instruments: .electricPiano,
      cover: .glass, embedsCover: false,
      tracks: [
        Track("Condensation", 60, dorian, 78, bars: 16, [0, 3, 6, 2, 5, 1, 4, 0]),
        Track("Fern Room", 65, major, 84, bars: 18, [1, 4, 0, 5, 3, 2, 1, 4]),
        Track("Slow Shutter", 58, major, 72, bars: 14, [0, 5, 1, 4, 3, 4, 2, 5]),
        Track("After Closing", 62, minor, 80, bars: 20, [0, 3, 6, 2, 5, 3, 1, 4]),
      ]),
    DemoAlbum(
      artist: "Éloïse Marée", title: "Petite Ourse", year: 2022, genre: "Modern Classical", instruments: .piano,
      cover: .stars, embedsCover: true,
      tracks: [
        Track("Polaris", 64, major, 70, bars: 16, [0, 2, 5, 3, 3, 4, 0, 5]),
        Track("Neuf heures du soir", 61, minor, 76, bars: 18, [0, 6, 5, 4, 2, 6, 3, 0]),
        Track("Constellation inventée", 66, lydian, 68, bars: 12, [0, 4, 1, 5, 5, 1, 4, 0], playsOn: true),
        Track("Jusqu’au matin", 66, lydian, 68, bars: 14, [3, 4, 0, 1, 5, 3, 0, 4]),
      ]),
    DemoAlbum(
      artist: "Marrow & Pine", title: "The Long Orchard", year: 2019, genre: "Folk", instruments: .guitar,
      cover: .forest, embedsCover: true,
      tracks: [
        Track("Ladder Song", 62, major, 100, bars: 24, [0, 3, 5, 4, 3, 4, 0, 5]),
        Track("Windfall", 57, minor, 90, bars: 18, [0, 5, 6, 0, 2, 6, 5, 4]),
        Track("Frost Warning", 64, dorian, 86, bars: 16, [0, 3, 0, 6, 2, 3, 6, 0]),
        Track("Pressing Day", 60, mixolydian, 104, bars: 24, [0, 6, 3, 0, 4, 3, 6, 0]),
      ]),
  ]
}
