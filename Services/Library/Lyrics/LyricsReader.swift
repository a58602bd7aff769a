import Glibc
import Messages
import Model
import Storage
import System

/// Reads the lyrics of tracks when somebody asks for them: those in the tags of the files, and LRC files beside them.
struct LyricsReader: Sendable {
  let database: Database
  let boundary: FolderBoundary
  let tagReaders: TagReaders

  /// The most bytes of an LRC file.
  static let sizeLimit = 1 << 20

  /// Returns the lyrics of a track: those with times in tags, else those with times in an LRC file, else those without
  /// times. Of several copies the best one with such lyrics counts.
  ///
  /// - Throws: `library.unknownID`; `library.lyricsMissing` where there are none; and where a file could not be read,
  ///   its error: `library.fileMissing`, `library.outsideFolders`, `library.noTagReader`.
  func lyrics(of id: TrackID) async throws -> Library.Lyrics {
    let copies = try await database.read { try Catalogue.copies(of: id, $0) }
    var found: [Library.Lyrics] = []
    var failure: LunaraError?
    for copy in copies {
      guard let path = copy.path else { continue }
      for read in [inTags, besideFile] {
        do {
          let lyrics = try await BlockingThreads.perform { try read(path, copy.segment) }
          if let timed = lyrics.first(where: \.isTimed) { return timed }
          found += lyrics
        } catch {
          failure = failure ?? LunaraError(error)
        }
      }
    }
    if let first = found.first { return first }
    throw failure
      ?? LunaraError(
        "library.lyricsMissing",
        "There are no lyrics in the files of the track \(id), nor in an LRC file beside them. Add some to the tags.")
  }

  /// Returns the lyrics in the tags of a file. Blocks.
  private func inTags(_ path: LocalPath, _ segment: AudioSegment?) throws -> [Library.Lyrics] {
    let encoding = tagReaders.encodings.number(at: path.bytes)
    switch try tagReaders.lyrics(in: try MusicFile.openMusic(path, encoding: encoding)) {
    case .success(let lyrics):
      return lyrics.compactMap { Self.lyrics($0.text, in: .tags, language: $0.language, segment) }
    case .failure(let failure):
      throw LunaraError(
        "library.fileMissing", "The lyrics in \(path) cannot be read. Try again later.", cause: "\(failure)")
    }
  }

  /// Returns the lyrics in an LRC file of the same name. Blocks.
  private func besideFile(_ path: LocalPath, _ segment: AudioSegment?) throws -> [Library.Lyrics] {
    guard let folder = FilePath.parent(path.bytes) else { return [] }
    let name = FilePath.name(path.bytes)
    let stem = name.lastIndex(of: UInt8(ascii: ".")).map { name[..<$0] } ?? name[...]
    for ending in [".lrc", ".LRC", ".Lrc"] {
      let beside = LocalPath(bytes: FilePath.join(folder, Array(stem) + Array(ending.utf8)))
      guard access(beside.cString, F_OK) == 0 else { continue }
      let file = try MusicFile.open(beside).file
      guard let real = file.path else { continue }
      try boundary.requireInside(real, of: beside)
      let bytes: [UInt8]
      do throws(Errno) { bytes = try file.readToEnd(limit: Self.sizeLimit) } catch {
        throw MusicFile.unreadable(beside, error.text)
      }
      let text = CueText.decode(bytes, encoding: tagReaders.encodings.name(at: path.bytes))
      return Self.lyrics(text, in: .file, language: "", segment).map { [$0] } ?? []
    }
    return []
  }

  private static func lyrics(
    _ text: String, in source: Library.LyricsSource, language: String, _ segment: AudioSegment?
  ) -> Library.Lyrics? {
    var text = LyricsText(text)
    text.cut(to: segment)
    guard text.lines.contains(where: { !$0.text.isEmpty }) else { return nil }
    return Library.Lyrics(
      source: source, lines: text.lines, language: language.isEmpty ? text.language : language)
  }
}

extension Library.Lyrics {
  /// True if lines have times.
  var isTimed: Bool { lines.contains { $0.start != nil } }
}
