import Bus
import Glibc
import Messages
import Model
import ServiceKit
import Storage

/// Puts a backup into a home folder whose services do not run. Nothing that is there is deleted.
struct Restoration {
  /// The folder of the data.
  let home: String
  /// Where the settings stand.
  let settings: String
  /// Where the household's keys stand.
  let keys: String
  /// Where programs are looked for.
  let environment: Environment
  /// Told what is being done.
  let progress: (String) -> Void

  /// What was done.
  struct Done {
    var manifest: BackupManifest
    /// The folder in which the former data lies; nil where there was none.
    var aside: String?
    /// The settings that are secret and not in the backup, nor were they there before.
    var missing: [String]
  }

  /// Looks through all of a backup first, then puts it in place.
  ///
  /// - Parameter source: the file.
  /// - Throws: `backup.…`, `storage.…`; `CancellationError` before anything was changed.
  func restore(_ source: String) throws -> Done {
    guard BackupFiles.isFile(source) else {
      throw LunaraError(
        "backup.notABackup", "\(source) is no backup of Lunara, or cannot be read.",
        cause: access(source, R_OK) == 0 ? nil : String(cString: strerror(errno)))
    }
    guard let tar = Tool("tar", environment: environment) else { throw BackupMaker.noTar }
    _ = try HomeFolder(home, isForRestore: true)
    // Held to the end, so that nothing is started meanwhile.
    let lock = try NodeLock(at: "\(home)/up.lock") { Self.isRunning($0, home) }
    defer { lock.release(forgetting: true) }
    for name in BackupFiles.names(in: home) where name.hasSuffix(".sqlite") {
      if let pid = DatabaseFile.user(of: "\(home)/\(name)") { throw Self.isRunning(pid, home) }
    }
    let staging = try BackupFiles.makeTemporary("\(home)/.restore-")
    defer {
      do { try Folders.remove(staging) } catch { progress("\(staging) could not be removed") }
    }
    progress("unpacking")
    let words = [
      "--extract", "--file=\(source)", "--force-local", "--directory=\(staging)", "--no-same-owner",
      "--no-same-permissions",
    ]
    if let complaint = try tar.run(words) {
      throw LunaraError(
        "backup.notABackup",
        "\(source) cannot be unpacked: it is no backup of Lunara, or it is damaged, or \(home) has no room for it.",
        cause: complaint)
    }
    let folder = "\(staging)/\(BackupManifest.folder)"
    let manifest = try BackupReading(folder: folder, source: source, progress: progress).verified()
    let marked = try prepare(manifest, in: folder)
    try Task.checkCancellation()
    return try put(manifest, marked, from: folder)
  }

  /// Marks the journals of the databases, so that their next starts know; gives the notes' names.
  private func prepare(_ manifest: BackupManifest, in folder: String) throws -> [String] {
    let now = Timestamp.now()
    for file in manifest.files where file.migrations != nil {
      let name = String(file.name.dropFirst(BackupManifest.home.count + 1))
      try Journal.markRestored("\(folder)/\(file.name)", replacing: "\(home)/\(name)", at: now)
    }
    return BackupFiles.names(in: "\(folder)/\(BackupManifest.home)").filter { $0.hasSuffix(".sqlite.start") }
  }

