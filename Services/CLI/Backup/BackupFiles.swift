import Glibc
import Model
import System

/// Operations on files for a backup. Only the owner can read the files and folders that they create, unless a mode is
/// given.
enum BackupFiles {
  /// Returns the names of the regular files in a folder, sorted; empty if there is no folder.
  static func names(in folder: String) -> [String] {
    do {
      return try Files.names(in: folder).filter { isFile("\(folder)/\($0)") }.sorted()
    } catch {
      // A folder that cannot be listed counts as empty.
      return []
    }
  }

  static func isFile(_ path: String) -> Bool { Files.status(path, followingLinks: false)?.kind == .regular }

  /// Creates a folder and all missing folders above it. Run as root, it gives them to `owner`.
  static func make(_ path: String, owner: Owner? = nil) throws {
    do { try Files.makeFolder(path, mode: 0o700, owner: owner) } catch { throw failure(path, error) }
  }

  static func makeTemporary(_ beginning: String) throws -> String {
    do { return try Files.makeTemporaryFolder(beginning) } catch { throw failure(beginning, error) }
  }

  /// Returns the bytes of a file of at most 16 MiB. Throws `backup.cannotRead`.
  static func bytes(of path: String) throws -> [UInt8] {
    do { return try Files.read(path, limit: 1 << 24, followsLinks: false) } catch {
      throw LunaraError("backup.cannotRead", "\(path) cannot be read. Check its owner and mode.", cause: error)
    }
  }

  typealias Owner = (user: UInt32, group: UInt32)

  /// Replaces a file atomically and durably. Run as root, it gives the file to `owner`.
  static func write(_ bytes: [UInt8], to path: String, mode: UInt32 = 0o600, owner: Owner? = nil) throws {
    let options = Files.WriteOptions(mode: mode, owner: geteuid() == 0 ? owner : nil)
    do { try Files.replace(path, with: bytes, options) } catch { throw failure(path, error) }
  }

  /// Renames a file to a name that no other file has. Throws `backup.fileThere`, `backup.cannotWrite`.
  static func publish(_ path: String, as other: String) throws {
    do { try Files.publish(path, as: other) } catch Errno.fileExists {
      throw LunaraError("backup.fileThere", "\(other) exists already. Give the name of a file that does not exist.")
    } catch { throw failure(other, error) }
  }

  /// Returns the path of a file with links resolved. A file that does not exist keeps its path.
  ///
  /// - Throws: `backup.cannotRead` for a link whose target does not exist.
  static func resolved(_ path: String) throws -> String {
    do { return try Files.resolved(path) } catch {
      guard Files.status(path, followingLinks: false)?.kind == .symbolicLink else { return path }
      throw LunaraError(
        "backup.cannotRead", "\(path) is a link that leads nowhere. Repair it or remove it.", cause: error)
    }
  }

  /// Returns the owner of the folder of a file, or of the nearest folder above that exists.
  static func owner(around path: String) -> Owner? {
    var folder = Files.folder(of: path)
    while true {
      if let status = Files.status(folder, followingLinks: true) { return (status.owner, status.group) }
      guard folder.count > 1 else { return nil }
      folder = Files.folder(of: folder)
    }
  }

  static func move(_ path: String, to other: String) throws {
    do { try Files.move(path, to: other) } catch { throw failure(other, error) }
  }

  /// Returns once the contents of a file or folder survive a power cut.
  static func sync(_ path: String) throws {
    do { try Files.sync(path) } catch Errno.invalidArgument {
      // Some file systems cannot sync folders, and do not need it.
    } catch { throw failure(path, error) }
  }

  /// Gives files to the owner of a folder; does nothing unless run as root.
  static func give(_ paths: [String], toOwnerOf folder: String) throws {
    guard geteuid() == 0, let status = Files.status(folder, followingLinks: true) else { return }
    for path in paths where lchown(path, status.owner, status.group) != 0 { throw failure(path, .current) }
  }

  static func failure(_ path: String, _ error: Errno) -> LunaraError {
    let remedy = error.isDiskFull ? "The disk is full: make room." : "Check the folder's owner and mode."
    return LunaraError("backup.cannotWrite", "\(path) cannot be written. \(remedy)", cause: error)
  }

  static func sizeText(_ size: Int64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"]
    var (value, unit) = (Double(size), 0)
    while value >= 1000, unit < units.count - 1 {
      value = value / 1024
      unit = unit + 1
    }
    let text = value < 10 && unit > 0 ? "\((value * 10).rounded() / 10)" : "\(Int64(value.rounded()))"
    return "\(text) \(units[unit])"
  }
}
