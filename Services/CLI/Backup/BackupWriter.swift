import System
import Bus
import Glibc
import Messages
import Model
import ServiceKit
import Storage

/// Makes a backup of a home folder; its services may run meanwhile.
struct BackupWriter {
  let home: String
  let settings: String
  let keys: String
  let hasSecrets: Bool
  let environment: Environment
  let progress: (String) -> Void

  struct Made {
    var manifest: BackupManifest
    var size: Int64
    /// The files that were left out, as Lunara never gives a file such a name.
    var leftOut: [String]
  }

  private static let lock = "backup.lock"
  private static let staging = ".backup-"

  /// Writes the backup to the new file `target`, completely or not at all. Throws `backup.…`, `storage.…`,
  /// `bus.unreadableFile`.
  func make(_ target: String) throws -> Made {
    guard !Files.exists(target) else {
      throw LunaraError("backup.fileThere", "\(target) is there already. Name a file that is not.")
    }
    // A database whose name a restore would refuse is left out.
    let (databases, strange) = Self.named(BackupFiles.names(in: home).filter { $0.hasSuffix(".sqlite") }, "")
    var leftOut = strange
    guard !databases.isEmpty else {
      throw LunaraError(
        "backup.nothingThere", "There is no data in \(home). Name the home folder with --home, or set LUNARA_HOME.")
    }
    guard let tar = SystemProgram("tar", environment: environment) else { throw Self.noTar }
    let lock = try NodeLock(at: "\(home)/\(Self.lock)") { pid in
      LunaraError(
        "backup.underWay",
        "Another backup of \(home) is being made\(pid.map { ", by process \($0)" } ?? ""). Wait for it."
      )
    }
    defer { lock.release(forgetting: true) }
    // These are folders of an interrupted backup. As this process has the lock, no running backup uses them.
    for name in try Files.names(in: home) where name.hasPrefix(Self.staging) {
      try Files.removeTree("\(home)/\(name)")
    }
    let staging = try BackupFiles.makeTemporary("\(home)/\(Self.staging)")
    defer { do { try Files.removeTree(staging) } catch { progress("\(staging) could not be removed") } }
    let manifest = try collect(databases, in: "\(staging)/\(BackupManifest.folder)", &leftOut)
    progress("packing")
    let partial = Files.temporaryName(beside: target)
    try BackupFiles.write([], to: partial)
    var isPublished = false
    defer { if !isPublished { unlink(partial) } }
    let files = ([BackupManifest.name] + manifest.files.map(\.name)).map { "\(BackupManifest.folder)/\($0)" }
    let isZstd = SystemProgram("zstd", environment: environment) != nil
    let words = [
      "--create", "--file=\(partial)", "--force-local", isZstd ? "--zstd" : "--gzip", "--format=posix", "--owner=0",
      "--group=0", "--numeric-owner", "--mode=u=rw,go=", "--directory=\(staging)", "--",
    ]
    if let complaint = try tar.run(words + files) {
      throw LunaraError(
        "backup.cannotWrite", "\(target) cannot be written. Is its disk full, or read-only?", cause: complaint)
    }
    try BackupFiles.sync(partial)
    try BackupFiles.publish(partial, as: target)
    isPublished = true
    try BackupFiles.sync(Files.folder(of: target))
    let size = Files.status(target, followingLinks: true)?.size ?? 0
    return Made(manifest: manifest, size: size, leftOut: leftOut)
  }

  private static func named(_ names: [String], _ folder: String) -> (expected: [String], strange: [String]) {
    let places = names.map { folder + $0 }
    func isExpected(_ place: String) -> Bool { BackupManifest.isExpected("\(BackupManifest.home)/\(place)") }
    return (places.filter(isExpected), places.filter { !isExpected($0) })
  }

  private func collect(_ databases: [String], in folder: String, _ leftOut: inout [String]) throws -> BackupManifest {
    let within = "\(folder)/\(BackupManifest.home)"
    try BackupFiles.make("\(within)/credentials")
    var files: [BackupManifest.File] = []
    func add(_ name: String, migrations: [String]? = nil) throws {
      let (digest, size) = try FileDigest.of("\(folder)/\(name)") { _ in try Task.checkCancellation() }
      files.append(.init(name: name, size: size, sha256: digest, migrations: migrations))
    }
    let snapshots = try Journal.snapshots(of: databases.map { "\(home)/\($0)" })
    let migrations = try snapshots.map { try $0.migrations() }
    try copy(snapshots, named: databases, to: within)
    for (name, migrations) in zip(databases, migrations) {
      progress("looking through \(name)")
      try DatabaseFile.leaveWAL("\(within)/\(name)")
      if let problem = try DatabaseFile.problem(of: "\(within)/\(name)") {
        throw LunaraError(
          "backup.sourceDamaged",
          "\(home)/\(name) is damaged, so it was not backed up. Restart its service, which saves what can be read, and try again.",
          cause: problem)
      }
      try add("\(BackupManifest.home)/\(name)", migrations: migrations)
    }
    let plugins = BackupFiles.names(in: "\(home)/plugins").filter { $0.hasSuffix(".axe") && !$0.hasPrefix(".") }
    let (expected, strange) = Self.named(plugins, "plugins/")
    leftOut += strange
    if !expected.isEmpty { try BackupFiles.make("\(within)/plugins") }
    for place in expected {
      try BackupFiles.write(try BackupFiles.bytes(of: "\(home)/\(place)"), to: "\(within)/\(place)")
      try add("\(BackupManifest.home)/\(place)")
    }
    var withheld: [String] = []
    let (settings, keys) = (try BackupFiles.resolved(settings), try BackupFiles.resolved(keys))
    if BackupFiles.isFile(settings) {
      var text = SettingsText(String(decoding: try BackupFiles.bytes(of: settings), as: UTF8.self))
      if !hasSecrets { withheld = text.withholdSecrets() }
      try BackupFiles.write(Array(text.text.utf8), to: "\(folder)/\(BackupManifest.settings)")
      try add(BackupManifest.settings)
    }
    if hasSecrets {
      let names = BackupFiles.names(in: "\(home)/credentials").filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
      let (expected, strange) = Self.named(names, "credentials/")
      leftOut += strange
      for place in expected {
        try BackupFiles.write(try BackupFiles.bytes(of: "\(home)/\(place)"), to: "\(within)/\(place)")
        try add("\(BackupManifest.home)/\(place)")
      }
      if BackupFiles.isFile(keys) {
        try BackupFiles.write(try BackupFiles.bytes(of: keys), to: "\(folder)/\(BackupManifest.keys)")
        try add(BackupManifest.keys)
      }
    }
    let manifest = BackupManifest(
      version: LunaraVersion.current, madeAt: .now(), host: HostName.full,
      hostID: try HomeFolder.knownHostID(in: home), hasSecrets: hasSecrets, withheld: withheld,
      files: files)
    try BackupFiles.write(try MessageCoding.encode(manifest), to: "\(folder)/\(BackupManifest.name)")
    return manifest
  }

  /// Copies the snapshots of databases, which are of one moment. The databases' write-ahead logs grow until the copies
  /// are done.
  private func copy(_ snapshots: [DatabaseSnapshot], named names: [String], to folder: String) throws {
    for (snapshot, name) in zip(snapshots, names) {
      try snapshot.copy(to: "\(folder)/\(name)") { done, total in
        try Task.checkCancellation()
        progress("copying \(name), \(total == 0 ? 100 : done * 100 / total) %")
      }
    }
  }

  static var noTar: LunaraError {
    LunaraError("backup.noTar", "The program tar is missing. Install it (on Debian: apt install tar).")
  }
}
