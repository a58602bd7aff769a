import Catalogue
import Glibc
import Messages
import Model
import Records
import Sources
import Storage
import System

/// Reads the lyrics of tracks when somebody asks for them: those in the tags of the files, LRC files beside them, and
/// those that servers have.
struct LyricsReader: Sendable {
  let database: Database
  let boundary: FolderBoundary
  let tagReaders: TagReaders
  /// Returns the server of a source; nil if none can be used.
  var server: @Sendable (_ source: String) async -> (any MusicServer)? = { _ in nil }

  /// The most bytes of an LRC file.
  static let sizeLimit = 1 << 20

  /// Returns the lyrics of a track: those with times in tags, else those with times in an LRC file, else those without
  /// times, and else what a server has. Of several copies the best one with such lyrics counts. Servers are asked only
  /// where the files have none, as a server may take long.
  ///
  /// - Throws: `library.unknownID`; `library.lyricsMissing` where there are none; and where a file could not be read,
  ///   its error: `library.fileMissing`, `library.outsideFolders`, `library.noTagReader`; or that of a server.
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
    for copy in copies where copy.path == nil {
      do {
        if let first = try await ofServer(copy).first { return first }
      } catch {
        try Task.checkCancellation()
        failure = failure ?? LunaraError(error)
      }
    }
    throw failure
      ?? LunaraError(
        "library.lyricsMissing",
        "There are no lyrics in the files of the track \(id), nor in an LRC file beside them, and no server gives any. Add some to the tags."
      )
  }

  /// Returns the lyrics that the server of a copy has.
  private func ofServer(_ copy: Catalogue.TrackCopy) async throws -> [Library.Lyrics] {
    guard let native = copy.native else { return [] }
    guard let server = await server(copy.id.source) else { throw SourceError.away(copy.id.source, cause: nil) }
    do { return try await server.lyrics(of: native) } catch let error as LunaraError where error.code == "library.gone"
    {
      return []
    }
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
    let stem = LyricsFile.stem(FilePath.name(path.bytes))
    for ending in LyricsFile.endings {
      let beside = LocalPath(bytes: FilePath.join(folder, stem + Array(ending.utf8)))
      guard access(beside.cString, F_OK) == 0 else { continue }
      let bytes: [UInt8]
      do throws(TextFailure) { bytes = try boundary.readText(beside, limit: Self.sizeLimit) } catch {
        switch error {
        case .outside: throw FolderBoundary.outside(beside)
        case .unreadable(let error): throw MusicFile.unreadable(beside, error.text)
        }
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
