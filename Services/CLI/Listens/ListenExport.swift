import Glibc
import Model
import System

/// The files with listens of an export: one file, or those in a folder or a ZIP archive, as ListenBrainz gives them.
struct ListenExport: Sendable {
  /// One of the files.
  struct File: Sendable {
    var name: String
    /// Returns a function that returns the next bytes, none at the end.
    var open: @Sendable () throws -> () throws -> [UInt8]
  }

  private static let endings = [".jsonl", ".json", ".csv"]
  /// The folder in a ListenBrainz export that holds the listens. The export has other folders, too.
  private static let folder = "listens/"
  private static let mostFolders = 10_000

  let files: [File]

  /// - Throws: `cli.badListenFile`.
  init(_ path: String) throws {
    do {
      let status = try FileStatus(path, followingLinks: true)
      if status.kind == .folder {
        files = Self.listens(among: try Self.names(in: path)) { $0 }.map { name in
          File(name: "\(path)/\(name)", open: { try Self.bytes(of: "\(path)/\(name)") })
        }
      } else if status.kind == .regular, try ZipArchive.isArchive(path) {
        let archive = try ZipArchive(path)
        files = Self.listens(among: archive.entries, by: \.name).map { entry in
          File(name: "\(path)/\(entry.name)", open: { try archive.open(entry) })
        }
      } else {
        files = [File(name: path, open: { try Self.bytes(of: path) })]
      }
    } catch let error as Errno {
      throw Self.unreadable(path, error)
    }
    guard !files.isEmpty else {
      throw LunaraError(
        "cli.badListenFile", "\(path) has no files with listens in it: none ends with .jsonl, .json or .csv.")
    }
  }

  /// Returns the entries with listens, in the order of their names: those in a folder `listens`, or else all.
  private static func listens<Entry>(among entries: [Entry], by name: (Entry) -> String) -> [Entry] {
    let likely = entries.filter { entry in endings.contains { name(entry).hasSuffix($0) } }
      .sorted { name($0) < name($1) }
    let chosen = likely.filter { name($0).hasPrefix(folder) || name($0).contains("/\(folder)") }
    return chosen.isEmpty ? likely : chosen
  }

  /// Returns the files below a folder, by their paths from there.
  private static func names(in root: String) throws(Errno) -> [String] {
    var (found, folders) = ([String](), [""])
    var place = 0
    while place < folders.count, place < mostFolders {
      let folder = folders[place]
      place += 1
      for name in try Files.names(in: "\(root)/\(folder)") where !name.hasPrefix(".") {
        let path = folder.isEmpty ? name : "\(folder)/\(name)"
        switch Files.status("\(root)/\(path)", followingLinks: false)?.kind {
        case .folder: folders.append(path)
        case .regular: found.append(path)
        default: break
        }
      }
    }
    return found
  }

  private static func bytes(of path: String) throws -> () throws -> [UInt8] {
    let file: Descriptor
    do throws(Errno) { file = try Descriptor(opening: path, O_RDONLY) } catch { throw unreadable(path, error) }
    return {
      do throws(Errno) { return try file.readBytes(upTo: 65_536) } catch { throw unreadable(path, error) }
    }
  }

  private static func unreadable(_ path: String, _ error: Errno) -> LunaraError {
    LunaraError("cli.badListenFile", "\(path) cannot be read.", cause: error)
  }
}
