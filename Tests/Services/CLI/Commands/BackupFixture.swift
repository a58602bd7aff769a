import System
import Bus
import Glibc
import Messages
import Model
import Storage
import TestSupport

@testable import lunara

/// A home folder with databases, in which the program's commands run.
final class BackupFixture: Sendable {
  let folder = TemporaryDirectory()
  var home: String { "\(folder.path)/home" }
  var file: String { "\(folder.path)/backup.tar" }
  var settings: String { "\(folder.path)/config/lunara/lunara.env" }

  /// A database with a journal.
  func open(_ name: String, in home: String? = nil, and more: [Migration] = []) throws -> Database {
    try BackupFiles.make(home ?? self.home)
    let names = ["library": "catalogue-1", "scrobble": "scrobble-1", "discovery": "discovery-1"]
    let migrations =
      Journal.migrations + [
        Migration(names[name] ?? "playback-1", "CREATE TABLE word (id INTEGER PRIMARY KEY, text TEXT)")
      ]
    return try Database(at: "\(home ?? self.home)/\(name).sqlite", migrations: migrations + more)
  }

  /// Adds words to a database, with its journal; returns the journal's identity.
  @discardableResult
  func fill(_ name: String, _ words: [String], and more: [Migration] = []) async throws -> String {
    let database = try open(name, and: more)
    let journal = try await Journal(database)
    try await database.write { transaction in
      for word in words { try transaction.execute("INSERT INTO word (text) VALUES (?)", word) }
    }
    await database.close()
    return journal.identity
  }

  /// Returns the words in a database.
  func words(_ name: String, in home: String? = nil) async throws -> [String] {
    let database = try open(name, in: home)
    let words = try await database.read {
      try $0.rows("SELECT text FROM word ORDER BY id") { try $0.value(0) as String }
    }
    await database.close()
    return words
  }

  /// Writes settings, a credentials file and a key, all of which contain the text `hush`.
  func writeSecrets() throws {
    try write(
      "# mine\nLUNARA_ROOM=den\nLUNARA_PLEX_TOKEN=hush\n#LUNARA_LASTFM_SECRET=hush\nLUNARA_SUBSONIC_URL=https://me:hush@host/\n",
      to: settings)
    try write("{\"token\":\"hush\"}", to: "\(home)/credentials/plex.json")
    try write("hush\n", to: "\(folder.path)/config/lunara/household.key")
  }

  func run(_ words: String..., environment: [String: String] = [:]) async -> (lunara.ExitStatus, Printed) {
    await run(words, environment: environment)
  }

  /// Runs a command line.
  func run(_ words: [String], environment: [String: String] = [:]) async -> (lunara.ExitStatus, Printed) {
    let printed = Printed()
    let variables = ["HOME": folder.path, "XDG_CONFIG_HOME": "\(folder.path)/config", "LUNARA_HOME": home]
    do {
      let invocation = try Parser(root: .lunara).parse(words)
      let console = printed.console(isJSON: invocation.arguments.has(.json))
      let context = Context(
        arguments: invocation.arguments, console: console,
        environment: Environment(variables.merging(environment) { $1 }))
      guard case .asynchronous(let action) = invocation.command.action else { return (.wrongUsage, printed) }
      do { try await action(context) } catch {
        console.report(LunaraError(error))
        return (lunara.ExitStatus(error), printed)
      }
      return (.done, printed)
    } catch {
      return (lunara.ExitStatus(error), printed)
    }
  }

  /// Returns the texts of all files in a backup except its databases.
  func unpacked(_ file: String) throws -> [String] {
    let folder = try unpack(file)
    let files =
      ["manifest.json", "lunara.env", "household.key"].map { "\(folder)/\($0)" }
      + BackupFiles.names(in: "\(folder)/home/credentials").map { "\(folder)/home/credentials/\($0)" }
    return try files.filter(BackupFiles.isFile).map(text)
  }

  /// Copies a backup, with a changed manifest.
  func changed(_ change: (inout BackupManifest) -> Void) throws -> String {
    let folder = try unpack(file)
    var manifest = try MessageCoding.decode(BackupManifest.self, from: try bytes(of: "\(folder)/manifest.json"))
    change(&manifest)
    try write(try MessageCoding.encode(manifest), to: "\(folder)/manifest.json")
    return try packed(folder)
  }

  /// Packs a folder as a backup, whose manifest comes first; `options` are those of tar.
  func packed(_ folder: String, _ options: String...) throws -> String {
    let other = "\(folder)/../other.tar"
    let names = try Files.names(in: folder).filter { $0 != BackupManifest.name }
    let files = ([BackupManifest.name] + names).map { "\(BackupManifest.folder)/\($0)" }
    try tar(["--create", "--file=\(other)", "--directory=\(folder)/.."] + options + files)
    return other
  }

  func unpack(_ file: String) throws -> String {
    let folder = try BackupFiles.makeTemporary("\(self.folder.path)/unpacked")
    try tar(["--extract", "--file=\(file)", "--directory=\(folder)"])
    return "\(folder)/\(BackupManifest.folder)"
  }

  private func tar(_ words: [String]) throws {
    let complaint = try SystemProgram("tar", environment: Environment())?.run(words)
    if let complaint { throw LunaraError("test.tar", complaint) }
  }

  func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names
  }

  func mode(_ path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  func bytes(of path: String) throws -> [UInt8] { try BackupFiles.bytes(of: path) }
  func text(of path: String) throws -> String { String(decoding: try bytes(of: path), as: UTF8.self) }
  func write(_ text: String, to path: String) throws { try write(Array(text.utf8), to: path) }
  func write(_ bytes: [UInt8], to path: String) throws {
    try BackupFiles.make(Files.folder(of: path))
    try BackupFiles.write(bytes, to: path)
  }
}
