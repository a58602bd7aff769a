import System
import Bus
import Messages
import Model
import ServiceKit
import Storage
import System

/// Verifies an unpacked backup before anything of it is used.
struct BackupReader {
  let folder: String
  let source: String
  let progress: (String) -> Void

  private struct Header: Decodable {
    var format: Int
    var version: String
  }

  /// Returns the manifest of an archive, after checking that this version can read it and that it lists only files of a
  /// backup, and none twice.
  ///
  /// - Throws: `backup.notABackup`, `backup.newer`, `backup.damaged`.
  func manifest(_ bytes: [UInt8]) throws -> BackupManifest {
    let manifest: BackupManifest
    do {
      // A later format may have unknown members, so its number is read first.
      let header = try MessageCoding.decode(Header.self, from: bytes)
      guard header.format <= BackupManifest.newestFormat else {
        throw newer(header.version, "its format is \(header.format)")
      }
      manifest = try MessageCoding.decode(BackupManifest.self, from: bytes)
    } catch let error as LunaraError where error.code == "bus.badPayload" {
      throw notABackup(error.cause)
    }
    guard Set(manifest.files.map(\.name)).count == manifest.files.count else {
      throw damaged("it lists a file twice")
    }
    for file in manifest.files {
      guard BackupManifest.isExpected(file.name), file.name.hasSuffix(".sqlite") == (file.migrations != nil) else {
        throw damaged("it lists \(file.name)")
      }
    }
    return manifest
  }

  /// Returns the manifest, after checking that all files match it and that this version can use them.
  ///
  /// - Throws: `backup.notABackup`, `backup.newer`, `backup.damaged`, `storage.…`; `CancellationError`.
  func verified() throws -> BackupManifest {
    let manifest = try manifest(try BackupFiles.bytes(of: "\(folder)/\(BackupManifest.name)"))
    for file in manifest.files { try verify(file, manifest) }
    return manifest
  }

  private func verify(_ file: BackupManifest.File, _ manifest: BackupManifest) throws {
    try Task.checkCancellation()
    progress("looking through \(file.name)")
    let path = "\(folder)/\(file.name)"
    guard BackupFiles.isFile(path) else { throw damaged("\(file.name) is missing") }
    let (digest, size) = try FileDigest.of(path) { _ in try Task.checkCancellation() }
    guard size == file.size, digest == file.sha256 else {
      throw damaged("\(file.name) differs from the list of the backup")
    }
    guard file.migrations != nil else { return }
    if let problem = try DatabaseFile.problem(of: path) { throw damaged("\(file.name): \(problem)") }
    let name = String(file.name.dropFirst(BackupManifest.home.count + 1).dropLast(".sqlite".count))
    let snapshot = try DatabaseSnapshot(of: path)
    if let object = try Self.foreignObject(in: snapshot) { throw damaged("\(file.name) has \(object)") }
    let migrations = try snapshot.migrations()
    guard let known = Self.knownMigrations(of: name) else { return }
    let unknown = migrations.filter { !known.contains($0) }
    guard unknown.isEmpty else { throw newer(manifest.version, "\(name) has \(unknown.joined(separator: ", "))") }
  }

  /// Returns the kind and name of a trigger or view in a database; nil if there is none, as in all that Lunara creates.
  private static func foreignObject(in snapshot: DatabaseSnapshot) throws -> String? {
    // A file can contain a table named sqlite_schema, which would hide the real one. It cannot do so for sqlite_master.
    let object: String? = try snapshot.read { reader in
      try reader.value(
        """
        SELECT CAST(ifnull(type, '') || ' ' || ifnull(name, '') AS TEXT) FROM sqlite_master
        WHERE type IS NOT 'table' AND type IS NOT 'index'
        """)
    }
    return object.map { "the \(Printable.line($0))" }
  }

  /// Returns the names of the migrations that the installed service knows, as its program prints them; nil if the
  /// service is not installed here, so that nothing would read the database.
  ///
  /// - Parameter database: the file's name without its ending, such as `playback-kitchen`.
  private static func knownMigrations(of database: String) -> [String]? {
    let service = database.prefix { $0 != "-" }
    do {
      let program = "\(try ProgramLocation.folder())/lunara-\(service)"
      guard let answer = SystemProgram(file: program)?.answer([ServiceSchema.option], environment: .init()),
        answer.status == 0
      else { return nil }
      return answer.output.split(separator: "\n").map(String.init)
    } catch {
      // Without a folder of programs there is no service to ask.
      return nil
    }
  }

  private func newer(_ version: String, _ cause: String) -> LunaraError {
    LunaraError(
      "backup.newer",
      "\(source) was made by Lunara \(version), and this is \(LunaraVersion.current), which does not know all of it. Install that version or a later one, then restore.",
      cause: cause)
  }

  func notABackup(_ cause: String?) -> LunaraError {
    LunaraError(
      "backup.notABackup", "\(source) is no backup of Lunara, or is damaged. Nothing was changed.", cause: cause)
  }

  func damaged(_ cause: String) -> LunaraError {
    LunaraError("backup.damaged", "\(source) is damaged. Nothing was changed; take another backup.", cause: cause)
  }
}

struct BackupManifest: Codable, Equatable, Sendable {
  static let newestFormat = 1
  /// The top folder of the archive.
  static let folder = "lunara-backup"
  static let name = "manifest.json"
  static let settings = "lunara.env"
  static let keys = "household.key"
  /// The folder for the files of the home folder.
  static let home = "home"

  struct File: Codable, Equatable, Sendable {
    /// The path of the file in the top folder of the archive.
    var name: String
    var size: Int64
    var sha256: String
    /// The migrations of a database, in their order; nil for any other file.
    var migrations: [String]?
  }

  var format = BackupManifest.newestFormat
  /// The version of Lunara that made the backup.
  var version: String
  var madeAt: Timestamp
  var host: String
  /// The random id of the host; nil in a backup of an early version, or of a host whose services never ran.
  var hostID: String?
  var hasSecrets: Bool
  /// The names of the settings that were left out of `lunara.env`, as they are secret.
  var withheld: [String]
  var files: [File]

  /// Returns true if a file of this path is part of a backup. Every other file of the archive is ignored, or makes the
  /// backup invalid if the manifest lists it.
  static func isExpected(_ name: String) -> Bool {
    if name == settings || name == keys { return true }
    var parts = name.split(separator: "/", omittingEmptySubsequences: false)
    let ending = parts.count == 3 ? folders[String(parts[1])] : parts.count == 2 ? ".sqlite" : nil
    guard parts.first == home[...], let ending else { return false }
    parts.removeFirst()
    let isPlain = parts.allSatisfy { part in
      !part.isEmpty && part.first != "."
        && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._@".contains($0)) }
    }
    return isPlain && name.hasSuffix(ending)
  }

  /// The folders of the home folder whose files are backed up, with the endings of their names.
  static let folders = ["credentials": ".json", "plugins": ".axe"]
}
