import Glibc

/// An invented album of the demo library: its tags, and the numbers from which ffmpeg computes its music and its cover.
struct DemoAlbum: Sendable {
  /// The levels, from 0 to 1, and the attack, release and decay rates, in 1/s, of a sustained chord, a bass and plucked
  /// notes. `notes` are the plucked notes of one bar, as steps of the scale above the chord's root.
  struct Instruments: Sendable {
    var (pad, attack, release, bass, bassDecay): (Double, Double, Double, Double, Double)
    var (pluck, pluckDecay, notes): (Double, Double, [Int])

    static let guitar = Self((0.04, 2, 3, 0.2, 1.4), (0.3, 4, [0, 4, 7, 4, 9, 7, 4, 2]))
    static let piano = Self((0.03, 1, 1, 0.22, 0.9), (0.34, 2.4, [0, 4, 7, 9, 7, 4]))
    static let choir = Self((0.15, 0.5, 0.5, 0.12, 0.2), (0.05, 1.5, [7, 4, 9, 2]))
    static let synthesizer = Self((0.07, 8, 20, 0.24, 1.2), (0.26, 7, [0, 7, 4, 11, 9, 4, 7, 2]))
    static let electricPiano = Self((0.06, 3, 4, 0.24, 0.8), (0.24, 3, [0, 6, 4, 8, 2]))

    private init(_ held: (Double, Double, Double, Double, Double), _ plucked: (Double, Double, [Int])) {
      (pad, attack, release, bass, bassDecay) = held
      (pluck, pluckDecay, notes) = plucked
    }
  }

  let artist: String
  let title: String
  let year: Int
  let genre: String
  let instruments: Instruments
  /// The MIDI number of the first track's tonic, the scale above it in semitones, and the tempo in beats per minute.
  let key: (tonic: Int, scale: [Int], tempo: Double)
  /// The colours of the cover's sky, horizon and nearest hill, as 0xRRGGBB.
  let colours: (sky: Int, horizon: Int, hill: Int)
  var isGapless = false
  /// True if each audio file embeds the cover; otherwise the cover is the file cover.jpg in the album's folder.
  var embedsCover = false
  /// The titles, and the lengths in bars of four beats.
  let tracks: [(title: String, bars: Int)]

  var folder: String { "\(artist)/\(year) - \(title)" }

  static let all = [
    DemoAlbum(
      artist: "Nova Kessler", title: "Night Lines", year: 2020, genre: "Electronic", instruments: .synthesizer,
      key: (57, minor, 108), colours: (0x14103C, 0xE07848, 0x120C22), embedsCover: true,
      tracks: [("Last Tram", 24), ("Sodium Light", 20), ("Window Seat", 20), ("Arrivals", 28), ("雨のホーム", 16)]),
    DemoAlbum(
      artist: "Marrow & Pine", title: "Low Tide Letters", year: 2014, genre: "Folk", instruments: .guitar,
      key: (55, major, 88), colours: (0xF0B878, 0xF4D8A8, 0x8A5A34),
      tracks: [
        ("Salt on the Sill", 20), ("Harbour Bell", 16), ("What the Heron Knew", 24), ("A Small Boat", 8),
        ("Letters Home", 18),
      ]),
    DemoAlbum(
      artist: "Halcyon Static", title: "Slow Weather", year: 2016, genre: "Ambient", instruments: .choir,
      key: (60, lydian, 60), colours: (0x081426, 0x30B088, 0x060A12), isGapless: true, embedsCover: true,
      tracks: [("High Pressure", 14), ("Cirrus", 12), ("The Long Front", 18), ("Clearing", 14)]),
    DemoAlbum(
      artist: "Éloïse Marée", title: "Chambres d’eau", year: 2011, genre: "Modern Classical", instruments: .piano,
      key: (62, minor, 72), colours: (0x4A7888, 0xA8D0CC, 0x24404C),
      tracks: [("Première lumière", 16), ("Le couloir", 14), ("Interlude", 7), ("Salle des cartes", 20)]),
    DemoAlbum(
      artist: "Nova Kessler", title: "Glasshouse", year: 2024, genre: "Downtempo", instruments: .electricPiano,
      key: (60, dorian, 78), colours: (0x1E4030, 0xC8E090, 0x143024),
      tracks: [("Condensation", 16), ("Fern Room", 18), ("Slow Shutter", 14), ("After Closing", 20)]),
    DemoAlbum(
      artist: "Éloïse Marée", title: "Petite Ourse", year: 2022, genre: "Modern Classical", instruments: .piano,
      key: (64, lydian, 70), colours: (0x0C1030, 0x6878C0, 0x080A1C), embedsCover: true,
      tracks: [("Polaris", 16), ("Neuf heures du soir", 18), ("Constellation inventée", 12), ("Jusqu’au matin", 14)]),
    DemoAlbum(
      artist: "Marrow & Pine", title: "The Long Orchard", year: 2019, genre: "Folk", instruments: .guitar,
      key: (62, dorian, 96), colours: (0xD88850, 0xF8E0A0, 0x5A2A1C), embedsCover: true,
      tracks: [("Ladder Song", 24), ("Windfall", 18), ("Frost Warning", 16), ("Pressing Day", 24)]),
  ]

