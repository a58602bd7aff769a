import MusicTags

/// A path or a name as a key. An array hashes byte by byte; this hashes all bytes at once.
package struct PathKey: Hashable, Sendable {
  package let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
}

package enum FilePath {
  /// The folder that holds a path; nil for the root of the file system.
  package static func parent(_ path: [UInt8]) -> [UInt8]? {
    guard path.count > 1, let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    return slash == 0 ? [UInt8(ascii: "/")] : Array(path[..<slash])
  }

  package static func name(_ path: [UInt8]) -> [UInt8] { FileName.last(ofPath: path) }

  package static func join(_ folder: [UInt8], _ name: [UInt8]) -> [UInt8] {
    folder.last == UInt8(ascii: "/") ? folder + name : folder + [UInt8(ascii: "/")] + name
  }

  /// The paths below a folder, as the first of them and the first after them, in the order of their bytes.
  package static func range(below folder: [UInt8]) -> (first: [UInt8], end: [UInt8]) {
    let slash = UInt8(ascii: "/")
    let inside = folder.last == slash ? folder : folder + [slash]
    return (inside, Array(inside.dropLast()) + [slash + 1])
  }

  /// Returns true if a path is a folder or lies within it.
  package static func isWithin(_ path: [UInt8], _ folder: [UInt8]) -> Bool {
    guard path.starts(with: folder) else { return false }
    return path.count == folder.count || folder.last == UInt8(ascii: "/") || path[folder.count] == UInt8(ascii: "/")
  }
}

extension [UInt8] {
  /// The bytes as a C string, with a NUL at the end.
  package var cString: [CChar] { map { CChar(bitPattern: $0) } + [0] }
}
