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

  /// The codecs of endings that stand for one codec only.
  private static let codecs = [
    "flac": "flac", "alac": "alac", "wv": "wavpack", "ape": "ape", "tta": "tta", "tak": "tak", "dsf": "dsd",
    "dff": "dsd", "wav": "pcm", "aif": "pcm", "aiff": "pcm", "mp3": "mp3", "mp2": "mp2", "opus": "opus", "aac": "aac",
    "mpc": "musepack", "spx": "speex", "wma": "wma", "pcm": "pcm",
  ]
  private static let losslessCodecs: Set<String> = ["flac", "alac", "wavpack", "ape", "tta", "tak", "dsd", "pcm"]

  /// Returns the codec that files with an ending in lower case have; nil where such files have several.
  static func codec(ofEnding ending: String) -> String? { codecs[ending] }

  /// Returns true if a codec is lossless, or nearly always used so.
  static func isLossless(codec: String) -> Bool { losslessCodecs.contains(codec) }

  /// The format of a file of this name; nil where it is no music.
  init?(fileName: [UInt8]) {
    guard let ending = FileName.ending(fileName) else { return nil }
    let isTagged = Self.taggedEndings.contains(ending)
    guard isTagged || Self.untaggedEndings.contains(ending) else { return nil }
    self = isTagged ? .tagged : .untagged
  }
}
