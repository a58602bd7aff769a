import Glibc
import Model

@testable import People
@testable import Records

/// Rules worked out in plain Swift over the values of `RuleMusic`, as slowly and simply as possible.
struct NaiveRules {
  let music: RuleMusic
  /// The tracks of playlists, the smart ones included.
  let playlists: [String: Set<Int64>]

  /// Returns the numbers of the tracks of rules, in their order.
  func tracks(_ rules: PlaylistRules) -> [Int64] {
    let found = music.tracks.filter { matches($0, rules.condition) }
    guard rules.unit == .albums else {
      let sorted = found.sorted { left, right in
        if rules.isRandom { return place(left.number, rules) < place(right.number, rules) }
        for order in rules.order {
          if let isBefore = isBefore(key(order.field, left), key(order.field, right), order) { return isBefore }
        }
        let (a, b) = (music.albums[left.album], music.albums[right.album])
        return (a.artistSort, a.sort, Int(a.number)) == (b.artistSort, b.sort, Int(b.number))
          ? inAlbum(left) < inAlbum(right)
          : (a.artistSort, a.sort, Int(a.number)) < (b.artistSort, b.sort, Int(b.number))
      }
      return Array(sorted.prefix(kept(sorted.map(\.duration), rules))).map(\.number)
    }
    let albums = Set(found.map(\.album)).sorted { left, right in
      let (a, b) = (music.albums[left], music.albums[right])
      if rules.isRandom { return place(a.number, rules) < place(b.number, rules) }
      for order in rules.order {
        func least(_ album: Int) -> Key? {
          let keys = found.filter { $0.album == album }.compactMap { key(order.field, $0) }
          return order.isDescending ? keys.max() : keys.min()
        }
        if let isBefore = isBefore(least(left), least(right), order) { return isBefore }
      }
      return (a.artistSort, a.sort, a.number) < (b.artistSort, b.sort, b.number)
    }
    return albums.prefix(kept(albums.map { music.albums[$0].duration }, rules)).flatMap { album in
      music.tracks.filter { $0.album == album }.sorted { inAlbum($0) < inAlbum($1) }.map(\.number)
    }
  }

  private func place(_ number: Int64, _ rules: PlaylistRules) -> Int64 {
    RuleFunctions.shuffled(number, rules.seed ?? 0)
  }

  private func inAlbum(_ track: RuleMusic.Track) -> (Int, Int, String, Int64) {
    (track.disc, track.place ?? 1_000_000, track.sort, track.number)
  }

  /// Returns how many of the items with these durations are within the limits.
  private func kept(_ durations: [Int64], _ rules: PlaylistRules) -> Int {
    var kept = durations.count
    if let limit = rules.limit { kept = min(kept, Int(limit)) }
    if let percent = rules.limitPercent {
      kept = min(kept, Int((Double(durations.count) * Double(percent) / 100).rounded(.up)))
    }
    if let minutes = rules.limitMinutes {
      var total: Int64 = 0
      for (index, duration) in durations.enumerated() {
        total += duration
        if total > minutes * 60_000 { return min(kept, index) }
      }
    }
    return kept
  }

  func matches(_ track: RuleMusic.Track, _ condition: PlaylistRules.Condition) -> Bool {
    switch condition {
    case .all(let parts): parts.allSatisfy { matches(track, $0) }
    case .any(let parts): parts.contains { matches(track, $0) }
    case .comparison(let field, .isNot, let value): !compares(track, field, .is, value)
    case .comparison(let field, .notContains, let value): !compares(track, field, .contains, value)
    case .comparison(let field, .notInTheLast, let value): !compares(track, field, .inTheLast, value)
    case .comparison(let field, .notInPlaylist, let value): !compares(track, field, .inPlaylist, value)
    case .comparison(let field, let comparison, let value): compares(track, field, comparison, value)
    }
  }

  private func compares(
    _ track: RuleMusic.Track, _ field: RuleField, _ comparison: RuleOperator, _ value: PlaylistRules.Value
  ) -> Bool {
    switch (field.kind, value) {
    case (.playlist, .text(let id)): return playlists[id]?.contains(track.number) ?? false
    case (.text, .text(let text)) where field == .folder && comparison == .is:
      return track.copies.compactMap(\.folder).contains { $0 == text || $0.hasPrefix("\(text)/") }
    case (.text, .text(let text)):
      let value = Self.folded(text)
      return texts(field, track).map(Self.folded).contains {
        switch comparison {
        case .contains: value.isEmpty || $0.contains(value)
        case .startsWith: $0.hasPrefix(value)
        case .endsWith: $0.hasSuffix(value)
        default: $0 == value.trimming(" ")
        }
      }
    case (.number, .number(let other)):
      guard let number = number(field, track) else { return false }
      return comparison == .gt ? number > other : comparison == .lt ? number < other : number == other
    case (.number, .range(let first, let last)):
      return number(field, track).map { first <= $0 && $0 <= last } ?? false
    case (.time, _):
      guard let time = field == .dateAdded ? track.addedAt : track.playedAt else { return false }
      return switch value {
      case .day(let day): comparison == .before ? time.seconds < Self.start(day) : time.seconds >= Self.start(day, 1)
      case .days(let first, let last): time.seconds >= Self.start(first) && time.seconds < Self.start(last, 1)
      case .number(let days): time.seconds >= Self.start(daysAgo: Int32(days))
      default: false
      }
    default: return false
    }
  }

