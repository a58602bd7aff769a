package import Model
package import System

/// The problems that a scan reports. Each message names the file or folder, and says what to do.
package enum ScanProblem {
  /// The advice how to remove a folder, whichever way it was added.
  private static let ifGone =
    "If it is to be left out, run `lunara sources remove FOLDER`, or take it out of LUNARA_MUSIC."

  /// The code of a file that could not be read at all, so that the next scan tries it again.
  package static let unreadableCode = "library.fileUnreadable"
  /// The code of a file that is not read again until it changes, even if it was a track before.
  package static let breaksReaderCode = "library.fileBreaksReader"

  package static func folder(_ path: [UInt8], _ error: Errno, isRoot: Bool) -> LunaraError {
    let name = LocalPath(bytes: path).description
    switch error {
    case .noSuchFileOrDirectory where isRoot:
      return LunaraError(
        "library.folderMissing",
        "The music folder \(name) is not there. Connect its disk; what it held stays listed. \(ifGone)",
        cause: error)
    case .notDirectory:
      return LunaraError(
        "library.folderMissing", "The music folder \(name) is no folder; what it held stays listed. \(ifGone)",
        cause: error)
    case .tooManySymbolicLinkLevels, .nameTooLong:
      return LunaraError(
        "library.folderUnreadable", "The folder \(name) lies too deep or in a circle of links. Move it up.",
        cause: error)
    default:
      return LunaraError(
        "library.folderUnreadable",
        "The folder \(name) cannot be read. Let the user that runs Lunara read it; what it held stays listed.",
        cause: error)
    }
  }

  /// - Parameter limit: the largest size of an ignore file, in bytes.
  package static func ignoreFile(_ path: [UInt8], _ failure: TextFailure, limit: Int) -> LunaraError {
    let (name, code) = (LocalPath(bytes: path).description, "library.ignoreFileUnreadable")
    switch failure {
    case .outside:
      return LunaraError(
        code, "\(name) leads out of the music folders, so nothing is left out by it. Put a file in its place.")
    case .unreadable(.fileTooLarge):
      return LunaraError(
        code,
        "\(name) is larger than \(limit / 1024) KiB, so nothing is left out by it. Shorten it.",
        cause: Errno.fileTooLarge)
    case .unreadable(let error):
      return LunaraError(
        code, "\(name) cannot be read, so nothing is left out by it. Let the user that runs Lunara read it.",
        cause: error)
    }
  }

  package static func silentDisk(of root: [UInt8]) -> LunaraError {
    LunaraError(
      "library.folderUnreadable",
      "New and changed files in the music folder \(LocalPath(bytes: root)) were not read, because a disk does not answer. What it held stays listed. Check the disk or the network share; the next refresh tries again.",
      cause: Errno.timedOut)
  }

  /// The code of a folder whose disk does not answer.
  package static let silentCode = "library.folderSilent"

  /// - Parameters:
  ///   - path: a music folder, or a folder in one at which a disk is mounted.
  ///   - since: the time since which it does not answer.
  package static func silentFolder(_ path: [UInt8], since: Timestamp) -> LunaraError {
    let name = LocalPath(bytes: path).description
    let minute = since.description.prefix(16).map { $0 == "T" ? " " : String($0) }.joined()
    return LunaraError(
      silentCode,
      "The folder \(name) has not answered since \(minute) UTC, so it is left out; what it held stays listed. Check the mount (findmnt \(name)), the network, and whether the machine behind it sleeps. It is read as soon as it answers.",
      cause: Errno.timedOut)
  }

  /// The code of a folder whose disk answers slowly.
  package static let slowCode = "library.folderSlow"

  /// - Parameters:
  ///   - path: a music folder, or a folder in one at which a disk is mounted.
  ///   - latency: the time of a request.
  package static func slowFolder(_ path: [UInt8], latency: Duration) -> LunaraError {
    let milliseconds = max(1, Int((latency / .milliseconds(1)).rounded()))
    return LunaraError(
      slowCode,
      "The folder \(LocalPath(bytes: path)) takes \(milliseconds) ms for a request, so scans of it take long. Check the network, or let the machine that holds it serve the music."
    )
  }

  package static func file(_ path: [UInt8], _ failure: TagFailure) -> LunaraError {
    let name = LocalPath(bytes: path).description
    switch failure {
    case .broken:
      return LunaraError(
        "library.fileBroken", "\(name) is not a complete audio file and is not listed. Copy it again from its source.")
    case .unreadable(let error):
      return LunaraError(
        unreadableCode, "\(name) cannot be read. Let the user that runs Lunara read it, or check the disk.",
        cause: error)
    case .diskSilent:
      return LunaraError(
        unreadableCode, "\(name) was not read, because its disk does not answer. Check the disk or the network share.",
        cause: Errno.timedOut)
    case .outOfMemory:
      return LunaraError(
        "library.fileBroken", "\(name) needs more memory than is allowed. It is not listed; replace it.")
    case .breaksReader(let cause):
      return LunaraError(
        breaksReaderCode,
        "\(name) breaks the program that reads tags. It is not read again until it changes; replace it, or take it away.",
        cause: cause)
    case .readerKilled(let cause):
      return LunaraError(
        unreadableCode,
        "\(name) was not read, as the system ended the program that reads tags. The next refresh tries again.",
        cause: cause)
    }
  }

  /// The code of a file whose end is missing.
  package static let truncatedCode = "library.fileTruncated"

  package static func truncated(_ path: [UInt8]) -> LunaraError {
    LunaraError(
      truncatedCode,
      "\(LocalPath(bytes: path)) is shorter than its header says, so its end is missing; it is listed nevertheless. Copy it again from its source."
    )
  }

  /// - Parameter guessed: the fields that are guessed from its name, as words for people; empty if only the title is
  ///   its name.
  package static func untagged(_ path: [UInt8], guessed: [String] = []) -> LunaraError {
    let fields = guessed.isEmpty ? ["title"] : guessed
    let list = fields.dropLast().joined(separator: ", ") + (fields.count > 1 ? " and " : "") + (fields.last ?? "")
    return LunaraError(
      "library.fileUntagged",
      "\(LocalPath(bytes: path)) has no tags, so its \(list) \(fields.count == 1 ? "is" : "are") guessed from its name. Tag it, for example with MusicBrainz Picard."
    )
  }

  /// The code of a file whose tags are probably in another encoding than they say.
  package static let encodingCode = "library.fileEncoding"

  /// - Parameter encoding: the encoding in which the tags probably are.
  package static func encoding(_ path: [UInt8], _ encoding: String) -> LunaraError {
    let folder = LocalPath(bytes: FilePath.parent(path) ?? path)
    return LunaraError(
      encodingCode,
      "The tags of \(LocalPath(bytes: path)) claim to be Latin-1, and are probably \(encoding). Set LUNARA_TAG_ENCODING to \(encoding), or to \(encoding)=\(folder) for this folder, and restart Lunara; or tag the file anew."
    )
  }

  /// - Parameters:
  ///   - path: a CUE sheet.
  ///   - encoding: the encoding in which it probably is.
  package static func cueEncoding(_ path: [UInt8], _ encoding: String) -> LunaraError {
    let folder = LocalPath(bytes: FilePath.parent(path) ?? path)
    return LunaraError(
      encodingCode,
      "The CUE sheet \(LocalPath(bytes: path)) is read as Windows-1252, and is probably \(encoding). Set LUNARA_TAG_ENCODING to \(encoding), or to \(encoding)=\(folder) for this folder, and restart Lunara; or save the sheet as UTF-8."
    )
  }

  /// The code of a CUE sheet that is not used.
  package static let cueCode = "library.cueBroken"

  /// - Parameter path: the sheet, or the audio file that has it in its tags.
  package static func cue(_ path: [UInt8], _ error: CueError) -> LunaraError {
    let line = error.line.map { "line \($0): " } ?? ""
    return LunaraError(
      cueCode,
      "The CUE sheet \(LocalPath(bytes: path)) is not used (\(line)\(error.reason)), so its file plays as one track. Mend the sheet, or remove it."
    )
  }

  /// The code of files that are no music.
  package static let unusedCode = "library.filesUnused"
  /// The code of files and folders that a rule leaves out.
  package static let ignoredCode = "library.filesIgnored"

  /// - Parameter folder: the folder with them; empty for all folders of which no names are kept.
  package static func leftOut(_ leftOut: LeftOut, of folder: [UInt8]) -> LunaraError {
    let count = leftOut.count
    let isOne = count == 1
    let place = folder.isEmpty ? "other folders, which are too many to be named," : LocalPath(bytes: folder).description
    var names = leftOut.names.map { LocalPath(bytes: $0).description }.joined(separator: ", ")
    if count > leftOut.names.count, !names.isEmpty { names += " and \(count - leftOut.names.count) more" }
    if !names.isEmpty { names = ": \(names)" }
    let things = isOne ? "1 file or folder" : "\(count) files and folders"
    let verb = isOne ? "is" : "are"
    switch leftOut.rule {
    case .noMusic:
      return LunaraError(
        unusedCode,
        "\(isOne ? "1 file" : "\(count) files") in \(place) \(verb) no music\(names). A file with music needs the ending of its format, such as .flac."
      )
    case .hidden where folder.isEmpty:
      return LunaraError(ignoredCode, "\(things) in \(place) \(verb) left out by a rule.")
    case .hidden:
      return LunaraError(
        ignoredCode,
        "\(things) in \(place) \(verb) hidden by a name that begins with a dot\(names). Rename what is music.")
    case .system:
      return LunaraError(
        ignoredCode,
        "\(things) in \(place) \(verb) left out by a name that systems keep for themselves\(names). Rename what is music."
      )
    case .ignoreFile(let file):
      return LunaraError(
        ignoredCode,
        "\(things) in \(place) \(verb) left out by \(LocalPath(bytes: file))\(names). Change that file to have them listed."
      )
    }
  }

  package static let emptyCode = "library.folderEmpty"

  package static func empty(_ path: [UInt8], hadMusic: Bool) -> LunaraError {
    let advice =
      hadMusic
      ? "Connect its disk; what it held stays listed. If it is meant to be empty, run `lunara sync --accept-deletions`."
      : "Put music there. \(ifGone)"
    return LunaraError(
      emptyCode, "There is no music in the music folder \(LocalPath(bytes: path)). \(advice)")
  }

  package static let noFolders = LunaraError(
    "library.noFolders",
    "No music folder is set. Add one with `lunara sources add FOLDER`, or start with `lunara up --music FOLDER`.")

  package static let heldCode = "library.deletionsHeld"

  package static func held(tracks: Int, albums: Int) -> LunaraError {
    LunaraError(
      heldCode,
      "\(tracks) tracks with \(albums) whole albums are no longer found; they stay listed. If they are gone for good, run `lunara sync --accept-deletions`."
    )
  }

  package static func otherDisk(tracks: Int, folder: [UInt8]) -> LunaraError {
    LunaraError(
      "library.otherDevice",
      "\(LocalPath(bytes: folder)) is on another disk than before, and \(tracks) tracks are not on it; they stay listed. Connect the right disk, or run `lunara sync --accept-deletions`."
    )
  }

  /// The changes of a music folder, or of all of them, are not reported by the kernel.
  package static func notWatched(_ folder: [UInt8]?, cause: String?) -> LunaraError {
    let text =
      folder.map {
        "\(LocalPath(bytes: $0)) is on another machine, which does not report changes, so it is looked at every few minutes. Run `lunara sync` to see changes at once, and after editing tags there."
      } ?? "The music cannot be watched, so it is scanned every six hours. Run `lunara sync` after changes."
    return LunaraError("library.notWatched", text, cause: cause)
  }

  /// - Parameter most: the number of folders that Lunara watches at most; nil if the kernel has no more watches.
  package static func watchLimit(folders: Int, left: Int, most: Int?) -> LunaraError {
    let advice =
      most.map { "Lunara watches at most \($0), as each takes memory. Run `lunara sync` after changes in others." }
      ?? "Raise fs.inotify.max_user_watches, or run `lunara sync` after changes."
    return LunaraError(
      "library.watchLimit",
      "\(left) of \(folders) folders cannot be watched, so they are scanned every six hours. \(advice)")
  }
}
