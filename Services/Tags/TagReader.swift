import AudioDigests
import CTagLib
import Glibc
import Messages
import Model
import System

/// Reads files with TagLib, one after the other.
struct TagReader: MusicFileReader, ~Copyable {
  private let handle: OpaquePointer

  /// Makes a reader; nil if there is no memory for it, or where one of the encodings is unknown.
  ///
  /// - Parameter encodings: the encodings in which text may be that claims to be Latin-1, by iconv's names.
  init?(encodings: [String]) {
    guard encodings.allSatisfy({ lunara_tag_reader_add_encoding($0) }), let handle = lunara_tag_reader_make() else {
      return nil
    }
    self.handle = handle
  }

  deinit { lunara_tag_reader_free(handle) }

  /// Reads the properties of an open file.
  func tags(of file: TagReading.File, _ descriptor: Descriptor) -> TagReading.Answer {
    lunara_tag_reader_choose_encoding(UInt32(file.encoding))
    var raw = lunara_tags()
    let outcome = lunara_tags_read(handle, descriptor.number, file.cName, file.size, &raw)
    var answer = TagReading.Answer(TagReading.Outcome(outcome))
    answer.systemError = raw.system_error
    guard answer.outcome == .read else { return answer }
    answer.duration = raw.duration
    answer.hasPicture = raw.has_picture != 0
    answer.isLossless = raw.is_lossless != 0
    answer.audioDigest = raw.audio_digest
    answer.isHybrid = raw.is_hybrid != 0
    answer.hasLyrics = raw.has_lyrics != 0
    answer.hasTimedLyrics = raw.has_timed_lyrics != 0
    answer.hasLegacyText = raw.has_legacy_text != 0
    answer.audio = AudioProperties(raw)
    if raw.is_truncated != 0 {
      answer.isTruncated = true
    } else if raw.codec.map({ String(cString: $0) }) != "flac" {
      // The library asks for a length of zero elsewhere.
      if answer.recordTruncation(of: descriptor, size: file.size) { answer.duration = 0 }
    }
    if answer.audioDigest == 0 { answer.addDigest(of: descriptor, size: file.size) }
    if let text = raw.text {
      answer.text = Array(UnsafeRawBufferPointer(start: text, count: min(raw.text_length, TagReading.textLimit)))
    }
    return answer
  }

  /// Writes the cover picture in an open file to another open file.
  func picture(of file: TagReading.File, _ descriptor: Descriptor, to output: Descriptor) -> TagReading.Answer {
    var raw = lunara_picture()
    let outcome = lunara_picture_read(handle, descriptor.number, file.cName, file.size, &raw)
    var answer = write(raw.bytes, raw.length, outcome, raw.system_error, to: output)
    if answer.hasPicture { answer.isTruncated = raw.passed_over != 0 }
    return answer
  }

  /// Writes the lyrics in the tags of an open file to another open file.
  func lyrics(of file: TagReading.File, _ descriptor: Descriptor, to output: Descriptor) -> TagReading.Answer {
    lunara_tag_reader_choose_encoding(UInt32(file.encoding))
    var raw = lunara_lyrics()
    let outcome = lunara_lyrics_read(handle, descriptor.number, file.cName, file.size, &raw)
    return write(raw.text, raw.length, outcome, raw.system_error, to: output)
  }

  /// Writes all tags of an open file, as they stand there, to another open file.
  func allTags(of file: TagReading.File, _ descriptor: Descriptor, to output: Descriptor) -> TagReading.Answer {
    lunara_tag_reader_choose_encoding(UInt32(file.encoding))
    var raw = lunara_all_tags()
    let outcome = lunara_all_tags_read(handle, descriptor.number, file.cName, file.size, &raw)
    return write(raw.text, raw.length, outcome, raw.system_error, to: output)
  }

  /// Writes the bytes that were read, if there are some, and returns the answer about them.
  private func write(
    _ bytes: UnsafeRawPointer?, _ length: Int, _ outcome: lunara_tag_outcome, _ systemError: Int32,
    to output: Descriptor
  ) -> TagReading.Answer {
    var answer = TagReading.Answer(TagReading.Outcome(outcome))
    answer.systemError = systemError
    guard answer.outcome == .read, let bytes else { return answer }
    do {
      try output.write(UnsafeRawBufferPointer(start: bytes, count: length).bindMemory(to: UInt8.self))
      answer.hasPicture = true
    } catch {
      // The bytes are more than a file may have.
      answer.outcome = .outOfMemory
    }
    return answer
  }
}

extension AudioProperties {
  /// Properties that TagLib does not know are 0, or less in damaged files.
  fileprivate init(_ raw: lunara_tags) {
    func known(_ number: Int32) -> Int? { number > 0 ? Int(number) : nil }
    let codec = raw.codec.map { String(cString: $0) } ?? ""
    self.init(
      codec: codec.isEmpty ? nil : codec, bitRate: known(raw.bit_rate), sampleRate: known(raw.sample_rate),
      bitDepth: known(raw.bit_depth), channels: known(raw.channels))
  }
}

extension TagReading.Outcome {
  fileprivate init(_ outcome: lunara_tag_outcome) {
    switch outcome {
    case LUNARA_TAG_OK: self = .read
    case LUNARA_TAG_UNREADABLE: self = .unreadable
    case LUNARA_TAG_NO_MEMORY: self = .outOfMemory
    default: self = .broken
    }
  }
}

extension TagReading.File {
  fileprivate var cName: [CChar] { name.map { CChar(bitPattern: $0) } + [0] }
}
