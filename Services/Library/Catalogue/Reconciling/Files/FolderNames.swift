import Model
import MusicTags
import Records
import Text

/// Guesses the names of files without tags from the names of the files and of their folders.
///
/// A guess is made only where the names leave no doubt: a pattern of file names counts only if all files of the folder
/// with a number agree, or all without, and names such as `Music`, `Various` or `Rock` name neither an album nor an
/// artist.
struct FolderNames {
  /// The values that names give; nil if they give none.
  struct Guess: Hashable {
    var title: String?
    var artist: String?
    var album: String?
    var year: Int?
    var disc: Int?
    var number: Int?
    /// The side and number of a record, such as `A1`.
    var side: String?
  }

  /// A file below the album's folder.
  struct File {
    var folder: [UInt8]
    var name: [UInt8]
  }

  /// Returns a guess for each of the files without tags of an album's folder.
  ///
  /// - Parameter roots: the music folders, whose own names and parents say nothing about music.
  static func guesses(for files: [File], in albumFolder: [UInt8], roots: [[UInt8]]) -> [Guess] {
    let isRoot = roots.contains(albumFolder) || !roots.contains { FilePath.isWithin(albumFolder, $0) }
    var album = Guess()
    if !isRoot {
      let parent = FilePath.parent(albumFolder).flatMap { roots.contains($0) ? nil : $0 }
      album = FolderName.guess(text(FilePath.name(albumFolder)), below: parent.map { text(FilePath.name($0)) })
    }
    let stems = files.map { FileStem(text(Array(FileName.stem($0.name).utf8))) }
    let pattern = FileStemPattern(stems, artist: album.artist)
    return zip(files, stems).map { file, stem in
      var guess = album
      pattern.apply(stem, to: &guess)
      if file.folder != albumFolder {
        let disc = text(FilePath.name(file.folder))
        guess.disc = FileName.disc(ofFolder: Array(disc.utf8))?.number ?? guess.disc
      }
      return guess
    }
  }

  /// Returns a guess for a file with some tags, of its title, artist and number only.
  ///
  /// - Parameters:
  ///   - title: its title; nil if it is not known.
  ///   - artists: the names of its artists and album artists; empty if none is known.
  static func guess(for name: [UInt8], title: String?, artists: [String]) -> Guess {
    let stem = FileStem(text(Array(FileName.stem(name).utf8)))
    var guess = Guess(title: stem.rest, number: stem.number)
    let parts = stem.parts
    guard let first = parts.first, parts.count > 1 else { return guess }
    if !artists.isEmpty {
      let isKnown = artists.contains { $0.caseFolded == first.caseFolded }
      if isKnown { guess.title = parts.dropFirst().joined(separator: " - ") }
    } else if parts.count == 2, !FolderName.isGeneric(first),
      title.map({ $0.caseFolded == parts[1].caseFolded }) ?? true
    {
      guess.artist = first
      guess.title = parts[1]
    }
    return guess
  }

  /// Returns a name as text, with spaces where it has only underscores.
  private static func text(_ name: [UInt8]) -> String {
    let text = String(decoding: name, as: UTF8.self).normalised
    return (text.contains(" ") ? text : String(text.map { $0 == "_" ? " " : $0 })).trimmed
  }
}

/// The name of an album's folder.
private enum FolderName {
  /// Names of folders that hold many albums, or files of any kind.
  private static let generic: Set<String> = [
    "music", "musik", "musique", "audio", "media", "library", "collection", "albums", "singles", "tracks", "songs",
    "misc", "miscellaneous", "other", "others", "new", "unsorted", "incoming", "downloads", "download", "tmp", "temp",
    "unknown", "unknown artist", "unknown album", "untitled", "compilations", "compilation", "soundtracks",
    "soundtrack",
    "ost", "various", "various artists", "va", "v.a.", "v/a", "flac", "mp3", "ogg", "opus", "lossless", "lossy",
    "rock", "pop", "jazz", "blues", "folk", "metal", "classical", "electronic", "hip hop", "hip-hop", "rap", "reggae",
    "country", "punk", "world", "ambient", "techno", "house", "soul", "funk", "r&b", "indie", "christmas",
  ]
  /// Words in brackets or in scene names that describe the files.
  private static let formats: Set<String> = [
    "flac", "mp3", "ogg", "opus", "aac", "alac", "ape", "wav", "wv", "320", "320k", "320kbps", "256", "v0", "v2", "vbr",
    "cbr", "cd", "web", "vinyl", "lp", "cdda", "lossless", "24bit", "16bit", "24-bit", "16-bit", "24-96", "24-192",
    "24-44", "16-44", "44.1khz", "48khz", "96khz", "192khz", "kbps",
  ]

