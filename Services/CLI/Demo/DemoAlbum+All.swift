extension DemoAlbum {
  /// The albums of the demo library: invented artists, invented titles. Degrees count from 0 for the tonic's chord.
  static let all: [DemoAlbum] = [
    DemoAlbum(
      artist: "Nova Kessler", title: "Night Lines", year: 2020, genre: "Electronic", composer: .night, cover: .skyline,
      embedsCover: true,
      tracks: [
        DemoTrack("Last Tram", 57, .minor, 108, bars: 24, [0, 5, 2, 6], [3, 5, 0, 6]),
        DemoTrack("Sodium Light", 62, .dorian, 104, bars: 20, [0, 3, 0, 6], [5, 3, 0, 4]),
        DemoTrack("Window Seat", 55, .minor, 112, bars: 20, [0, 2, 5, 6], [3, 0, 5, 4], playsOn: true),
        DemoTrack("Arrivals", 55, .minor, 112, bars: 28, [5, 6, 0, 2], [3, 5, 6, 0]),
        DemoTrack("雨のホーム", 60, .dorian, 100, bars: 16, [0, 6, 3, 0], [5, 6, 0, 3]),
      ]),
    DemoAlbum(
      artist: "Marrow & Pine", title: "Low Tide Letters", year: 2014, genre: "Folk", composer: .folk, cover: .dunes,
      embedsCover: false,
      tracks: [
        DemoTrack("Salt on the Sill", 55, .major, 92, bars: 20, [0, 4, 5, 3], [3, 0, 4, 5]),
        DemoTrack("Harbour Bell", 62, .major, 84, bars: 16, [0, 3, 0, 4], [5, 3, 0, 4]),
        DemoTrack("What the Heron Knew", 57, .dorian, 96, bars: 24, [0, 6, 3, 0], [2, 6, 3, 4]),
        DemoTrack("A Small Boat", 60, .mixolydian, 88, bars: 8, [0, 6, 3, 0], [3, 6, 0, 0]),
        DemoTrack("Letters Home", 55, .major, 80, bars: 18, [0, 5, 3, 4], [5, 3, 0, 4]),
      ]),
    DemoAlbum(
      artist: "Halcyon Static", title: "Slow Weather", year: 2016, genre: "Ambient", composer: .ambient, cover: .aurora,
      embedsCover: true,
      tracks: [
        DemoTrack("High Pressure", 60, .lydian, 60, bars: 14, [0, 1, 5, 4], [3, 1, 0, 4], playsOn: true),
        DemoTrack("Cirrus", 60, .lydian, 60, bars: 12, [5, 2, 0, 1], [4, 1, 5, 0]),
        DemoTrack("The Long Front", 57, .dorian, 60, bars: 18, [0, 3, 6, 2], [5, 6, 0, 3], playsOn: true),
        DemoTrack("Clearing", 60, .major, 60, bars: 14, [3, 0, 5, 4], [0, 4, 3, 0]),
      ]),
    DemoAlbum(
      artist: "Éloïse Marée", title: "Chambres d’eau", year: 2011, genre: "Modern Classical", composer: .piano,
      cover: .ripples, embedsCover: false,
      tracks: [
        DemoTrack("Première lumière", 62, .minor, 72, bars: 16, [0, 5, 2, 6], [3, 0, 5, 4]),
        DemoTrack("Le couloir", 57, .minor, 80, bars: 14, [0, 3, 6, 2], [5, 2, 3, 4]),
        DemoTrack("Interlude", 65, .lydian, 66, bars: 7, [0, 1, 0, 4], [3, 4, 0, 1]),
        DemoTrack("Salle des cartes", 60, .dorian, 76, bars: 20, [0, 2, 3, 6], [5, 6, 0, 3]),
      ]),
    DemoAlbum(
      artist: "Nova Kessler", title: "Glasshouse", year: 2024, genre: "Downtempo", composer: .lounge, cover: .glass,
      embedsCover: false,
      tracks: [
        DemoTrack("Condensation", 60, .dorian, 78, bars: 16, [0, 3, 6, 2], [5, 1, 4, 0]),
        DemoTrack("Fern Room", 65, .major, 84, bars: 18, [1, 4, 0, 5], [3, 2, 1, 4]),
        DemoTrack("Slow Shutter", 58, .major, 72, bars: 14, [0, 5, 1, 4], [3, 4, 2, 5]),
        DemoTrack("After Closing", 62, .minor, 80, bars: 20, [0, 3, 6, 2], [5, 3, 1, 4]),
      ]),
    DemoAlbum(
      artist: "Éloïse Marée", title: "Petite Ourse", year: 2022, genre: "Modern Classical", composer: .piano,
      cover: .stars, embedsCover: true,
      tracks: [
        DemoTrack("Polaris", 64, .major, 70, bars: 16, [0, 2, 5, 3], [3, 4, 0, 5]),
        DemoTrack("Neuf heures du soir", 61, .minor, 76, bars: 18, [0, 6, 5, 4], [2, 6, 3, 0]),
        DemoTrack("Constellation inventée", 66, .lydian, 68, bars: 12, [0, 4, 1, 5], [5, 1, 4, 0], playsOn: true),
        DemoTrack("Jusqu’au matin", 66, .lydian, 68, bars: 14, [3, 4, 0, 1], [5, 3, 0, 4]),
      ]),
    DemoAlbum(
      artist: "Marrow & Pine", title: "The Long Orchard", year: 2019, genre: "Folk", composer: .folk, cover: .forest,
      embedsCover: true,
      tracks: [
        DemoTrack("Ladder Song", 62, .major, 100, bars: 24, [0, 3, 5, 4], [3, 4, 0, 5]),
        DemoTrack("Windfall", 57, .minor, 90, bars: 18, [0, 5, 6, 0], [2, 6, 5, 4]),
        DemoTrack("Frost Warning", 64, .dorian, 86, bars: 16, [0, 3, 0, 6], [2, 3, 6, 0]),
        DemoTrack("Pressing Day", 60, .mixolydian, 104, bars: 24, [0, 6, 3, 0], [4, 3, 6, 0]),
      ]),
  ]
}
