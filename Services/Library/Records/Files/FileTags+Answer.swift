import Glibc
package import Messages
import Model
package import MusicTags
package import System

/// The reasons why tags or a picture of a file could not be read.
package enum TagFailure: Error, Hashable, Sendable {
  /// The file is no audio file, or incomplete.
  case broken
  /// The file cannot be read at present.
  case unreadable(Errno)
  /// Reading it needs more memory than is allowed.
  case outOfMemory
  /// The program that reads tags ended with it twice.
  case breaksReader(cause: String)
  /// The system ended the program that reads tags each time, which says nothing about the file.
  case readerKilled(cause: String)
  /// The file was not read, as several readers wait for its disk already. This says nothing about the file.
  case diskSilent
}

extension TagReading.Answer {
  /// Throws the failure that the answer reports, if any.
  package func check() throws(TagFailure) {
    switch outcome {
    case .read: return
    case .broken: throw .broken
    case .unreadable: throw .unreadable(Errno(systemError))
    case .outOfMemory: throw .outOfMemory
    }
  }
}

extension FileTags {
  /// The size below which a file without duration is only a header, as an interrupted copy leaves it.
  private static let smallestWithoutDuration = 4096

  /// Takes over the answer of the tag reader, which has interpreted the tags of a file of this size.
  package init(_ answer: TagReading.Answer, size: Int64) throws(TagFailure) {
    try answer.check()
    self.init(packed: String(decoding: answer.text, as: UTF8.self))
    let duration = Milliseconds(answer.duration)
    audio.duration = AudioLimits.durations.contains(duration) ? duration : .zero
    audio.properties = answer.audio.plausible
    audio.isLossless = answer.isLossless
    audio.isHybrid = answer.isHybrid
    audio.digest = answer.audioDigest
    audio.hasPicture = answer.hasPicture
    audio.hasLegacyText = answer.hasLegacyText
    audio.isTruncated = answer.isTruncated
    audio.hasLyrics = answer.hasLyrics
    audio.hasTimedLyrics = answer.hasTimedLyrics
    if audio.duration == .zero, size < Self.smallestWithoutDuration { throw .broken }
  }
}