  static func isGeneric(_ name: String) -> Bool {
    let name = name.caseFolded
    return name.count < 2 || generic.contains(name) || year(name) != nil
      || name.utf8.count == 5 && name.hasSuffix("s") && name.dropLast().allSatisfy(\.isNumber)
      || FileName.disc(ofFolder: Array(name.utf8))?.album.isEmpty == true
  }

  static func year(_ text: some StringProtocol) -> Int? {
    guard text.utf8.count == 4, text.utf8.allSatisfy({ (48...57).contains($0) }), let year = Int(text) else {
      return nil
    }
    return (1900...2099).contains(year) ? year : nil
  }

  static func guess(_ name: String, below parent: String?) -> FolderNames.Guess {
    var guess = FolderNames.Guess()
    guard !isGeneric(name) else { return guess }
    if let scene = scene(name) { return scene }
    let above = parent.flatMap { isGeneric($0) ? nil : withoutBrackets($0, &guess.year) }
    guess.year = nil
    var rest = withoutBrackets(name, &guess.year)
    rest = withoutYear(rest, &guess.year)
    guard !isGeneric(rest) else { return FolderNames.Guess() }
    guess.artist = above
    guess.album = rest
    guard let dash = rest.range(ofFirst: " - ") else { return guess }
    let first = String(rest[..<dash.lowerBound]).trimmed
    var year = guess.year
    let second = withoutYear(String(rest[dash.upperBound...]).trimmed, &year)
    guard !first.isEmpty, !second.isEmpty, second.range(ofFirst: " - ") == nil else { return guess }
    if let above {
      // `Moby/Play - The B Sides` has no artist in its name, and `Moby/Moby - Play` has the one above.
      if first.caseFolded == above.caseFolded {
        guess.album = second
        guess.year = year
      }
      return guess
    }
    guard !isGeneric(second) else { return guess }
    guess.album = second
    guess.year = year
    guess.artist = isGeneric(first) ? nil : first
    return guess
  }

  /// Takes years and descriptions of the format in brackets off the end: `[1999] (FLAC)`. Other brackets stay.
  private static func withoutBrackets(_ name: String, _ year: inout Int?) -> String {
    let pairs: [Character: Character] = [")": "(", "]": "[", "}": "{"]
    var rest = name
    while let last = rest.last, let open = pairs[last], let start = rest.lastIndex(of: open), start > rest.startIndex {
      let inner = String(rest[rest.index(after: start)...].dropLast()).trimmed
      if let found = Self.year(inner) {
        year = year ?? found
      } else if !isFormat(inner) {
        return rest
      }
      rest = String(rest[..<start]).trimmed
    }
    return rest
  }

  private static func isFormat(_ text: String) -> Bool {
    let words = text.lowercased().split { " ,_/".contains($0) }
    return !words.isEmpty && words.allSatisfy { formats.contains(String($0)) }
  }

  /// Takes a year off the beginning: `1999 - Album`, `(1999) Album` or `[1999] Album`.
  private static func withoutYear(_ name: String, _ year: inout Int?) -> String {
    let isBracketed = name.first == "(" || name.first == "["
    let text = isBracketed ? name.dropFirst() : Substring(name)
    guard let found = Self.year(text.prefix(4)) else { return name }
    let after = String(text.dropFirst(4))
    let rest: String
    if isBracketed, let close = after.first, close == ")" || close == "]" {
      rest = String(after.dropFirst()).trimmed
    } else if !isBracketed, after.hasPrefix(" - ") {
      rest = after
    } else {
      return name
    }
    let title = (rest.trimmed.hasPrefix("- ") ? String(rest.trimmed.dropFirst(2)) : rest).trimmed
    guard !title.isEmpty else { return name }
    year = found
    return title
  }

  /// Reads `artist-album-2001` and `Artist-Album-CD-FLAC-2001-GROUP`; nil for other names.
  private static func scene(_ name: String) -> FolderNames.Guess? {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false).map { String($0).trimmed }
    guard name.range(ofFirst: " - ") == nil, name.range(ofFirst: "- ") == nil, name.range(ofFirst: " -") == nil,
      let place = parts.lastIndex(where: { year($0) != nil }), place >= 2, parts.count - place <= 2,
      parts[2..<place].allSatisfy({ isFormat(String($0.filter { !"()[]".contains($0) })) }),
      !parts[0].isEmpty, !isGeneric(parts[1])
    else { return nil }
    return FolderNames.Guess(
      artist: isGeneric(parts[0]) ? nil : parts[0], album: parts[1], year: year(parts[place]))
  }
}

