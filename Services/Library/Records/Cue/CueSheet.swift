import Model
import MusicTags
import Text

/// A CUE sheet: the tracks of one or several audio files, as programs that copy discs write it.
package struct CueSheet: Equatable, Sendable {
  package struct Track: Equatable, Sendable {
    var number: Int
    /// The name of the audio file in which the track begins, and its place in `files`.
    package var file: String
    var fileIndex: Int
    /// The beginning of the track in that file (INDEX 01), in CD frames, of which a second has 75.
    var start: Int
    /// The same as a sample, where the sheet says it so.
    var startSample: Int64?
    /// The line of its `TRACK`, from 1.
    var line: Int
    /// False for a track of data, which is not played but ends the track before it.
    package var isAudio = true
    var title: String?
    var performer: String?
    var songwriter: String?
    var isrc: String?
    /// ReplayGain of the track: dB, and the linear peak.
    var gain: Double?
    var peak: Double?
  }

  /// Returns true if a file is a sheet by its name.
  package static func isName(_ name: [UInt8]) -> Bool { FileName.ending(name) == "cue" }

  static let framesPerSecond = 75
  /// The largest size of a sheet that is read, in bytes.
  package static let largestSize = 1 << 20
  static let mostTracks = CueBlock.mostTracks

  var title: String?
  var performer: String?
  var songwriter: String?
  var genre: String?
  var date: String?
  var discNumber: Int?
  var discTotal: Int?
  /// The media catalogue number of the disc: its barcode.
  var catalogue: String?
  var albumGain: Double?
  var albumPeak: Double?
  /// The names of the audio files, in their order.
  var files: [String] = []
  package var tracks: [Track] = []
}

/// The reason why a sheet is not used.
package struct CueError: Error, Equatable, Sendable {  // memberwise
  /// The line of the sheet, from 1; nil if the fault is not in one line.
  var line: Int? = nil
  /// A clause that says what is wrong, such as `the time 1:75:00 is not possible`.
  package var reason: String
}

