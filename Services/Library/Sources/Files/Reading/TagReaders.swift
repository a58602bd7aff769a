import Glibc
package import Messages
package import Model
package import MusicTags
package import Records
package import System

/// An open music file.
package struct OpenMusicFile: Sendable {
  var name: [UInt8]
  var size: Int64
  /// The number of the file system that holds it.
  package var device: UInt64
  var descriptor: Descriptor
  /// The encoding of text that claims to be Latin-1, as `TagReading.File` has it.
  var encoding: UInt8

  package init(name: [UInt8], descriptor: Descriptor, status: FileStatus, encoding: UInt8 = 0) {
    self.name = name
    self.descriptor = descriptor
    self.encoding = encoding
    size = status.size
    device = status.device
  }
}

/// Reads tags and embedded pictures: in processes of `lunara-tags`, or of `lunara-formats` where TagLib does not know
/// the file or its length, and for chapters. The second program is started only for such files. All functions block.
package final class TagReaders: Sendable {
  /// The most processes of `lunara-tags`: a scan has four threads, and somebody may wait for pictures meanwhile.
  private static let processLimit = 6
  /// The most processes of `lunara-formats`, each of which takes more memory.
  private static let formatsProcessLimit = 2

  /// The encodings in which text of some folders is that claims to be Latin-1.
  package let encodings: TagEncodings
  /// Starts a program with arguments.
  package typealias Spawn = @Sendable (String, [String]) throws(Errno) -> WorkerProcess

  private let tagLib: TagReaderPool
  private let formats: TagReaderPool

  /// - Parameters:
  ///   - program: the file of `lunara-tags`; by default it lies beside this program.
  ///   - formatsProgram: the file of `lunara-formats`; by default it lies beside this program.
  ///   - encodings: the encodings in which text of some folders is that claims to be Latin-1. libavformat reads such
  ///     text as Latin-1.
  ///   - rules: the rules by which tags are split, as the programs interpret them.
  ///   - patience: the most time for one file, as for `TagReaderPool`.
  ///   - spawn: starts a program with arguments.
  package init(
    program: String? = nil, formatsProgram: String? = nil, encodings: TagEncodings = TagEncodings(),
    rules: TagRules = .default, patience: Milliseconds = Milliseconds(30_000),
    spawn: @escaping Spawn = { program, arguments throws(Errno) in try WorkerProcess(program, arguments: arguments) }
  ) {
    self.encodings = encodings
    let arguments = rules.arguments + encodings.arguments
    tagLib = TagReaderPool(
      program ?? WorkerProcess.program("lunara-tags"), processLimit: Self.processLimit, patience: patience
    ) { program throws(Errno) in try spawn(program, arguments) }
    formats = TagReaderPool(
      formatsProgram ?? WorkerProcess.program("lunara-formats"), processLimit: Self.formatsProcessLimit,
      patience: patience
    ) { program throws(Errno) in try spawn(program, rules.arguments) }
  }

  /// Reads the tags of files, at most `TagReading.fileLimit`. The results have the order of the files, and are fewer if
  /// the caller stops it.
  ///
  /// - Parameters:
  ///   - files: the files.
  ///   - isStopped: returns true once the caller no longer wants the results. It is asked while nothing is answered.
  /// - Throws: `library.noTagReader` where a program that is needed cannot be started.
  func tags(
    of files: [OpenMusicFile], isStopped: () -> Bool = { false }
  ) throws(LunaraError) -> [Result<FileTags, TagFailure>] {
    var results = [Result<FileTags, TagFailure>?](repeating: nil, count: files.count)
    func read(_ places: [Int], _ pool: TagReaderPool) throws(LunaraError) {
      guard !places.isEmpty, !isStopped() else { return }
      for (place, result) in zip(places, try pool.tags(of: places.map { files[$0] }, isStopped: isStopped)) {
        results[place] = result
      }
    }
    /// Asks for what TagLib did not find: the lengths that no header has, as in fragmented MP4 and FLAC that was
    /// written to a pipe, and chapters.
    func complete() throws(LunaraError) {
      let places = files.indices.filter {
        guard files[$0].reader == .tags, case .success(let tags)? = results[$0] else { return false }
        return tags.audio.duration == .zero || files[$0].mayHaveChapters(tags)
      }
      guard !places.isEmpty else { return }
      let known = results
      for place in places { results[place] = nil }
      do throws(LunaraError) { try read(places, formats) } catch {
        // Without the program lengths and chapters stay unknown; the tags were read.
        results = known
        return
      }
      for place in places {
        guard case .success(var tags)? = known[place], let other = results[place] else { continue }
        if case .success(let found) = other {
          if tags.audio.duration == .zero { tags.audio.addMeasured(found.audio) }
          if tags.cueBlock == nil, let block = found.cueBlock {
            tags.cueBlock = block
            // The samples of the block count at the rate that its reader found: TagLib states half of it for HE-AAC.
            tags.audio.properties.sampleRate = found.audio.properties.sampleRate
          }
        }
        results[place] = .success(tags)
      }
    }
    try read(files.indices.filter { files[$0].reader == .tags }, tagLib)
    // A file that TagLib cannot read is asked for again: it may be of a kind that only players know.
    let others = files.indices.filter { place in
      guard files[place].reader == .tags else { return true }
      guard case .failure(.broken)? = results[place] else { return false }
      return files[place].size > 0
    }
    try read(others, formats)
    try complete()
    return Array(results.prefix { $0 != nil }.compactMap { $0 })
  }

  /// Reads the picture in a file that stands for its album, into memory; nil if the file has none.
  ///
  /// - Throws: `library.noTagReader` where a program that is needed cannot be started.
  package func picture(in file: OpenMusicFile) throws(LunaraError) -> Result<MusicFileContent?, TagFailure> {
    try read(.picture, of: file)
  }

  /// Reads the lyrics in a file; none where the file has none.
  ///
  /// - Throws: `library.noTagReader` where a program that is needed cannot be started.
  package func lyrics(in file: OpenMusicFile) throws(LunaraError) -> Result<[TagReading.Lyrics], TagFailure> {
    let result = try read(.lyrics, of: file)
    return Result { () throws(TagFailure) in
      guard let found = try result.get()?.bytes else { return [] }
      do throws(Errno) {
        try found.rewind()
        return TagReading.lyrics(try found.readToEnd(limit: TagReading.lyricsLimit))
      } catch {
        throw .unreadable(error)
      }
    }
  }

  /// Reads all tags of a file, as they stand there; none where the file has none.
  ///
  /// - Throws: `library.noTagReader` where a program that is needed cannot be started.
  func allTags(in file: OpenMusicFile) throws(LunaraError) -> Result<TagReading.AllTags, TagFailure> {
    let result = try read(.allTags, of: file)
    return Result { () throws(TagFailure) in
      guard let found = try result.get()?.bytes else { return TagReading.AllTags() }
      do throws(Errno) {
        try found.rewind()
        return TagReading.AllTags(try found.readToEnd(limit: 2 * TagReading.allTagsLimit))
      } catch {
        throw .unreadable(error)
      }
    }
  }

  private func read(
    _ part: MusicFilePart, of file: OpenMusicFile
  ) throws(LunaraError) -> Result<MusicFileContent?, TagFailure> {
    guard file.reader == .tags else { return try formats.read(part, of: file) }
    let result = try tagLib.read(part, of: file)
    guard case .failure(.broken) = result, file.size > 0 else { return result }
    return try formats.read(part, of: file)
  }
}