/// The name of a file without its ending, taken apart.
private struct FileStem {
  var disc: Int?
  var number: Int?
  var side: String?
  /// The name after the number.
  var rest: String
  /// The name with a side as its beginning.
  let whole: String
  var hasNumber: Bool { number != nil || side != nil }
  /// The texts between dashes.
  var parts: [String] { rest.components(between: " - ") }

  init(_ stem: String) {
    whole = stem
    rest = stem
    let bytes = Array(stem.utf8)
    let first = bytes.prefix { (48...57).contains($0) }
    if let letter = bytes.first, (65...72).contains(letter) {
      let digits = bytes.dropFirst().prefix { (48...57).contains($0) }
      let after = bytes.dropFirst(1 + digits.count)
      if (1...2).contains(digits.count), let separator = after.first, " .-".utf8.contains(separator) {
        side = String(decoding: bytes.prefix(1 + digits.count), as: UTF8.self)
        rest = Self.title(after)
      }
    } else if first.count == 1, bytes.count > 4, bytes[1] == UInt8(ascii: "-") || bytes[1] == UInt8(ascii: ".") {
      // `1-03 Title`
      let second = bytes[2...].prefix { (48...57).contains($0) }
      let after = bytes[(2 + second.count)...]
      if second.count == 2, let separator = after.first, " .-".utf8.contains(separator) {
        disc = Int(String(decoding: first, as: UTF8.self)).flatMap { $0 > 0 ? $0 : nil }
        number = Int(String(decoding: second, as: UTF8.self)).flatMap { $0 > 0 ? $0 : nil }
        rest = Self.title(after)
      }
    }
    if rest.isEmpty {
      disc = nil
      number = nil
      side = nil
      rest = stem
    }
    guard number == nil, side == nil else { return }
    (number, rest) = FileName.numberedTitle(stem)
  }

  private static func title(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.drop { " .-".utf8.contains($0) }, as: UTF8.self).trimmed
  }
}

/// The parts that the names of all files of a folder have in common.
private struct FileStemPattern {
  private enum Artist {
    /// No name has an artist.
    case none
    /// Every name begins with its artist.
    case first
    /// Every name begins with the artist of the folder.
    case folder
  }

  private let areSides: Bool
  private let areDiscs: Bool
  /// The artist in names with a number, and in those without.
  private let (numbered, others): (Artist, Artist)

  init(_ stems: [FileStem], artist: String?) {
    areSides = stems.count > 1 && stems.allSatisfy { $0.side != nil }
    areDiscs = stems.allSatisfy { $0.disc != nil }
    numbered = Self.artist(in: stems.filter(\.hasNumber).map(\.parts), artist, isNumbered: true)
    others = Self.artist(in: stems.filter { !$0.hasNumber }.map(\.parts), artist, isNumbered: false)
  }

  private static func artist(in parts: [[String]], _ artist: String?, isNumbered: Bool) -> Artist {
    guard !parts.isEmpty else { return .none }
    if let artist {
      return parts.allSatisfy { $0.count >= 2 && $0[0].caseFolded == artist.caseFolded } ? .folder : .none
    }
    // One name alone may be that of a work and its movement, unless a number begins it.
    let isPair = parts.count > 1 || isNumbered
    guard isPair, parts.allSatisfy({ $0.count == 2 && !FolderName.isGeneric($0[0]) }) else { return .none }
    // If all end alike, the artist may stand behind the title; if titles repeat, the first part is none.
    return Set(parts.map { $0.last?.caseFolded ?? "" }).count == parts.count ? .first : .none
  }

  func apply(_ stem: FileStem, to guess: inout FolderNames.Guess) {
    if stem.side != nil, !areSides {
      guess.title = stem.whole
    } else {
      guess.title = stem.rest
      guess.side = stem.side
    }
    if stem.disc == nil || areDiscs {
      guess.disc = stem.disc
      guess.number = stem.number
    } else {
      guess.title = stem.whole
    }
    let parts = stem.parts
    switch stem.hasNumber ? numbered : others {
    case .none: break
    case .first:
      guess.artist = parts[0]
      guess.title = parts[1]
    case .folder: guess.title = parts.dropFirst().joined(separator: " - ")
    }
  }
}

extension String {
  fileprivate func range(ofFirst text: String) -> Range<String.Index>? { utf8.firstRange(of: text.utf8) }

  /// The texts between separators; only the whole text where one of them is empty.
  fileprivate func components(between separator: String) -> [String] {
    var parts: [String] = []
    var rest = self
    while let found = rest.range(ofFirst: separator) {
      parts.append(String(rest[..<found.lowerBound]).trimmed)
      rest = String(rest[found.upperBound...])
    }
    parts.append(rest.trimmed)
    return parts.contains("") ? [self] : parts
  }
}
