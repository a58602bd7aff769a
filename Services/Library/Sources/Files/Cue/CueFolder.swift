import Model
import MusicTags
import Records
import System

/// The CUE sheets of one folder, with the audio files to which they belong.
struct CueFolder: Sendable {
  private struct Use: Sendable {
    var sheet: CueSheet
    /// The file as the sheet names it.
    var file: String
    var entry: FolderEntry
  }

  private let folder: [UInt8]
  /// The sheet that is used for an audio file, by the name of the file.
  private var uses: [PathKey: Use] = [:]
  /// The sheets that cannot be used.
  private(set) var problems: [ScannedFile] = []
  /// True if rights keep a sheet from being read: they may change without a change of the sheet.
  private(set) var isDenied = false
  /// The error for which the disk did not give a sheet; nil if it gave all. Without it, its tracks would count as gone.
  private(set) var failure: Errno?

  /// A folder without sheets of its own.
  init(_ folder: [UInt8]) { self.folder = folder }

  /// Reads the sheets of a folder. Of several for one file, that with the name of the file is used, or else the first.
  ///
  /// - Parameter encoding: the encoding of sheets that are no Unicode, as for `CueText`.
  init(_ folder: [UInt8], _ listing: FolderListing, within boundary: FolderBoundary, encoding: String? = nil) {
    self.folder = folder
    let names = listing.audio.map(\.name)
    for entry in listing.sheets.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) {
      var likely: String?
      let path = FilePath.join(folder, entry.name)
      let read = bytes(of: path, within: boundary)
      do throws(CueError) {
        let bytes = try read.get()
        likely = CueText.likelyEncoding(of: bytes, encoding: encoding)
        let sheet = try CueParser.parse(CueText.decode(bytes, encoding: encoding))
        for (file, name) in try CueLayout.files(of: sheet, among: names) {
          let isNamesake = FileName.stem(entry.name) == FileName.stem(name)
          if uses[PathKey(name)] == nil || isNamesake {
            uses[PathKey(name)] = Use(sheet: sheet, file: file, entry: entry)
          }
        }
        if let likely { problems.append(ScannedFile(entry, .failed(ScanProblem.cueEncoding(path, likely)))) }
      } catch {
        var error = error
        // The names of files in such a sheet are not those on the disk.
        if let likely { error.reason += "; it is probably in \(likely), which LUNARA_TAG_ENCODING can say" }
        problems.append(problem(error, of: entry))
      }
    }
  }

  private mutating func bytes(
    of path: [UInt8], within boundary: FolderBoundary
  ) -> Result<[UInt8], CueError> {
    do throws(TextFailure) {
      return .success(try boundary.readText(LocalPath(bytes: path), limit: CueSheet.largestSize))
    } catch {
      switch error {
      case .outside: return .failure(CueError(reason: "it leads out of the music folders"))
      case .unreadable(.fileTooLarge):
        return .failure(CueError(reason: "it is larger than \(CueSheet.largestSize >> 20) MiB"))
      case .unreadable(let error):
        if error.isTransient { failure = error }
        isDenied = isDenied || error == .permissionDenied || error == .notPermitted
        return .failure(CueError(reason: "it cannot be read"))
      }
    }
  }

  private func problem(_ error: CueError, of entry: FolderEntry) -> ScannedFile {
    ScannedFile(entry, .failed(ScanProblem.cue(FilePath.join(folder, entry.name), error)))
  }

  /// Returns what was found in an audio file: cut by the sheet in its tags or beside it, or whole; and the problem of a
  /// sheet beside it that does not fit.
  func scanned(_ entry: FolderEntry, _ tags: FileTags, _ rules: TagRules) -> [ScannedFile] {
    func whole(_ tags: FileTags) -> ScannedFile {
      ScannedFile(entry, .read(FileMetadata(tags, folder: folder, name: entry.name, rules)))
    }
    func cut(_ sheet: CueSheet, _ file: String) throws(CueError) -> ScannedFile {
      guard let cut = try CueLayout.cut(sheet, file, tags, folder: folder, name: entry.name, rules) else {
        guard let track = sheet.tracks.first(where: { $0.file == file && $0.isAudio }) else { return whole(tags) }
        return whole(CueLayout.filled(tags, from: track, in: sheet))
      }
      var file = whole(tags)
      file.cut = cut
      return file
    }
    var failure: CueError?
    if let text = tags.cueSheet {
      do throws(CueError) {
        let sheet = try CueParser.parse(text)
        // The sheet in a file is about that file, whatever name it had when the sheet was made.
        return [try cut(sheet, sheet.tracks.first?.file ?? "")]
      } catch {
        failure = error
      }
    }
    if let use = uses[PathKey(entry.name)] {
      do throws(CueError) { return [try cut(use.sheet, use.file)] } catch {
        return [whole(tags), problem(error, of: use.entry)]
      }
    }
    if failure == nil, let sheet = tags.cueBlock.flatMap(CueSheet.init(block:)) {
      do throws(CueError) { return [try cut(sheet, "")] } catch { return [whole(tags)] }
    }
    var file = whole(tags)
    file.sheetProblem = failure.map { ScanProblem.cue(FilePath.join(folder, entry.name), $0) }
    return [file]
  }
}