  private static let major = [0, 2, 4, 5, 7, 9, 11]
  private static let minor = [0, 2, 3, 5, 7, 8, 10]
  private static let dorian = [0, 2, 3, 5, 7, 9, 10]
  private static let lydian = [0, 2, 4, 6, 7, 9, 11]
}

extension DemoAlbum {
  /// The sample rate of the files, in Hz.
  static let rate = 44_100
  /// The sample rate of the computed sound, in Hz. It has no higher frequencies than this rate can hold.
  static let computedRate = 22_050
  /// The chords of eight bars, as degrees of the scale, for one track after the other; a track repeats them until its
  /// end.
  private static let progressions = [
    [0, 5, 2, 6, 3, 5, 0, 6], [0, 3, 0, 6, 5, 3, 0, 4], [5, 6, 0, 2, 3, 5, 6, 0], [0, 4, 5, 3, 3, 0, 4, 5],
    [0, 6, 3, 0, 4, 3, 6, 0],
  ]

  private var bar: Double { 240 / key.tempo }

  /// Returns the length of a track in samples.
  func samples(_ track: Int) -> Int { Int(Double(tracks[track].bars) * bar * Double(Self.rate)) }

  /// The filter graph of the music. It computes each track's eight bars once and repeats them, joins the tracks, and
  /// then cuts the sound into the outputs `[track0]`, `[track1]` …. As one sound is cut, the joins of a gapless album
  /// are inaudible.
  var sound: String {
    // The loop is a whole number of samples, so that its repetitions join without a click.
    let loop = Int(8 * bar * Double(Self.computedRate))
    var (graph, cuts, start) = ("", "", 0)
    for index in tracks.indices {
      let length = samples(index)
      graph += "aevalsrc='\(expression(index))':s=\(Self.computedRate):d=\(8 * bar + 0.1),atrim=end_sample=\(loop),"
      graph += "aloop=loop=-1:size=\(loop),aresample=\(Self.rate),atrim=end_sample=\(length)"
      if !isGapless || index == 0 { graph += ",afade=d=0.05" }
      if !isGapless || index == tracks.count - 1 {
        graph += ",afade=t=out:st=\(Double(length) / Double(Self.rate) - 3):d=2.5"
      }
      graph += "[part\(index)];"
      cuts += ";[copy\(index)]atrim=start_sample=\(start):end_sample=\(start + length),asetpts=N[track\(index)]"
      start += length
    }
    return graph + tracks.indices.map { "[part\($0)]" }.joined()
      + "concat=n=\(tracks.count):v=0:a=1,asplit[left][source];"
      + "[source]adelay=11,aecho=0.8:0.6:230|410:0.3|0.2[right];[left]aecho=0.8:0.6:190|370:0.3|0.2[echo];"
      + "[echo][right]join=inputs=2:channel_layout=stereo,lowpass=f=6000,volume=1.6,aformat=s16,asplit=\(tracks.count)"
      + tracks.indices.map { "[copy\($0)]" }.joined() + cuts
  }

