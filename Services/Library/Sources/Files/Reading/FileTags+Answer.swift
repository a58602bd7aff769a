import Glibc
import Messages
import Model
import System

/// The reasons why tags or a picture of a file could not be read.
enum TagFailure: Error, Hashable, Sendable {
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
  func check() throws(TagFailure) {
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

  /// Interprets the answer of the tag reader for a file of this size.
  init(_ answer: TagReading.Answer, size: Int64) throws(TagFailure) {
    try answer.check()
    var interpretation = TagInterpretation()
    answer.text.withUnsafeBufferPointer { text in
      var rest = text[...]
      func next() -> UnsafeBufferPointer<UInt8>? {
        guard let end = rest.firstIndex(of: 0) else { return nil }
        defer { rest = rest[(end + 1)...] }
        return UnsafeBufferPointer(rebasing: rest[..<end])
      }
      while let name = next(), let value = next() {
        interpretation.add(name, value)
      }
    }
    self = interpretation.finished()
    audio.duration = Milliseconds(max(0, answer.duration))
    audio.properties = answer.audio
    (audio.isLossless, audio.isHybrid, audio.digest) = (answer.isLossless, answer.isHybrid, answer.audioDigest)
    (audio.hasPicture, audio.hasLegacyText) = (answer.hasPicture, answer.hasLegacyText)
    audio.isTruncated = answer.isTruncated
    (audio.hasLyrics, audio.hasTimedLyrics) = (answer.hasLyrics, answer.hasTimedLyrics)
    if audio.duration == .zero, size < Self.smallestWithoutDuration { throw .broken }
  }
}
