package import ListFiles
import Messages
package import Model
import MusicTags
package import System
import Text

/// A list file in a music folder.
package struct ScannedList: Sendable {
  package var name: [UInt8]
  package var stamp: FileStamp
  package var contents: Result<Contents, LunaraError>
  /// True if rights keep it from being read: they may change without a change of the file.
  package private(set) var isDenied = false
  /// The error for which the disk did not give its contents; nil if it did. Read again later, it may be whole.
  package private(set) var failure: Errno?

  package enum Contents: Sendable {
    case entries(ListFile)
    /// The rules of a smart playlist.
    case rules(PlaylistRules)
  }

  /// The formats of list files that are taken from music folders. Files in JSON are taken for lists only where a person
  /// imports them.
  private static let endings: Set = ["m3u", "m3u8", "pls", "xspf", "jspf", "nsp"]

  package static func isName(_ name: [UInt8]) -> Bool {
    FileName.ending(name).map { endings.contains($0) } ?? false
  }

  /// Reads a list file. What is wrong with it is part of the result.
  ///
  /// - Parameters:
  ///   - entry: the file.
  ///   - folder: the folder that it lies in.
  ///   - boundary: decides whether it is read.
  ///   - answered: called when the file system has answered a request.
  package init(
    _ entry: FolderEntry, in folder: [UInt8], within boundary: FolderBoundary, answered: () -> Void = {}
  ) {
    name = entry.name
    stamp = entry.stamp
    let path = LocalPath(bytes: FilePath.join(folder, entry.name))
    let bytes: [UInt8]
    do throws(TextFailure) { bytes = try boundary.readText(path, limit: ListFile.longest) } catch {
      switch error {
      case .outside: contents = .failure(FolderBoundary.outside(path))
      case .unreadable(.fileTooLarge): contents = .failure(ListFile.tooLarge(path.description))
      case .unreadable(let error):
        if error.isTransient { failure = error }
        isDenied = error == .permissionDenied || error == .notPermitted
        contents = .failure(LunaraError("library.badListFile", "\(path) cannot be read.", cause: error))
      }
      return
    }
    answered()
    contents = Result { () throws(LunaraError) in
      guard FileName.ending(entry.name) == "nsp" else {
        return .entries(
          try ListFile(bytes, name: path.description) { location in
            defer { answered() }
            return Self.named(location, in: folder)
          })
      }
      do throws(LunaraError) { return .rules(try PlaylistRules(json: bytes)) } catch {
        throw LunaraError(error.code, "\(path): \(error.message)", cause: error.cause)
      }
    }
  }
}

extension ScannedList {
  /// Returns the file or folder that a location names below the list's own folder; nil if there is none, or if a link
  /// leads elsewhere.
  private static func named(_ location: String, in folder: [UInt8]) -> ListFile.Named? {
    guard let folder = String(validating: folder, as: UTF8.self) else { return nil }
    do throws(Errno) {
      let real = try Files.resolved("\(folder)/\(location.replacing("\\", with: "/"))")
      guard real.hasPrefix("\(try Files.resolved(folder))/") else { return nil }
      switch Files.status(real, followingLinks: false)?.kind {
      case .regular: return .file
      case .folder:
        return .folder(
          try Files.names(in: real).filter { !$0.hasPrefix(".") && AudioFormat.reader(fileName: Array($0.utf8)) != nil }
        )
      default: return nil
      }
    } catch {
      // The path does not exist or cannot be read.
      return nil
    }
  }
}
