import AudioDigests
import Messages
import Model
import System

/// Answers the library's requests with what libavformat reads.
struct FormatReader: MusicFileReader {
  /// The most bytes of a value; longer ones are left out.
  private static let longestValue = 4096

  /// Reads the properties of an open file.
  func tags(of file: TagReading.File, _ descriptor: Descriptor) -> TagReading.Answer {
    do throws(AudioFile.Failure) {
      let audio = try AudioFile(descriptor, file)
      var answer = TagReading.Answer(.read)
      let measured = try audio.measured()
      answer.duration = measured.duration
      answer.audio = measured.properties
      answer.isLossless = measured.isLossless
      answer.hasPicture = audio.withPicture { $0 != nil }
      let tags = audio.tags
      let lyrics = tags.filter { TagNames.isLyrics($0.name) }
      answer.hasLyrics = !lyrics.isEmpty
      answer.hasTimedLyrics = lyrics.contains { TagNames.hasTimes($0.value) }
      answer.text = Self.text(tags.filter { !TagNames.isLyrics($0.name) } + audio.chapters)
      answer.recordTruncation(of: descriptor, size: file.size)
      answer.addDigest(of: descriptor, size: file.size)
      return answer
    } catch {
      return TagReading.Answer(failure: error)
    }
  }

  /// Writes the picture in an open file to another open file.
  func picture(of file: TagReading.File, _ descriptor: Descriptor, to output: Descriptor) -> TagReading.Answer {
    do throws(AudioFile.Failure) {
      let audio = try AudioFile(descriptor, file)
      var answer = TagReading.Answer(.read)
      try audio.withPicture { bytes throws(AudioFile.Failure) in
        guard let bytes else { return }
        // The picture may be larger than a file may be.
        do { try output.write(bytes) } catch { throw .outOfMemory }
        answer.hasPicture = true
      }
      return answer
    } catch {
      return TagReading.Answer(failure: error)
    }
  }

  /// Writes the lyrics in the tags of an open file to another open file.
  func lyrics(of file: TagReading.File, _ descriptor: Descriptor, to output: Descriptor) -> TagReading.Answer {
    do throws(AudioFile.Failure) {
      let lyrics = try AudioFile(descriptor, file).tags.filter { TagNames.isLyrics($0.name) }
      var answer = TagReading.Answer(.read)
      let bytes = TagReading.bytes(
        of: lyrics.map { TagReading.Lyrics(language: "", text: String(decoding: $0.value, as: UTF8.self)) })
      guard !bytes.isEmpty else { return answer }
      do { try output.write(bytes) } catch { throw .outOfMemory }
      answer.hasPicture = true
      return answer
    } catch {
      return TagReading.Answer(failure: error)
    }
  }

  /// Writes all tags of an open file, as they stand there, to another open file.
  func allTags(of file: TagReading.File, _ descriptor: Descriptor, to output: Descriptor) -> TagReading.Answer {
    do throws(AudioFile.Failure) {
      let bytes = try AudioFile(descriptor, file).allTags.bytes
      var answer = TagReading.Answer(.read)
      guard !bytes.isEmpty else { return answer }
      do { try output.write(bytes) } catch { throw .outOfMemory }
      answer.hasPicture = true
      return answer
    } catch {
      return TagReading.Answer(failure: error)
    }
  }

  /// Returns the text of an answer: each name in capitals and its value, each ended by NUL.
  private static func text(_ tags: [(name: String, value: [UInt8])]) -> [UInt8] {
    var text: [UInt8] = []
    for (name, value) in tags where !name.isEmpty && value.count <= longestValue {
      let entry = Array(name.utf8) + [0] + value + [0]
      if text.count + entry.count <= TagReading.textLimit { text += entry }
    }
    return text
  }
}

extension TagReading.Answer {
  fileprivate init(failure: AudioFile.Failure) {
    switch failure {
    case .broken: self.init(.broken)
    case .outOfMemory: self.init(.outOfMemory)
    case .unreadable(let error):
      self.init(.unreadable)
      systemError = error.rawValue
    }
  }
}