  private func put(_ manifest: BackupManifest, _ notes: [String], from folder: String) throws -> Done {
    let databases = manifest.files.filter { $0.migrations != nil }.map { String($0.name.dropFirst(5)) }
    let credentials = manifest.files.filter { $0.name.hasPrefix("home/credentials/") }
    let aside = SetAside(in: home)
    let marker = "\(home)/\(HomeFolder.restoring)"
    // From here on services refuse to start until all is in place: one that found its database missing would begin anew.
    if !BackupFiles.isThere(marker) { try BackupFiles.write(Array(aside.name.utf8), to: marker) }
    try BackupFiles.sync(home)
    for name in databases {
      // The log goes first: with it the file is what it was.
      for suffix in ["-wal", "-shm", "", ".start", ".damaged"] { try aside.take("\(name)\(suffix)") }
      try BackupFiles.sync("\(folder)/home/\(name)")
      chmod("\(folder)/home/\(name)", 0o600)
      try BackupFiles.move("\(folder)/home/\(name)", to: "\(home)/\(name)")
    }
    for name in notes { try BackupFiles.move("\(folder)/home/\(name)", to: "\(home)/\(name)") }
    if !credentials.isEmpty {
      try aside.take("credentials")
      try BackupFiles.make("\(home)/credentials")
      for file in credentials {
        let bytes = try BackupFiles.bytes(of: "\(folder)/\(file.name)")
        try BackupFiles.write(bytes, to: "\(home)/\(file.name.dropFirst(5))")
      }
    }
    var missing: [String] = []
    if manifest.files.contains(where: { $0.name == BackupManifest.settings }) {
      var text = SettingsText(
        String(decoding: try BackupFiles.bytes(of: "\(folder)/\(BackupManifest.settings)"), as: UTF8.self))
      let former = BackupFiles.isFile(settings) ? try BackupFiles.bytes(of: settings) : []
      missing = text.restoreSecrets(manifest.withheld, from: SettingsText(String(decoding: former, as: UTF8.self)))
      try replace(settings, by: Array(text.text.utf8), former, aside)
    }
    if manifest.files.contains(where: { $0.name == BackupManifest.keys }) {
      let former = BackupFiles.isFile(keys) ? try BackupFiles.bytes(of: keys) : []
      try replace(keys, by: try BackupFiles.bytes(of: "\(folder)/\(BackupManifest.keys)"), former, aside)
    }
    let all = databases + notes + ["credentials"] + credentials.map { String($0.name.dropFirst(5)) }
    try BackupFiles.give(all.map { "\(home)/\($0)" }.filter(BackupFiles.isThere), toOwnerOf: home)
    try BackupFiles.sync(home)
    guard unlink(marker) == 0 else { throw BackupFiles.failure(marker) }
    try BackupFiles.sync(home)
    return Done(manifest: manifest, aside: aside.isUsed ? aside.path : nil, missing: missing)
  }

  /// Replaces a small file outside of the home folder, with a copy of what it was set aside.
  private func replace(_ path: String, by bytes: [UInt8], _ former: [UInt8], _ aside: SetAside) throws {
    guard bytes != former else { return }
    try BackupFiles.make(BackupFiles.folder(of: path))
    var status = stat()
    let isThere = stat(path, &status) == 0
    if isThere { try aside.keep(former, of: path) }
    try BackupFiles.write(bytes, to: path, mode: isThere ? status.st_mode & 0o7777 : 0o600)
    if isThere, geteuid() == 0, chown(path, status.st_uid, status.st_gid) != 0 { throw BackupFiles.failure(path) }
  }

  private static func isRunning(_ pid: Int32?, _ home: String) -> LunaraError {
    LunaraError(
      "backup.householdRuns",
      "Services use \(home)\(pid.map { ", process \($0) among them" } ?? ""). Stop the household first: Ctrl-C in `lunara up`, or `systemctl stop` its units. Then restore."
    )
  }
}

/// The folder into which former data goes.
final class SetAside {
  /// Its name in the home folder.
  let name: String
  /// Its path.
  let path: String
  /// Whether anything went into it.
  private(set) var isUsed = false
  private let home: String

  init(in home: String) {
    let moment = String(Timestamp.now().local.compactMap { $0 == ":" ? nil : $0 == " " ? "-" : $0 })
    var (name, number) = ("before-restore-\(moment)", 1)
    while BackupFiles.isThere("\(home)/\(name)") {
      number += 1
      name = "before-restore-\(moment)-\(number)"
    }
    (self.home, self.name, path) = (home, name, "\(home)/\(name)")
  }

  /// Moves something of the home folder into it, where it is there.
  func take(_ entry: String) throws {
    guard BackupFiles.isThere("\(home)/\(entry)") else { return }
    try use()
    try BackupFiles.move("\(home)/\(entry)", to: "\(path)/\(entry)")
  }

  /// Writes a copy of a file of another place into it.
  func keep(_ bytes: [UInt8], of file: String) throws {
    try use()
    try BackupFiles.write(bytes, to: "\(path)/\(file.split(separator: "/").last ?? "file")")
  }

  private func use() throws {
    guard !isUsed else { return }
    try BackupFiles.make(path)
    try BackupFiles.give([path], toOwnerOf: home)
    isUsed = true
  }
}
