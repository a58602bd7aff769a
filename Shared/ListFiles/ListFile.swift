import Messages
public import Model
import Text

/// A playlist as a file has it: M3U, PLS, XSPF, JSPF or JSON.
public struct ListFile: Hashable, Sendable {
  /// The largest size of a list file, in bytes.
  public static let longest = 32 << 20
  /// The most entries of a list file.
  public static let mostEntries = 50_000

  /// The title that the file says; nil if it says none.
  public var title: String?
  /// The description that the file says; nil if it says none.
  public var summary: String?
  /// The entries in their order. Their `location` is a path, an address or a `file:` URL, as the file has it; only the
  /// percent-encoded paths of XSPF and JSPF are decoded.
  public var tracks: [DescribedTrack]
  /// The entries that were left out, with the reason.
  public var problems: [Problem]

  /// An entry of a list file that was left out.
  public struct Problem: Hashable, Sendable {
    /// The number of its line, or of the entry, from 1.
    public var place: Int
    /// The reason, as a sentence for people.
    public var reason: String
  }

  /// The thing on the disk that a location in a list file names.
  public enum Named: Hashable, Sendable {
    case file
    /// A folder with these audio files, in the order in which they play.
    case folder([String])
  }

  public init(title: String? = nil, summary: String? = nil, tracks: [DescribedTrack] = [], problems: [Problem] = []) {
    self.title = title
    self.summary = summary
    self.tracks = tracks
    self.problems = problems
  }

  /// Reads a list file.
  ///
  /// - Parameters:
  ///   - bytes: the contents.
  ///   - name: its name, for messages, and by which an M3U file without a header is recognised.
  ///   - look: returns what a location names, for lines of M3U of which only the disk tells whether they are comments,
  ///     or name folders; nil for nothing. Without it `#1 Hits/one.flac` is a comment, and a folder is a file.
  /// - Throws: `library.badListFile` for what is no list of a known format, `library.listFileTooLarge`.
  public init(
    _ bytes: [UInt8], name: String, look: (_ location: String) -> Named? = { _ in nil }
  ) throws(LunaraError) {
    guard bytes.count <= Self.longest else { throw Self.tooLarge(name) }
    switch ListFileFormat(bytes, name: name) {
    case .m3u: self = try M3UReader.read(Self.text(bytes, name), name: name, look)
    case .pls: self = try PLSReader.read(Self.text(bytes, name), name: name)
    case .xspf: self = try XSPFReader.read(bytes, name: name)
    case .jspf: self = try JSPFReader.read(bytes, name: name)
    case nil:
      throw LunaraError(
        "library.badListFile",
        "\(name) is no playlist that can be read. These are: M3U, M3U8, PLS, XSPF, JSPF and JSON.")
    }
    for (index, track) in tracks.enumerated() where track.title.isEmpty && track.artist.isEmpty && track.location == nil
    {
      problems.append(Problem(place: index + 1, reason: "It has no title, no artist and no file."))
    }
    tracks.removeAll { $0.title.isEmpty && $0.artist.isEmpty && $0.location == nil }
    if title?.isEmpty == true { title = nil }
    if summary?.isEmpty == true { summary = nil }
  }

  /// Adds an entry, unless there are too many.
  mutating func append(_ track: DescribedTrack, name: String) throws(LunaraError) {
    guard tracks.count < Self.mostEntries else { throw Self.tooLarge(name) }
    tracks.append(track)
  }

  /// Returns the text of a file, of which binary files have none.
  private static func text(_ bytes: [UInt8], _ name: String) throws(LunaraError) -> String {
    let text = EncodedText.unicode(bytes) ?? EncodedText.windows1252(bytes)
    let isBinary = text.utf8.contains { $0 < 32 && ![9, 10, 12, 13, 26].contains($0) }
    guard !isBinary else {
      throw LunaraError("library.badListFile", "\(name) is no playlist: it is a binary file.")
    }
    return text
  }

  /// Returns the error for a file that is larger than a list may be.
  public static func tooLarge(_ name: String) -> LunaraError {
    LunaraError(
      "library.listFileTooLarge",
      "\(name) is too large for a playlist: at most \(mostEntries) entries and \(longest >> 20) MiB can be read.")
  }
}

/// The format of a list file.
public enum ListFileFormat: String, CaseIterable, Sendable {
  /// M3U, also the one with the ending .m3u8.
  case m3u
  /// PLS, an INI file.
  case pls
  /// XSPF, the XML Shareable Playlist Format.
  case xspf
  /// JSPF, which is XSPF in JSON, and other lists in JSON.
  case jspf

  /// The endings of the names of list files, in small letters.
  public static let endings: [String: ListFileFormat] = [
    "m3u": .m3u, "m3u8": .m3u, "pls": .pls, "xspf": .xspf, "jspf": .jspf, "json": .jspf,
  ]

  /// Returns the format that a name says; nil if it says none.
  public init?(name: String) {
    guard let dot = name.lastIndex(of: "."), let format = Self.endings[name[dot...].dropFirst().lowercased()] else {
      return nil
    }
    self = format
  }

  /// Returns the format of some contents; nil if they are no list. The name decides only about M3U files without a
  /// header, which nothing else tells from other text.
  public init?(_ bytes: [UInt8], name: String) {
    var start = Array(bytes.prefix(4096))
    if start.starts(with: [0xEF, 0xBB, 0xBF]) { start.removeFirst(3) }
    // Of UTF-16, the lower bytes are enough here.
    if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) {
      start = start.dropFirst(2).filter { $0 != 0 }
    }
    let text = String(decoding: start, as: UTF8.self).trimmed.lowercased()
    if text.hasPrefix("#extm3u") || text.hasPrefix("#extinf") {
      self = .m3u
    } else if text.hasPrefix("[playlist]") {
      self = .pls
    } else if text.hasPrefix("<") {
      self = .xspf
    } else if text.hasPrefix("{") || text.hasPrefix("[") {
      self = .jspf
    } else if let named = ListFileFormat(name: name), named == .m3u {
      self = .m3u
    } else {
      return nil
    }
  }
}
