/// A symbolic link in a music folder to music that the catalogue knows by another path.
package struct MusicLink: Hashable, Sendable {  // memberwise
  /// The folder that holds the link.
  package var folder: [UInt8]
  package var name: [UInt8]
  /// The folder to which it leads, or that of the file to which it leads, as the catalogue knows it.
  package var target: [UInt8]
  /// The name of the file; nil for a link to a folder.
  package var file: [UInt8]? = nil

  /// The path of the link.
  package var path: [UInt8] { FilePath.join(folder, name) }
}

/// The links that a scan found.
package struct MusicLinks: Sendable {
  package private(set) var found: [MusicLink] = []
  /// The folders in which a scan of some folders found no link.
  package private(set) var linkless: [[UInt8]] = []

  /// Notes a folder that has another path already. A link that leads back to a folder above it is left out: it would
  /// show the same folders without end.
  package mutating func add(folder path: [UInt8], at target: [UInt8]) {
    guard let parent = FilePath.parent(path), !FilePath.isWithin(parent, target) else { return }
    found.append(MusicLink(folder: parent, name: FilePath.name(path), target: target))
  }

  /// Notes a file that has another path already.
  mutating func add(file name: [UInt8], in folder: [UInt8], at target: FilePlace) {
    found.append(MusicLink(folder: folder, name: name, target: target.folder, file: target.name))
  }

  package mutating func add(linkless folder: [UInt8]) { linkless.append(folder) }
}

/// The folder and the name of a file.
package struct FilePlace: Hashable, Sendable {  // memberwise
  package var folder: [UInt8]
  package var name: [UInt8]
}
