import Model
import System

@testable import Records

/// Invented music as plain values, from a seed: what the rows of `RuleCatalogue` say.
struct RuleMusic {
  struct Person {
    var number: Int64
    var names: [String]
    var sort: String
  }

  struct Album {
    var number: Int64
    var title: String
    var sort: String
    var artists: [Int]
    var artist: String
    var artistSort: String
    var year: Int?
    var date: String?
    var words: [RuleField: [String]]
    var duration: Int64 = 0
  }

  /// A copy of a track: the first is shown.
  struct Copy {
    var number: Int64
    var source: String
    var folder: String?
    var file: String
    /// The count of plays that its tag had.
    var imported = 0
    var plays = 0
    var skips = 0

    var path: String { folder.map { "\($0)/\(file)" } ?? file }
  }

  struct Track {
    var number: Int64
    var album: Int
    var title: String
    var sort: String
    /// The people in their roles, as indexes of `people`.
    var credits: [CreditRole: [Int]]
    var artist: String
    var artistSort: String
    var work: Int?
    var disc: Int
    var place: Int?
    var year: Int?
    var rating: Int?
    var duration: Int64
    var bitRate: Int?
    var format: String?
    var codec: String?
    var sampleRate: Int?
    var bitDepth: Int?
    var addedAt: Timestamp
    var playedAt: Timestamp?
    var copies: [Copy]
    /// The number of a row that was removed and has this track as heir.
    var former: Int64 { number + 5000 }
    /// Plays that were recorded for the removed row.
    var formerPlays = 0

    var plays: Int {
      formerPlays + copies.reduce(0) { $0 + $1.plays } + (copies.map(\.imported).max() ?? 0)
    }
    var skips: Int { copies.reduce(0) { $0 + $1.skips } }
  }

  static let now = Timestamp(seconds: 1_790_000_000)
  static let words: [RuleField: [String]] = [
    .genre: ["Jazz", "Free Jazz", "Rock", "Électro"], .style: ["Bop", "Cool", "Été"], .mood: ["Calm", "Wild"],
    .label: ["Blue Note", "ECM"],
  ]
  static let folders = ["/music/Jazz", "/music/Jazz/Été", "/music/Jazz b", "/srv/x"]
  static let works = ["Suite", "The Seasons", "Nocturne Öp"]
  private static let titles = [
    "Home", "The Home", "Ænima", "A Night", "night song", "100%", "O'Clock", "Été", "Home again", "X_y",
  ]

  var people: [Person]
  var albums: [Album] = []
  var tracks: [Track] = []
  /// The playlists by number: the numbers of the tracks that they have.
  var playlists: [Int64: Set<Int64>] = [:]

  init(seed: UInt64) {
    var dice = SplitMix64(state: seed)
    let names = [
      ["Ann Lee"], ["Ben"], ["Björk"], ["The Knife"], ["Æther"], ["Duo Co"], ["Cyn", "Cynthia"], ["Dot"],
    ]
    people = names.enumerated().map { Person(number: Int64($0 + 1), names: $1, sort: "p\(7 - $0)") }
    for number in 1...14 {
      let artists = Array((0..<6).shuffled(using: &dice).prefix(.random(in: 1...2, using: &dice)))
      let year = dice.some(Int.random(in: 1955...1975, using: &dice))
      albums.append(
        Album(
          number: Int64(number), title: Self.titles[number % 10], sort: "s\(Int.random(in: 0...5, using: &dice))",
          artists: artists, artist: artists.map { people[$0].names[0] }.joined(separator: " & "),
          artistSort: people[artists[0]].sort, year: year, date: year.flatMap { dice.some("\($0)-05-01") },
          words: Self.words.mapValues { Array($0.shuffled(using: &dice).prefix(.random(in: 0...2, using: &dice))) }))
    }
    for album in albums.indices {
      for place in 1...Int.random(in: 2...8, using: &dice) { tracks.append(track(album, place, &dice)) }
    }
    playlists = [
      1: Set(tracks.shuffled(using: &dice).prefix(20).map(\.number)),
      2: Set(tracks.shuffled(using: &dice).prefix(5).map(\.number)),
      4: [],
    ]
  }

  private mutating func track(_ album: Int, _ place: Int, _ dice: inout SplitMix64) -> Track {
    let number = albums[album].number * 100 + Int64(place)
    var credits: [CreditRole: [Int]] = [:]
    for role in [CreditRole.artist, .composer, .conductor, .performer] where Bool.random(using: &dice) {
      credits[role] = Array(people.indices.shuffled(using: &dice).prefix(.random(in: 1...2, using: &dice)))
    }
    let own = credits[.artist].map { $0.map { people[$0].names[0] }.joined(separator: ", ") }
    let duration = Int64.random(in: 0...900, using: &dice) * 500
    albums[album].duration += duration
    var copies: [Copy] = []
    for copy in 0...(Int.random(in: 0...3, using: &dice) == 0 ? 1 : 0) {
      let isFile = Bool.random(using: &dice)
      let file = "0\(place) \(["Home", "Été", "x"].randomElement(using: &dice) ?? "")"
      copies.append(
        Copy(
          number: number + Int64(copy * 50), source: isFile ? "files" : "plex",
          folder: isFile ? Self.folders.randomElement(using: &dice) : nil,
          file: isFile ? "\(file)-\(number)-\(copy).flac" : "/Plex/\(file).mp3",
          imported: dice.some(.random(in: 1...4, using: &dice)) ?? 0,
          plays: dice.some(.random(in: 1...3, using: &dice)) ?? 0,
          skips: dice.some(.random(in: 1...2, using: &dice)) ?? 0))
    }
    let ago = Int64.random(in: 0...60 * 86_400, using: &dice)
    let heard = Int64.random(in: 0...60 * 86_400, using: &dice)
    return Track(
      number: number, album: album, title: Self.titles.randomElement(using: &dice) ?? "",
      sort: "t\(Int.random(in: 0...9, using: &dice))", credits: credits, artist: own ?? albums[album].artist,
      artistSort: own == nil || own == albums[album].artist
        ? albums[album].artistSort : "q\(Int.random(in: 0...5, using: &dice))",
      work: dice.some(.random(in: 0...2, using: &dice)), disc: .random(in: 1...2, using: &dice),
      place: dice.some(place), year: dice.some(.random(in: 1955...1975, using: &dice)),
      rating: dice.some(.random(in: 0...10, using: &dice)), duration: duration,
      bitRate: dice.some([128, 320, 900].randomElement(using: &dice) ?? 0),
      format: dice.some("flac") ?? dice.some("mp3"),
      codec: dice.some("flac") ?? dice.some("aac"), sampleRate: dice.some(96_000) ?? dice.some(44_100),
      bitDepth: dice.some(24) ?? dice.some(16), addedAt: Timestamp(seconds: Self.now.seconds - ago),
      playedAt: dice.some(Timestamp(seconds: Self.now.seconds - heard)), copies: copies,
      formerPlays: Int.random(in: 0...5, using: &dice) == 0 ? 2 : 0)
  }
}

extension SplitMix64 {
  /// Returns the value two times of three, and otherwise nil.
  fileprivate mutating func some<T>(_ value: T) -> T? { Int.random(in: 0...2, using: &self) == 0 ? nil : value }
}
