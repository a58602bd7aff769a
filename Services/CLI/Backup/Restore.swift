import System
import Bus
import Glibc
import Messages
import Model
import ServiceKit
import Storage

/// Restores a backup into a home folder whose services do not run. Former data is moved aside, not deleted.
struct BackupRestore {
  let home: String
  let settings: String
  let keys: String
  let environment: Environment
  let progress: (String) -> Void
  var processUsing: (String) -> Int32? = DatabaseFile.processUsing
  /// Asks for consent to the settings, plugins and permissions in a backup that open or name something on this machine.
  var agrees: (BackupOpenings) async throws -> Bool = { _ in false }

  struct Done {
    var manifest: BackupManifest
    /// The folder with the former data; nil if there was none.
    var aside: String?
    /// The secret settings that neither the backup nor the former settings have.
    var missing: [String]
    /// The settings, plugins and permissions that were left out because nobody agreed to them.
    var declined = BackupOpenings()
  }

  /// Verifies the whole backup, asks the person where needed, and then puts the backup in place. Throws `backup.…`,
  /// `storage.…`; `CancellationError` before anything was changed.
  func restore(_ source: String) async throws -> Done {
    guard BackupFiles.isFile(source) else {
      throw LunaraError(
        "backup.notABackup", "\(source) is no backup of Lunara, or cannot be read.",
        cause: Files.allows(R_OK, source) ? nil : Errno.current.text)
    }
    _ = try HomeFolder(home, isForRestore: true)
    // `lunara up` needs the same lock, so it cannot start before the restore has ended.
    let lock = try NodeLock(at: "\(home)/up.lock") { Self.isRunning($0, home) }
    defer { lock.release(forgetting: true) }
    try refuseWhileUsed()
    let staging = try BackupFiles.makeTemporary("\(home)/.restore-")
    defer { do { try Files.removeTree(staging) } catch { progress("\(staging) could not be removed") } }
    progress("unpacking")
    let folder = "\(staging)/\(BackupManifest.folder)"
    let reader = BackupReader(folder: folder, source: source, progress: progress)
    try BackupUnpacker(reader: reader, environment: environment).unpack(into: staging)
    var manifest = try reader.verified()
    // The marker of an interrupted restore contains the name of its folder, into which a part of the former data may
    // have been moved.
    let former = BackupFiles.isFile(marker) ? String(decoding: try BackupFiles.bytes(of: marker), as: UTF8.self) : nil
    let aside = ReplacedFiles(in: home, former: former)
    let present = PluginGrants(presentIn: try aside.formerPath(ofDatabase: PluginGrants.database))
    let openings = try openings(of: manifest, in: folder, besides: present, aside, damaged: reader.damaged)
    var declined = openings
    if !openings.isEmpty, try await agrees(openings) { declined = BackupOpenings() }
    if !declined.plugins.isEmpty { manifest.files.removeAll { $0.name.hasPrefix(BackupOpenings.pluginFolder) } }
    if !declined.grants.isEmpty {
      try await present.replace(declined.grants, in: "\(folder)/\(grantsFile)", damaged: reader.damaged)
    }
    let notes = try prepare(manifest, in: folder, aside)
    try Task.checkCancellation()
    return try put(manifest, notes, declined, from: folder, aside, isFirst: former == nil)
  }

