import Glibc
import Model

/// Changing the configuration file.
extension Settings {
  /// The text of a configuration file in which some settings have other values. All else stays as it is, remarks and order
  /// and ends of lines included; what was not set comes at the end.
  ///
  /// - Parameters:
  ///   - text: the contents of the file.
  ///   - changes: names and values, in the order in which they are added.
  public static func changing(_ text: String, _ changes: [(name: String, value: String)]) -> String {
    var lines = Self.lines(of: text)
    let usual = lines.first?.end ?? "\n"
    for (name, value) in changes {
      let places = lines.indices.filter { Self.name(in: lines[$0].text) == name }
      // Of several lines of one name the last one counts to some readers, the first to others.
      for place in places { lines[place].text = "\(name)=\(value)" }
      if places.isEmpty { lines.append((text: "\(name)=\(value)", end: usual)) }
    }
    return lines.map { $0.text + String($0.end) }.joined()
  }

  /// Lines as those who read settings see them: what an editor of another system wrote ends with "\r\n", one character.
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

  /// Changes settings in a configuration file, wholly or not at all. One that is not there is made with mode 0600, and the
  /// folder it lies in with mode 0700; else owner, group and mode stay.
  ///
  /// - Throws: `settings.badFile` where it cannot be read, `settings.fileUnwritable`.
  public static func change(_ path: String, _ changes: [(name: String, value: String)]) throws {
    // Of a link the file that it leads to is changed, and the link stays.
    var place = path
    if let real = realpath(path, nil) {
      place = String(cString: real)
      free(real)
    }
    let old = try contents(of: place, mayBeMissing: true)
    let text = changing(old ?? "", changes)
    guard text != old else { return }
    var status = stat()
    let isThere = stat(place, &status) == 0
    if !isThere, let slash = place.lastIndex(of: "/"), slash != place.startIndex { try make(String(place[..<slash])) }
    let temporary = "\(place).\(UniqueID<Settings>.random().rawValue.prefix(8))"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw unwritable(path) }
    let bytes = Array(text.utf8)
    // Synced before it has its name, so that no power cut leaves the name without its contents.
    let isWritten =
      write(descriptor, bytes, bytes.count) == bytes.count
      && (!isThere
        || (fchown(descriptor, status.st_uid, status.st_gid) == 0 && fchmod(descriptor, status.st_mode & 0o7777) == 0))
      && fsync(descriptor) == 0
    let failure = errno
    close(descriptor)
    guard isWritten, rename(temporary, place) == 0 else {
      let error = unwritable(path, isWritten ? errno : failure)
      unlink(temporary)
      throw error
    }
  }

  private static func make(_ folder: String) throws {
    var made = folder.hasPrefix("/") ? "" : "."
    for part in folder.split(separator: "/") {
      made += "/\(part)"
      guard mkdir(made, 0o700) != 0 else { continue }
      let failure = errno
      if failure != EEXIST, access(made, F_OK) != 0 { throw unwritable(folder, failure) }
    }
  }

  private static func unwritable(_ path: String, _ error: Int32 = errno) -> LunaraError {
    let remedy =
      error == ENOSPC ? "The disk is full: make room." : "Check the owner and mode of the file and of its folder."
    return LunaraError(
      "settings.fileUnwritable", "The configuration file \(path) cannot be written. \(remedy)",
      cause: String(cString: strerror(error)))
  }
}
