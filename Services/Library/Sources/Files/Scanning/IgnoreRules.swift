import Model
import Records
import System

/// A file by which people leave music out.
enum IgnoreFile: String, CaseIterable, Sendable {
  /// Android's: the folder and everything below it is left out, whatever the file contains.
  case nomedia = ".nomedia"
  /// MPD's: patterns for names in the folder and in all below it, one a line; `#` begins a comment.
  case mpdignore = ".mpdignore"
  /// Navidrome's: patterns as in `.gitignore`; a file without patterns leaves out the folder.
  case ndignore = ".ndignore"

  /// The largest size that is read, in bytes.
  static let largestSize = 65_536

  init?(name: [UInt8]) {
    guard name.first == UInt8(ascii: "."), let file = Self(rawValue: String(decoding: name, as: UTF8.self)) else {
      return nil
    }
    self = file
  }

  /// Returns the contents of the file in a folder.
  func read(of folder: [UInt8], within boundary: FolderBoundary) throws(TextFailure) -> [UInt8] {
    try boundary.readText(
      LocalPath(bytes: FilePath.join(folder, Array(rawValue.utf8))), limit: Self.largestSize)
  }
}

/// The rules that leave out files and folders, from the ignore files of one folder and of those above it. A pure
/// function of their contents.
struct IgnoreRules: Sendable {
  /// The patterns of one file, for the entries of its folder and of all below.
  private struct Level: Sendable {
    enum Patterns: Sendable {
      case names([[UInt8]])
      case paths([IgnorePattern])
    }

    var folder: [UInt8]
    /// The ignore file's path.
    var file: [UInt8]
    var patterns: Patterns
  }

  /// The path of the ignore file by which nothing in the folder and below it is music; nil without one.
  private(set) var fileThatIgnoresAll: [UInt8]?
  /// True if nothing in the folder and below it is music.
  var ignoresAll: Bool { fileThatIgnoresAll != nil }
  private var levels: [Level] = []

  /// Adds an ignore file of a folder. Files of folders further up are added before.
  mutating func add(_ file: IgnoreFile, _ text: [UInt8], of folder: [UInt8]) {
    let lines = text.split(omittingEmptySubsequences: true) { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    let path = FilePath.join(folder, Array(file.rawValue.utf8))
    switch file {
    case .nomedia: fileThatIgnoresAll = path
    case .mpdignore:
      let names = lines.map { Self.trimmed($0.prefix { $0 != UInt8(ascii: "#") }) }.filter { !$0.isEmpty }
      if !names.isEmpty { levels.append(Level(folder: folder, file: path, patterns: .names(names))) }
    case .ndignore:
      let patterns = lines.compactMap { IgnorePattern(line: Array($0)) }
      if patterns.isEmpty {
        fileThatIgnoresAll = path
      } else {
        levels.append(Level(folder: folder, file: path, patterns: .paths(patterns)))
      }
    }
  }

  /// Returns true if an entry of a folder is left out. The folder lies in those of all levels.
  func ignores(_ name: [UInt8], in folder: [UInt8], isFolder: Bool) -> Bool {
    fileThatIgnores(name, in: folder, isFolder: isFolder) != nil
  }

  /// Returns the path of the ignore file that leaves out an entry of a folder; nil if none does.
  func fileThatIgnores(_ name: [UInt8], in folder: [UInt8], isFolder: Bool) -> [UInt8]? {
    if let fileThatIgnoresAll { return fileThatIgnoresAll }
    // The last pattern decides, and those of the nearest file come last.
    var isDecided = false
    for level in levels.reversed() {
      switch level.patterns {
      case .names(let patterns):
        if patterns.contains(where: { FileNamePattern.matches($0, name) }) { return level.file }
      case .paths(let patterns) where !isDecided:
        let components = folder.dropFirst(level.folder.count).split(separator: UInt8(ascii: "/")).map(Array.init)
        guard let last = patterns.last(where: { $0.matches(components + [name], isFolder: isFolder) }) else { continue }
        if !last.isException { return level.file }
        isDecided = true
      case .paths: continue
      }
    }
    return nil
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> [UInt8] {
    func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }
    return Array(line.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}

/// One line of a `.ndignore` file, with the meaning that gitignore(5) gives it.
struct IgnorePattern: Sendable {
  /// True for a line with `!`: what it matches is not left out.
  private(set) var isException = false
  private var isForFolders = false
  /// The pattern of each component of the path; nil stands for `**`, any number of components.
  private var components: [[UInt8]?] = []

  /// Returns nil for an empty line and for a comment.
  init?(line: [UInt8]) {
    let (slash, star, backslash) = (UInt8(ascii: "/"), UInt8(ascii: "*"), UInt8(ascii: "\\"))
    var line = line[...]
    // Blanks at the end do not count, unless a backslash precedes one.
    while let last = line.last, last == 32 || last == 9, line.dropLast().last != backslash { line.removeLast() }
    guard line.first != UInt8(ascii: "#") else { return nil }
    if line.first == UInt8(ascii: "!") {
      isException = true
      line.removeFirst()
    }
    if line.last == slash {
      isForFolders = true
      line.removeLast()
    }
    guard !line.isEmpty else { return nil }
    if !line.contains(slash) { components.append(nil) }
    for component in line.split(separator: slash) {
      let isAny = component.count == 2 && component.allSatisfy { $0 == star }
      if !isAny { components.append(Array(component)) } else if components.last != .some(nil) { components.append(nil) }
    }
  }

  /// Returns true if the pattern stands for a path, given as its components below the folder of the ignore file.
  func matches(_ path: [[UInt8]], isFolder: Bool) -> Bool {
    guard isFolder || !isForFolders else { return false }
    // `ends[n]` is true if the pattern so far stands for the first n components.
    var ends = [true] + Array(repeating: false, count: path.count)
    for (place, pattern) in components.enumerated() {
      var next = Array(repeating: false, count: path.count + 1)
      if let pattern {
        for index in path.indices where ends[index] { next[index + 1] = FileNamePattern.matches(pattern, path[index]) }
      } else if let first = ends.firstIndex(of: true) {
        // At the end of a pattern, `**` stands for what is inside the folder, not for the folder.
        for index in (place == components.count - 1 ? first + 1 : first)..<(path.count + 1) { next[index] = true }
      }
      ends = next
    }
    return ends[path.count]
  }
}
