public import Model
import Text

/// The paths that a location in a list file can mean.
public enum ListLocation {
  /// Returns the paths to look for, the likeliest first, all of them in one of the music folders.
  ///
  /// - Parameters:
  ///   - location: the location as the file has it: a path with `/` or `\`, also with a drive's letter or with percent
  ///     signs as VLC writes them, or a `file:` URL.
  ///   - folder: the folder of the list file as an absolute path; nil if it is not known.
  ///   - roots: the music folders as absolute paths.
  public static func paths(of location: String, from folder: LocalPath?, in roots: [LocalPath]) -> [LocalPath] {
    var found: [LocalPath] = []
    for form in forms(of: location) {
      let bases = form.first == slash ? [[]] : [folder?.bytes].compactMap(\.self) + roots.map(\.bytes)
      for base in bases {
        guard let path = normalised(base + [slash] + form) else { continue }
        guard roots.contains(where: { isInside(path, $0.bytes) }) else { continue }
        for variant in variants(of: path) where !found.contains(variant) { found.append(variant) }
      }
    }
    return found
  }

  /// Returns the components of each path as which a location can be read, in folded form and from the last to the
  /// first, by which the longest common tail of two paths is found. Empty for an address on the network.
  public static func tails(of location: String) -> [[String]] {
    distinct(forms(of: location).map { tail(of: LocalPath(bytes: $0)) })
  }

  /// Returns the components of a path in folded form, from the last to the first.
  public static func tail(of path: LocalPath) -> [String] {
    path.bytes.split(separator: slash).reversed().map { String(decoding: $0, as: UTF8.self).folded }
      .filter { $0 != "." && $0 != ".." }
  }

  private static let slash = UInt8(ascii: "/")

  /// Returns the paths as which a location can be read, the likeliest first. What its percent signs stand for comes
  /// last, as names of files hold percent signs, too.
  private static func forms(of location: String) -> [[UInt8]] {
    let trimmed = location.trimmed
    if trimmed.lowercased().hasPrefix("file:") {
      var rest = trimmed.dropFirst(5)
      if rest.hasPrefix("//") {
        rest = rest.dropFirst(2)
        rest = rest.drop { $0 != "/" }
      }
      let path = PercentCoding.decode(rest) ?? Array(rest.utf8)
      return path.contains(0) ? [] : distinct([path, withoutDrive(path)])
    }
    guard trimmed.firstRange(of: "://") == nil else { return [] }
    let slashed = Array(trimmed.utf8.map { $0 == UInt8(ascii: "\\") ? slash : $0 })
    var forms = [Array(location.utf8), Array(trimmed.utf8), slashed, withoutDrive(slashed)]
    let quote = UInt8(ascii: "\"")
    if slashed.count > 2, slashed.first == quote, slashed.last == quote {
      forms.append(withoutDrive(Array(slashed.dropFirst().dropLast())))
    }
    // The part of an address after its path.
    if let query = slashed.lastIndex(of: UInt8(ascii: "?")), query > 0 { forms.append(Array(slashed[..<query])) }
    if slashed.contains(UInt8(ascii: "%")) {
      let decoded = PercentCoding.decode(String(decoding: slashed, as: UTF8.self)) ?? []
      if !decoded.isEmpty, !decoded.contains(0) { forms += [decoded, withoutDrive(decoded)] }
    }
    return distinct(forms)
  }

  private static func distinct<Path: Equatable>(_ paths: [Path]) -> [Path] {
    paths.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Returns `C:/Music` and `/C:/Music` without the letter of the drive.
  private static func withoutDrive(_ path: [UInt8]) -> [UInt8] {
    let rest = path.first == slash ? path.dropFirst() : path[...]
    guard rest.count > 2, rest[rest.startIndex + 1] == UInt8(ascii: ":") else { return path }
    return Array(rest.dropFirst(2))
  }

  /// Returns a path without `.` and `..`; nil for one that climbs above the root.
  private static func normalised(_ path: [UInt8]) -> [UInt8]? {
    var parts: [ArraySlice<UInt8>] = []
    for part in path.split(separator: slash) {
      if part.elementsEqual(".".utf8) { continue }
      guard part.elementsEqual("..".utf8) else {
        parts.append(part)
        continue
      }
      guard parts.popLast() != nil else { return nil }
    }
    return parts.flatMap { [slash] + $0 }
  }

  private static func isInside(_ path: [UInt8], _ root: [UInt8]) -> Bool {
    path.starts(with: root) && (root.last == slash || path.count > root.count && path[root.count] == slash)
  }

  /// Returns a path as it is, and in the normal forms C and D of Unicode, as file systems differ.
  private static func variants(of path: [UInt8]) -> [LocalPath] {
    guard let text = String(validating: path, as: UTF8.self) else { return [LocalPath(bytes: path)] }
    return distinct([path, Array(text.normalised.utf8), Array(text.decomposed.utf8)]).map { LocalPath(bytes: $0) }
  }
}