  /// Returns the settings, plugins and permissions of an unpacked backup that this machine does not have.
  private func openings(
    of manifest: BackupManifest, in folder: String, besides present: PluginGrants, _ aside: ReplacedFiles,
    damaged: (String) -> LunaraError
  ) throws -> BackupOpenings {
    var openings = BackupOpenings()
    let (settings, names) = (try BackupFiles.resolved(settings), manifest.files.map(\.name))
    func text(_ path: String) throws -> SettingsText {
      SettingsText(BackupFiles.isFile(path) ? String(decoding: try BackupFiles.bytes(of: path), as: UTF8.self) : "")
    }
    if names.contains(BackupManifest.settings) {
      openings.settings = try text("\(folder)/\(BackupManifest.settings)").openings(besides: try text(settings))
    }
    let plugins = aside.formerPath(of: "plugins")
    for name in names where name.hasPrefix(BackupOpenings.pluginFolder) {
      let here = "\(plugins)/\(Files.name(of: name))"
      guard try !BackupFiles.isFile(here) || BackupFiles.bytes(of: here) != BackupFiles.bytes(of: "\(folder)/\(name)")
      else { continue }
      openings.plugins.append(Files.name(of: name))
    }
    if names.contains(grantsFile) {
      openings.grants = try PluginGrants(in: "\(folder)/\(grantsFile)", damaged: damaged).wider(than: present)
    }
    return openings
  }

  private var grantsFile: String { "\(BackupManifest.home)/\(PluginGrants.database)" }

  private func refuseWhileUsed() throws {
    for name in BackupFiles.names(in: home) where name.hasSuffix(".sqlite") {
      if let pid = processUsing("\(home)/\(name)") { throw Self.isRunning(pid, home) }
    }
  }

  /// Marks the unpacked journals as restored, by `.start` files that their services read at the next start. Returns the
  /// names of these files.
  private func prepare(_ manifest: BackupManifest, in folder: String, _ aside: ReplacedFiles) throws -> [String] {
    let now = Timestamp.now()
    for file in manifest.files where file.migrations != nil {
      let name = String(file.name.dropFirst(BackupManifest.home.count + 1))
      // An interrupted restore may have moved the former `.start` file already.
      let place = Files.exists("\(home)/\(name).start") ? home : aside.path
      try Journal.markRestored("\(folder)/\(file.name)", replacing: "\(place)/\(name)", at: now)
    }
    return BackupFiles.names(in: "\(folder)/\(BackupManifest.home)").filter { $0.hasSuffix(".sqlite.start") }
  }

  private var marker: String { "\(home)/\(HomeFolder.restoring)" }

  private func put(
    _ manifest: BackupManifest, _ notes: [String], _ declined: BackupOpenings, from folder: String,
    _ aside: ReplacedFiles, isFirst: Bool
  ) throws -> Done {
    let databases = manifest.files.filter { $0.migrations != nil }.map { String($0.name.dropFirst(5)) }
    let (settings, keys) = (try BackupFiles.resolved(settings), try BackupFiles.resolved(keys))
    // While the marker exists, services refuse to start: one that found its database missing would create an empty one.
    try BackupFiles.write(Array(aside.name.utf8), to: marker, owner: BackupFiles.owner(around: marker))
    do {
      try BackupFiles.sync(home)
      // A service may have started during the unpacking. From now on none starts, because of the marker.
      try refuseWhileUsed()
    } catch {
      if isFirst { unlink(marker) }
      throw error
    }
    for name in databases {
      let staged = "\(folder)/home/\(name)"
      try aside.move(database: name)
      // The `.start` file comes first: without it the database would continue as the journal that it was.
      let hasNote = notes.contains("\(name).start")
      for file in hasNote ? [staged + ".start", staged] : [staged] {
        guard chmod(file, 0o600) == 0 else { throw BackupFiles.failure(file, .current) }
        try BackupFiles.give([file], toOwnerOf: home)
        try BackupFiles.sync(file)
      }
      if hasNote {
        try BackupFiles.move("\(staged).start", to: "\(home)/\(name).start")
        try BackupFiles.sync(home)
      }
      try BackupFiles.move(staged, to: "\(home)/\(name)")
    }
    for name in BackupManifest.folders.keys.sorted() {
      let files = manifest.files.map(\.name).filter { $0.hasPrefix("home/\(name)/") }
      if files.isEmpty { try aside.putBack(name) } else { try replace(name, by: files, from: folder, aside) }
    }
    // A folder that only says that the household uses a service is empty, so the backup does not have it.
    for service in ServiceProgram.awaited where databases.contains("\(service.name).sqlite") {
      guard let name = service.folder else { continue }
      try BackupFiles.make("\(home)/\(name)", owner: BackupFiles.owner(around: "\(home)/\(name)"))
    }
    var missing: [String] = []
    if manifest.files.contains(where: { $0.name == BackupManifest.settings }) {
      var text = SettingsText(
        String(decoding: try BackupFiles.bytes(of: "\(folder)/\(BackupManifest.settings)"), as: UTF8.self))
      let former = BackupFiles.isFile(settings) ? try BackupFiles.bytes(of: settings) : []
      let present = SettingsText(String(decoding: former, as: UTF8.self))
      missing = text.restoreSecrets(manifest.withheld, from: present)
      text.leaveOut(declined.settings.map(\.name), keeping: present)
      try replace(settings, by: Array(text.text.utf8), former, aside)
    }
    if manifest.files.contains(where: { $0.name == BackupManifest.keys }) {
      let former = BackupFiles.isFile(keys) ? try BackupFiles.bytes(of: keys) : []
      try replace(keys, by: try BackupFiles.bytes(of: "\(folder)/\(BackupManifest.keys)"), former, aside)
    }
    try storeFormerHost(manifest.hostID)
    try BackupFiles.sync(home)
    guard unlink(marker) == 0 else { throw BackupFiles.failure(marker, .current) }
    try BackupFiles.sync(home)
    return Done(manifest: manifest, aside: aside.isUsed ? aside.path : nil, missing: missing, declined: declined)
  }

