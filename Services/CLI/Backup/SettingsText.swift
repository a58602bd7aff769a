/// The text of `lunara.env`, whose secrets are left out of a backup and put back by a restore. It does no I/O.
struct SettingsText: Equatable {
  var lines: [String]

  init(_ text: String) {
    lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    if lines.last == "" { lines.removeLast() }
  }

  var text: String { lines.map { $0 + "\n" }.joined() }

  /// Replaces every line that contains a password, a token or a key by a comment, even if the line is a comment itself.
  /// Returns the names of the settings that the lines set.
  mutating func withholdSecrets() -> [String] {
    var withheld: [String] = []
    lines = lines.map { line in
      guard let (name, value) = Self.setting(in: line), Self.isSecret(name, value) else { return line }
      // A setting within a comment is not set, so it cannot be missing.
      if !Self.isComment(line), !withheld.contains(name) {
        withheld.append(name)
      }
      return Self.placeholderComment(for: name)
    }
    return withheld
  }

  /// Puts the lines of withheld settings back from another text. Returns the names of the settings that are missing
  /// there.
  mutating func restoreSecrets(_ withheld: [String], from other: SettingsText) -> [String] {
    withheld.filter { name in
      let known = other.lines.last { line in
        !Self.isComment(line) && Self.setting(in: line).map { $0.name == name } == true
      }
      guard let known, let index = lines.lastIndex(of: Self.placeholderComment(for: name)) else { return true }
      lines[index] = known
      return false
    }
  }

  /// The settings that the lines set, in their order.
  var set: [(name: String, value: String)] {
    lines.compactMap { line in
      Self.isComment(line) ? nil : Self.setting(in: line).map { ($0.name, String($0.value)) }
    }
  }

  /// Replaces the lines of settings by those of another text, or by comments if that has none.
  mutating func leaveOut(_ names: [String], keeping other: SettingsText) {
    lines = lines.map { line in
      guard !Self.isComment(line), let (name, value) = Self.setting(in: line), names.contains(name) else { return line }
      let kept = other.lines.last { line in
        !Self.isComment(line) && Self.setting(in: line).map { $0.name == name } == true
      }
      // A backslash at the end of a comment would take in the next line where systemd reads this file.
      return kept ?? "# Left out of the backup that was restored: \(name)=\(value.filter { $0 != "\\" })"
    }
  }

  private static func placeholderComment(for name: String) -> String { "# \(name) is secret and not in the backup." }

  private static func isComment(_ line: String) -> Bool {
    line.drop { $0 == " " || $0 == "\t" }.hasPrefix("#")
  }

  /// Returns the setting that a line sets, or that it would set without its comment sign.
  private static func setting(in line: String) -> (name: String, value: Substring)? {
    guard let equals = line.firstIndex(of: "=") else { return nil }
    var name = line[..<equals].drop { $0 == "#" || $0 == " " || $0 == "\t" }
    while let last = name.last, last == " " || last == "\t" { name.removeLast() }
    guard let word = name.split(whereSeparator: { $0 == " " || $0 == "\t" }).last else { return nil }
    return (String(word), line[line.index(after: equals)...])
  }

  /// Returns true if a value is secret, because of its setting's name, or as it is a URL with a password.
  private static func isSecret(_ name: String, _ value: Substring) -> Bool {
    // The values of these two settings are paths of files.
    if name == "LUNARA_KEY_FILE" || name == "LUNARA_WEB_KEY" { return false }
    let words = name.uppercased().split(separator: "_")
    if words.contains(where: { ["TOKEN", "PASSWORD", "PASS", "SECRET", "KEY", "APIKEY"].contains($0) }) { return true }
    guard let scheme = value.firstRange(of: "://") else { return false }
    return value[scheme.upperBound...].prefix { $0 != "/" }.contains("@")
  }
}
