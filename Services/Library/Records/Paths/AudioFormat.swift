package import Model
import MusicTags

/// The kinds of files that are music, by the ending of their names.
package enum AudioFormat {
  /// The codecs of endings that stand for one codec only.
  private static let codecs = [
    "flac": "flac", "alac": "alac", "wv": "wavpack", "ape": "ape", "tta": "tta", "tak": "tak", "dsf": "dsd",
    "dff": "dsd", "wav": "pcm", "aif": "pcm", "aiff": "pcm", "mp3": "mp3", "mp2": "mp2", "opus": "opus", "aac": "aac",
    "mpc": "musepack", "spx": "speex", "wma": "wma", "pcm": "pcm", "shn": "shorten", "ac3": "ac3", "eac3": "eac3",
    "dts": "dts",
  ]
  private static let losslessCodecs: Set<String> = [
    "flac", "alac", "wavpack", "ape", "tta", "tak", "dsd", "pcm", "shorten", "als",
  ]

  /// Returns the codec that files with an ending in lower case have; nil where such files have several.
  package static func codec(ofEnding ending: String) -> String? { codecs[ending] }

  /// Returns true if a codec is lossless, or nearly always used so.
  package static func isLossless(codec: String) -> Bool { losslessCodecs.contains(codec) }

  /// Returns the program that is asked first for the tags of a file of this name; nil if it is no music.
  package static func reader(fileName: [UInt8]) -> AudioContainer.TagReader? {
    FileName.ending(fileName).flatMap { AudioContainer.named(ending: $0)?.reader }
  }
}