  /// Records the host whose data this is: the services that have no journal continue that host's, so other machines
  /// accept them under the same names.
  private func storeFormerHost(_ id: String?) throws {
    let folder = try HomeFolder(home, isForRestore: true)
    guard let id, !id.isEmpty, try HomeFolder.knownHostID(in: home) != id else { return }
    let ids = [id] + (try folder.formerHostIDs()).filter { $0 != id }
    let path = "\(home)/\(HomeFolder.formerHosts)"
    let text = ids.prefix(Self.formerHostLimit).map { $0 + "\n" }.joined()
    try BackupFiles.write(Array(text.utf8), to: path, owner: BackupFiles.owner(around: path))
  }

  private static let formerHostLimit = 16

  /// Replaces a folder of the home folder by files of the backup.
  private func replace(_ name: String, by names: [String], from folder: String, _ aside: ReplacedFiles) throws {
    // The unpacked folder may contain files that the manifest does not list, so only the listed ones are copied.
    let complete = "\(folder)/complete-\(name)"
    try BackupFiles.make(complete)
    let files = names.map { (from: "\(folder)/\($0)", to: "\(complete)/\(Files.name(of: $0))") }
    for file in files { try BackupFiles.write(try BackupFiles.bytes(of: file.from), to: file.to) }
    try BackupFiles.give([complete] + files.map(\.to), toOwnerOf: home)
    try BackupFiles.sync(complete)
    try aside.move(name)
    try BackupFiles.move(complete, to: "\(home)/\(name)")
  }

  /// Replaces a small file outside the home folder, and keeps a copy of its former content.
  private func replace(_ path: String, by bytes: [UInt8], _ former: [UInt8], _ aside: ReplacedFiles) throws {
    guard bytes != former else { return }
    if let status = Files.status(path, followingLinks: true) {
      try aside.keep(former, of: path)
      return try BackupFiles.write(bytes, to: path, mode: status.mode, owner: (status.owner, status.group))
    }
    let owner = BackupFiles.owner(around: path)
    try BackupFiles.make(Files.folder(of: path), owner: owner)
    try BackupFiles.write(bytes, to: path, owner: owner)
  }

  private static func isRunning(_ pid: Int32?, _ home: String) -> LunaraError {
    LunaraError(
      "backup.householdRuns",
      "Services use \(home)\(pid.map { ", process \($0) among them" } ?? ""). Stop the household first: Ctrl-C in `lunara up`, or `systemctl stop` its units. Then restore."
    )
  }
}