  /// The second at which a day begins, some days later, in the time zone of the machine.
  private static func start(_ day: PlaylistRules.Day, _ later: Int32 = 0) -> Int64 {
    let parts = day.text.split(separator: "-").compactMap { Int32($0) }
    var date = tm()
    (date.tm_year, date.tm_mon, date.tm_mday, date.tm_isdst) = (parts[0] - 1900, parts[1] - 1, parts[2] + later, -1)
    return Int64(mktime(&date))
  }

  private static func start(daysAgo days: Int32) -> Int64 {
    var now = time_t(RuleMusic.now.seconds)
    var date = tm()
    localtime_r(&now, &date)
    (date.tm_hour, date.tm_min, date.tm_sec, date.tm_isdst) = (0, 0, 0, -1)
    date.tm_mday -= days
    return Int64(mktime(&date))
  }

  private func names(_ people: [Int]?) -> [String] { (people ?? []).flatMap { music.people[$0].names } }

  /// The texts of a track of which one has to compare.
  func texts(_ field: RuleField, _ track: RuleMusic.Track) -> [String] {
    let album = music.albums[track.album]
    return switch field {
    case .title: [track.title]
    case .album: [album.title]
    case .artist: [track.artist] + names(track.credits[.artist] ?? album.artists)
    case .albumArtist: [album.artist] + names(album.artists)
    case .composer: names(track.credits[.composer])
    case .conductor: names(track.credits[.conductor])
    case .performer: names(track.credits[.performer])
    case .genre, .style, .mood, .label: album.words[field] ?? []
    case .date: album.date.map { [$0] } ?? []
    case .filePath: track.copies.map(\.path)
    case .folder: track.copies.compactMap(\.folder)
    case .fileType: track.format.map { [$0] } ?? []
    case .format: track.codec.map { [$0] } ?? []
    case .work: track.work.map { [RuleMusic.works[$0]] } ?? []
    case .source: track.copies.map(\.source)
    default: []
    }
  }

  private func number(_ field: RuleField, _ track: RuleMusic.Track) -> Double? {
    switch field {
    case .year: (track.year ?? music.albums[track.album].year).map(Double.init)
    case .rating: Double(track.rating ?? 0) / 2
    case .playCount: Double(track.plays)
    case .skips: Double(track.skips)
    case .duration: Double(track.duration) / 1000
    case .bitRate: track.bitRate.map(Double.init)
    case .sampleRate: track.sampleRate.map(Double.init)
    case .bitDepth: track.bitDepth.map(Double.init)
    case .trackNumber: track.place.map(Double.init)
    case .discNumber: Double(track.disc)
    default: nil
    }
  }
}

/// The order.
extension NaiveRules {
  /// The value by which is sorted: a number, or else a text.
  struct Key: Comparable {
    var number: Double = 0
    var text = ""

    static func < (left: Key, right: Key) -> Bool { (left.number, left.text) < (right.number, right.text) }
  }

  /// Returns nil for equal keys. A track without a key comes last in both directions.
  private func isBefore(_ left: Key?, _ right: Key?, _ order: PlaylistRules.Order) -> Bool? {
    guard left != right else { return nil }
    guard let left else { return false }
    guard let right else { return true }
    return order.isDescending ? left > right : left < right
  }

  private func key(_ field: RuleField, _ track: RuleMusic.Track) -> Key? {
    let album = music.albums[track.album]
    func sort(_ role: CreditRole) -> Key? { track.credits[role]?.first.map { Key(text: music.people[$0].sort) } }
    return switch field {
    case .title: Key(text: track.sort)
    case .album: Key(text: album.sort)
    case .artist: Key(text: track.artistSort)
    case .albumArtist: Key(text: album.artistSort)
    case .composer: sort(.composer)
    case .conductor: sort(.conductor)
    case .performer: sort(.performer)
    case .work: track.work.map { Key(text: "w\(2 - $0)") }
    case .rating: track.rating.map { Key(number: Double($0)) }
    case .dateAdded: Key(number: Double(track.addedAt.seconds))
    case .lastPlayed: track.playedAt.map { Key(number: Double($0.seconds)) }
    case .source: Key(text: track.copies[0].source)
    case .filePath: Key(text: Self.folded(track.copies[0].path))
    case .folder: Key(text: Self.folded(track.copies[0].folder ?? track.copies[0].file))
    default:
      field.kind == .number
        ? number(field, track).map { Key(number: $0) }
        : texts(field, track).map(Self.folded).min().map { Key(text: $0) }
    }
  }

  /// Folds the texts of `RuleMusic`, which have no other letters.
  static func folded(_ text: String) -> String {
    text.lowercased().map { ["æ": "ae", "é": "e", "ö": "o"][$0] ?? String($0) }.joined()
  }
}

extension String {
  fileprivate func trimming(_ character: Character) -> String {
    String(drop { $0 == character }.reversed().drop { $0 == character }.reversed())
  }
}