/// A part of a music file that was read into memory.
package struct MusicFileContent: Sendable {
  package var bytes: Descriptor
  /// True for a picture before which a better one was left out, as its end is missing.
  package var isSecondChoice = false
}

/// The parts of music files that are read on demand.
enum MusicFilePart: Sendable {
  /// The picture that stands for the album.
  case picture
  case lyrics
  /// All tags as they stand in the file.
  case allTags
}

extension OpenMusicFile {
  /// The program that is asked first.
  fileprivate var reader: AudioContainer.TagReader { AudioFormat.reader(fileName: name) ?? .tags }

  /// The length from which on a file may be more than one track.
  private static let shortestWithChapters = Milliseconds(20 * 60_000)

  /// Returns true for a file that chapters may cut into tracks: one that says so by its name, or a long one. Looking
  /// for them opens the file once more, which would be too slow for all files.
  fileprivate func mayHaveChapters(_ tags: FileTags) -> Bool {
    guard tags.cueSheet == nil, tags.cueBlock == nil else { return false }
    return name.suffix(4).map { $0 | 0x20 } == Array(".m4b".utf8) || tags.audio.duration >= Self.shortestWithChapters
  }
}

extension AudioTags {
  /// Adds the length that another reader measured, and the properties of the audio that were not known without one.
  fileprivate mutating func addMeasured(_ other: AudioTags) {
    duration = other.duration
    properties.codec = properties.codec ?? other.properties.codec
    properties.bitRate = properties.bitRate ?? other.properties.bitRate
    properties.sampleRate = properties.sampleRate ?? other.properties.sampleRate
    properties.bitDepth = properties.bitDepth ?? other.properties.bitDepth
    properties.channels = properties.channels ?? other.properties.channels
  }
}