  /// Returns the ffmpeg expression for the sample at the time `t` of a track's eight bars. In it, register 0 is the
  /// number of the bar, 1 the time in the bar, 2 the frequency of the plucked note, and 3 the time since it was
  /// plucked.
  private func expression(_ track: Int) -> String {
    let chords = Self.progressions[track % Self.progressions.count]
    func frequency(_ degree: Int, octave: Int = 0) -> Double {
      let semitone = key.tonic + [0, 5, -2, 3, 7][track % 5] + 12 * (octave + degree / 7) + key.scale[degree % 7] - 69
      return 440 * pow(2, Double(semitone) / 12)
    }
    /// Returns nested conditions that select the value for the chord of the current bar.
    func byBar(_ value: (_ chord: Int) -> Double) -> String {
      chords.indices.reversed().reduce("0") { rest, bar in "if(eq(ld(0),\(bar)),\(value(chords[bar])),\(rest))" }
    }
    let (i, sine, noteLength) = (instruments, "sin(6.2831853*t*", bar / Double(instruments.notes.count))
    let pad = [0, 2, 4].map { step in "\(sine)\(byBar { frequency($0 + step) }))" }.joined(separator: "+")
    let plucked = i.notes.enumerated().reversed().reduce("0") { rest, note in
      "if(eq(ld(2),\(note.offset)),\(byBar { frequency($0 + note.element, octave: 1) }),\(rest))"
    }
    return """
      st(0,mod(floor(t/\(bar)),8));st(1,mod(t,\(bar)));\
      st(2,mod(floor(t/\(noteLength)),\(i.notes.count)));st(3,mod(t,\(noteLength)));st(2,\(plucked));\
      \(i.pad)*(\(pad))*min(1,ld(1)*\(i.attack))*min(1,(\(bar)-ld(1))*\(i.release))\
      +\(i.bass)*\(sine)\(byBar { frequency($0, octave: -2) }))*exp(-ld(1)*\(i.bassDecay))*min(1,ld(1)*200)\
      *min(1,(\(bar)-ld(1))*100)\
      +\(i.pluck)*(\(sine)ld(2))+0.35*\(sine)2*ld(2)))*exp(-ld(3)*\(i.pluckDecay))*min(1,ld(3)*300)\
      *min(1,(\(noteLength)-ld(3))*200)
      """
  }

  /// Returns the ffmpeg source of a square cover with sides of `side` pixels: a sun over three rows of hills, whose
  /// outlines depend on the year. Register 0 is the number of hills in front of the sky at a pixel, 1 its distance from
  /// the sun.
  func cover(side: Int) -> String {
    let seed = Double(year % 100)
    let hills = (0..<3).map { hill -> String in
      let row = Double(hill)
      return
        "gt(Y/H,\(0.5 + row * 0.14)+0.05*sin(X/W*\(3 + (seed + row * 3).remainder(dividingBy: 7).magnitude)+\(seed + row)))"
    }
    let channels = zip("rgb", [16, 8, 0]).map { name, shift in
      let (sky, horizon, hill) = (
        colours.sky >> shift & 255, colours.horizon >> shift & 255, colours.hill >> shift & 255
      )
      return """
        \(name)='st(0,\(hills.joined(separator: "+")));st(1,hypot(X/W-\(0.2 + seed.remainder(dividingBy: 5).magnitude / 4),Y/H-0.3));\
        clip(if(ld(0),\(horizon)+(\(hill)-\(horizon))*(0.25+0.25*ld(0)),\
        if(lt(ld(1),0.1),\(horizon)+50,\(sky)+(\(horizon)-\(sky))*Y/H*1.6)),0,255)'
        """
    }
    return "color=black:s=\(side)x\(side):d=0.04,format=gbrp,geq=\(channels.joined(separator: ":")),noise=alls=7:allf=u"
  }
}
