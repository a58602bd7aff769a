import Glibc
import Model
import System

extension Settings {
  /// Returns the text of a configuration file with changed values. All other text stays as it is, with comments, order
  /// and line ends; settings that were not set are added at the end.
  ///
  /// - Parameters:
  ///   - text: the contents of the file.
  ///   - changes: names and values, in the order in which they are added.
  public static func changing(_ text: String, _ changes: [(name: String, value: String)]) -> String {
    var lines = Self.lines(of: text)
    let usual = lines.first?.end ?? "\n"
    for (name, value) in changes {
      let places = lines.indices.filter { Self.name(in: lines[$0].text) == name }
      // If several lines set one name, all are changed, as readers differ in which of them counts.
      for place in places { lines[place].text = "\(name)=\(value)" }
      if places.isEmpty { lines.append((text: "\(name)=\(value)", end: usual)) }
    }
    return lines.map { $0.text + String($0.end) }.joined()
  }

  /// Returns the lines of a text with their line ends, of which "\r\n" is one character.
  private static func lines(of text: String) -> [(text: String, end: Character)] {
    var lines: [(text: String, end: Character)] = []
    var rest = text[...]
    while let end = rest.firstIndex(where: \.isNewline) {
      lines.append((String(rest[..<end]), rest[end]))
      rest = rest[rest.index(after: end)...]
    }
    if !rest.isEmpty { lines.append((String(rest), lines.first?.end ?? "\n")) }
    return lines
  }

  private static func name(in line: String) -> String? {
    let line = line.drop { $0 == " " || $0 == "\t" }
    return line.firstIndex(of: "=").map { String(line[..<$0]) }
  }

  /// Changes settings in a configuration file atomically. A missing file is created with mode 0600, and its folder with
  /// mode 0700; an existing file keeps its owner, group and mode.
  ///
  /// - Throws: `settings.badFile` if it cannot be read, `settings.fileUnwritable`.
  public static func change(_ path: String, _ changes: [(name: String, value: String)]) throws {
    // If the path is a symbolic link, the file that it leads to is changed, and the link stays.
    var place = path
    do { place = try Files.resolved(path) } catch {
      // The path cannot be resolved if the file is missing; it is created under the given path.
    }
    let old = try contents(of: place, mayBeMissing: true)
    let text = changing(old ?? "", changes)
    guard text != old else { return }
    let status = Files.status(place, followingLinks: true)
    do throws(Errno) {
      if status == nil { try Files.makeFolder(Files.folder(of: place)) }
      try Files.replace(
        place, with: text,
        .init(mode: status?.mode ?? 0o600, owner: status.map { (user: $0.owner, group: $0.group) }))
    } catch {
      throw unwritable(path, error)
    }
  }

  private static func unwritable(_ path: String, _ error: Errno) -> LunaraError {
    let remedy =
      error == .noSpace ? "The disk is full: make room." : "Check the owner and mode of the file and of its folder."
    return LunaraError(
      "settings.fileUnwritable", "The configuration file \(path) cannot be written. \(remedy)",
      cause: error)
  }
}
