/// The kinds of file that are taken for music, by the ending of their names.
enum AudioFormat {
  /// One whose tags can be read.
  case tagged
  /// One that players know and TagLib 1.13 does not: it goes by its name.
  case untagged

  private static let taggedEndings: Set<String> = [
    "flac", "mp3", "ogg", "oga", "opus", "m4a", "m4b", "wav", "aif", "aiff", "aifc", "wv", "ape", "mpc", "mp+", "mpp",
    "mp2", "tta", "wma", "asf", "spx",
  ]
  private static let untaggedEndings: Set<String> = ["aac", "dsf", "dff", "mka", "tak", "caf"]
  private static let losslessUntaggedEndings: Set<String> = ["dsf", "dff", "tak"]

  /// Whether the name alone says that nothing was lost, for files whose tags cannot be read.
  static func isLosslessByName(_ fileName: [UInt8]) -> Bool {
    FileName.ending(fileName).map(losslessUntaggedEndings.contains) ?? false
  }

  /// The format of a file of this name; nil where it is no music.
  init?(fileName: [UInt8]) {
    guard let ending = FileName.ending(fileName) else { return nil }
    if Self.taggedEndings.contains(ending) {
      self = .tagged
    } else if Self.untaggedEndings.contains(ending) {
      self = .untagged
    } else {
      return nil
    }
  }
}