/// Parses a CUE sheet. Unknown lines are ignored, as programs add many of their own.
package struct CueParser {
  private var sheet = CueSheet()
  private var track: CueSheet.Track?
  private var hasStart = false
  private var line = 0

  /// - Throws: `CueError` for a sheet whose tracks cannot be determined.
  package static func parse(_ text: String) throws(CueError) -> CueSheet {
    var parser = CueParser()
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      parser.line += 1
      try parser.read(line)
    }
    try parser.endTrack()
    guard !parser.sheet.tracks.isEmpty else { throw CueError(reason: "it has no tracks") }
    return parser.sheet
  }

  private mutating func read(_ line: Substring) throws(CueError) {
    let blanks: (Character) -> Bool = { $0.isWhitespace || $0 == "\0" }
    let text = line.drop(while: blanks)
    let keyword = text.prefix { !blanks($0) }
    let rest = text[keyword.endIndex...].drop(while: blanks)
    switch keyword.uppercased() {
    case "FILE": try beginFile(rest)
    case "TRACK": try beginTrack(rest)
    case "INDEX": try addIndex(rest)
    case "TITLE": set(\.title, \.title, rest)
    case "PERFORMER": set(\.performer, \.performer, rest)
    case "SONGWRITER": set(\.songwriter, \.songwriter, rest)
    case "ISRC": if track != nil { track?.isrc = Self.value(rest) }
    case "CATALOG": sheet.catalogue = Self.value(rest)
    case "REM": addRemark(rest)
    default: break
    }
  }

  private mutating func set(
    _ ofSheet: WritableKeyPath<CueSheet, String?>, _ ofTrack: WritableKeyPath<CueSheet.Track, String?>,
    _ text: Substring
  ) {
    guard let value = Self.value(text) else { return }
    if track == nil { sheet[keyPath: ofSheet] = value } else { track?[keyPath: ofTrack] = value }
  }

  private mutating func beginFile(_ text: Substring) throws(CueError) {
    var name = text
    if text.first == "\"" {
      guard let end = text.dropFirst().lastIndex(of: "\"") else {
        throw CueError(line: line, reason: "the name of the file has no closing quote")
      }
      name = text[text.index(after: text.startIndex)..<end]
    } else if let blank = text.lastIndex(where: \.isWhitespace) {
      // The last word is the type of the file, such as WAVE.
      name = text[..<blank]
    }
    let trimmed = String(name).trimmed
    guard !trimmed.isEmpty else { throw CueError(line: line, reason: "FILE names no file") }
    sheet.files.append(trimmed)
  }

  private mutating func beginTrack(_ text: Substring) throws(CueError) {
    let words = text.split(whereSeparator: \.isWhitespace)
    // The gap at the end of the file before: some programs name the track there and again in its own file.
    if let track, !hasStart, words.first.flatMap({ Int($0) }) == track.number { return }
    try endTrack()
    guard let number = words.first.flatMap({ Int($0) }), (1...CueSheet.mostTracks).contains(number) else {
      throw CueError(line: line, reason: "TRACK has no number from 1 to \(CueSheet.mostTracks)")
    }
    guard !sheet.files.isEmpty else { throw CueError(line: line, reason: "TRACK \(number) comes before any FILE") }
    guard !sheet.tracks.contains(where: { $0.number == number }) else {
      throw CueError(line: line, reason: "TRACK \(number) is there twice")
    }
    track = CueSheet.Track(
      number: number, file: "", fileIndex: 0, start: 0, line: line,
      isAudio: words.count < 2 || words[1].uppercased() == "AUDIO")
    hasStart = false
  }

  /// Takes file and time of INDEX 01: a sheet may have the gap before a track at the end of the file before it, with
  /// FILE between INDEX 00 and INDEX 01.
  private mutating func addIndex(_ text: Substring) throws(CueError) {
    guard track != nil else { throw CueError(line: line, reason: "INDEX comes before any TRACK") }
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count > 1, let index = Int(words[0]), (0...99).contains(index) else {
      throw CueError(line: line, reason: "INDEX has no number and time")
    }
    guard let frames = Self.frames(words[1]) else {
      throw CueError(line: line, reason: "the time \(words[1].prefix(20)) is not possible")
    }
    guard index == 1 else { return }
    guard !hasStart else { throw CueError(line: line, reason: "INDEX 01 is there twice in one track") }
    hasStart = true
    track?.start = frames
    track?.fileIndex = sheet.files.count - 1
    track?.file = sheet.files.last ?? ""
    guard let before = sheet.tracks.last, before.fileIndex == sheet.files.count - 1 else { return }
    if frames <= before.start { throw CueError(line: line, reason: "the track begins before the one above it") }
  }

  private mutating func endTrack() throws(CueError) {
    guard let ended = track else { return }
    guard hasStart else { throw CueError(line: ended.line, reason: "TRACK \(ended.number) has no INDEX 01") }
    sheet.tracks.append(ended)
    track = nil
  }

  private mutating func addRemark(_ text: Substring) {
    let word = text.prefix { !$0.isWhitespace }
    guard let value = Self.value(text[word.endIndex...].drop(while: \.isWhitespace)) else { return }
    switch word.uppercased() {
    case "GENRE": sheet.genre = value
    case "DATE", "YEAR": sheet.date = value
    case "DISCNUMBER": sheet.discNumber = Int(value).flatMap { $0 > 0 ? $0 : nil }
    case "TOTALDISCS": sheet.discTotal = Int(value).flatMap { $0 > 0 ? $0 : nil }
    case "COMPOSER": set(\.songwriter, \.songwriter, value[...])
    case "REPLAYGAIN_ALBUM_GAIN": sheet.albumGain = Self.gain(value)
    case "REPLAYGAIN_ALBUM_PEAK": sheet.albumPeak = Self.peak(value)
    case "REPLAYGAIN_TRACK_GAIN": track?.gain = Self.gain(value)
    case "REPLAYGAIN_TRACK_PEAK": track?.peak = Self.peak(value)
    default: break
    }
  }

  /// Returns a value without the quotes around it; quotes within it stay. Nil for an empty one.
  private static func value(_ text: Substring) -> String? {
    var value = String(text).trimmed
    if value.first == "\"" {
      value.removeFirst()
      if let end = value.lastIndex(of: "\"") { value = String(value[..<end]) }
    }
    value = value.trimmed
    return value.isEmpty ? nil : value
  }

  /// Returns a gain in dB; nil for one that cannot have been measured.
  private static func gain(_ text: String) -> Double? {
    number(text).flatMap { Levels.plausibleGains.contains($0) ? $0 : nil }
  }

  /// Returns a peak; nil for one that cannot have been measured.
  private static func peak(_ text: String) -> Double? {
    number(text).flatMap { (0...Levels.highestPeak).contains($0) ? $0 : nil }
  }

  private static func number(_ text: String) -> Double? {
    Double(text.prefix { !$0.isWhitespace }).flatMap { $0.isFinite ? $0 : nil }
  }

  /// Reads `mm:ss:ff`; the minutes may be more than 99. Returns nil for an impossible time.
  private static func frames(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ (1...4).contains($0.utf8.count) }),
      parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
      let minutes = Int(parts[0]), let seconds = Int(parts[1]), let frames = Int(parts[2]), seconds < 60,
      frames < CueSheet.framesPerSecond
    else { return nil }
    return (minutes * 60 + seconds) * CueSheet.framesPerSecond + frames
  }
}
