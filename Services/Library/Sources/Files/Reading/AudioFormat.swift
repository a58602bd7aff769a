/// The kinds of files that are music, by the ending of their names.
enum AudioFormat {
  /// A format whose tags can be read.
  case tagged
  /// A format that players know and TagLib 1.13 does not: its title comes from the file's name.
  case untagged

  private static let taggedEndings: Set<String> = [
    "flac", "mp3", "ogg", "oga", "opus", "m4a", "m4b", "wav", "aif", "aiff", "aifc", "wv", "ape", "mpc", "mp+", "mpp",
    "mp2", "tta", "wma", "asf", "spx",
  ]
  private static let untaggedEndings: Set<String> = ["aac", "dsf", "dff", "mka", "tak", "caf"]
  private static let losslessUntaggedEndings: Set<String> = ["dsf", "dff", "tak"]

  /// Returns true if the ending of a name is that of a lossless format; for files whose tags cannot be read.
  static func isLosslessByName(_ fileName: [UInt8]) -> Bool {
    FileName.ending(fileName).map(losslessUntaggedEndings.contains) ?? false
  }

  /// The format of a file of this name; nil where it is no music.
  init?(fileName: [UInt8]) {
    guard let ending = FileName.ending(fileName) else { return nil }
    let isTagged = Self.taggedEndings.contains(ending)
    guard isTagged || Self.untaggedEndings.contains(ending) else { return nil }
    self = isTagged ? .tagged : .untagged
  }
}
