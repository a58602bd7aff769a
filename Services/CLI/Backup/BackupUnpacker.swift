import Glibc
import Model
import System

/// Unpacks a backup: first the manifest, which states the size of every file, and then only the files that it lists,
/// each with that size. The archive cannot fill the disk, because the total size is limited.
struct BackupUnpacker {
  let reader: BackupReader
  let environment: Environment
  /// Returns the free bytes of a folder's disk.
  var free: (String) -> Int64 = { folder in
    var disk = statvfs()
    return statvfs(folder, &disk) == 0 ? Int64(clamping: UInt64(disk.f_bavail) * UInt64(disk.f_frsize)) : .max
  }

  /// The most files of a backup. A household has a few databases, and files of plugins and sign-ins.
  static let fileLimit = 4096
  /// The most bytes of a backup that is small.
  private static let smallest: Int64 = 256 << 20
  /// The factor of its own size that a larger backup may have. Databases shrink to a tenth and, with large gaps, to a
  /// hundredth.
  private static let growth: Int64 = 256
  /// The bytes of an archive besides those of the listed files: headers, and members that are passed over.
  private static let slack: Int64 = 32 << 20

  /// Unpacks into a folder. Throws `backup.notABackup`, `backup.damaged`, `backup.newer`, `backup.tooLarge`,
  /// `backup.cannotWrite`; `CancellationError`.
  func unpack(into folder: String) throws {
    let (file, child, complaint) = try open()
    var isRunning = child != nil
    defer { if isRunning, let child { end(child) } }
    var budget = Self.slack
    var tar = TarReader { count in
      try Task.checkCancellation()
      let bytes = try file.readBytes(upTo: count)
      budget -= Int64(bytes.count)
      guard budget >= 0 else { throw TarReader.Fault(text: "it holds more than it lists") }
      return bytes
    }
    do {
      guard let first = try tar.next(), first.isFile, Self.place(first) == BackupManifest.name else {
        throw reader.notABackup("it does not begin with a list of its files")
      }
      guard first.size <= 1 << 24 else { throw reader.damaged("its list has \(first.size) bytes") }
      let list = try content(of: &tar)
      let manifest = try reader.manifest(list)
      budget += try total(manifest, into: folder)
      try BackupFiles.make("\(folder)/\(BackupManifest.folder)")
      try BackupFiles.write(list, to: "\(folder)/\(BackupManifest.folder)/\(BackupManifest.name)")
      let sizes = Dictionary(manifest.files.map { ($0.name, $0.size) }) { first, _ in first }
      while let member = try tar.next() {
        guard member.isFile, let place = Self.place(member), let size = sizes[place] else { continue }
        guard member.size == size else { throw reader.damaged("\(place) differs from the list of the backup") }
        try write(&tar, to: "\(folder)/\(BackupManifest.folder)/\(place)")
      }
      try tar.finish()
      guard let child else { return }
      isRunning = false
      guard child.wait() == 0 else { throw TarReader.Fault(text: "it is damaged") }
    } catch let fault as TarReader.Fault {
      throw reader.notABackup([fault.text, complaint()].filter { !$0.isEmpty }.joined(separator: "; "))
    } catch let error as Errno {
      throw reader.notABackup(error.text)
    }
  }

  /// Opens the archive. Returns its unpacked bytes, the program that unpacks it, and the text of that program's errors.
  private func open() throws -> (Descriptor, ChildProcess?, () -> String) {
    do {
      let packed = try Descriptor(opening: reader.source, O_RDONLY)
      let head = try packed.readBytes(upTo: 4, at: 0)
      let name = head == [0x28, 0xB5, 0x2F, 0xFD] ? "zstd" : head.prefix(2) == [0x1F, 0x8B] ? "gzip" : nil
      guard let name else { return (packed, nil, { "" }) }
      guard let program = SystemProgram(name, environment: environment) else {
        throw reader.notABackup("the program \(name) is missing; on Debian: apt install \(name)")
      }
      let (output, theirs) = try Descriptor.pipe()
      let errors = try Descriptor.memoryFile("errors").duplicate()
      let child = try ChildProcess(
        program.path, [name, "-dc"], environment: Environment(["LC_ALL": "C.UTF-8"]),
        descriptors: [try packed.duplicate(), theirs, errors])
      theirs.close()
      return (output, child, { Self.text(of: errors) })
    } catch let error as Errno {
      throw reader.notABackup(error.text)
    }
  }

  private func end(_ child: ChildProcess) {
    child.send(SIGKILL)
    child.wait()
  }

  private static func text(of file: Descriptor) -> String {
    do throws(Errno) {
      let bytes = try file.readBytes(upTo: 400, at: 0)
      return String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
    } catch { return "" }
  }

  /// Returns the bytes of the listed files. Throws `backup.tooLarge` if they are too many for a backup of its size, and
  /// `backup.cannotWrite` if the disk has no room for them.
  private func total(_ manifest: BackupManifest, into folder: String) throws -> Int64 {
    guard manifest.files.count <= Self.fileLimit else { throw tooLarge("it lists \(manifest.files.count) files") }
    var total: Int64 = 0
    for file in manifest.files {
      let (sum, isTooMuch) = total.addingReportingOverflow(file.size)
      guard file.size >= 0, !isTooMuch else { throw reader.damaged("\(file.name) has an impossible size") }
      total = sum
    }
    let size = Files.status(reader.source, followingLinks: true)?.size ?? 0
    let (grown, isMore) = size.multipliedReportingOverflow(by: Self.growth)
    guard total <= max(Self.smallest, isMore ? .max : grown) else {
      throw tooLarge("its \(BackupFiles.sizeText(size)) would become \(BackupFiles.sizeText(total))")
    }
    guard total < free(folder) else {
      throw LunaraError(
        "backup.cannotWrite", "\(folder) cannot be written. The disk is full: make room.",
        cause: "\(BackupFiles.sizeText(total)) are needed, and \(BackupFiles.sizeText(free(folder))) are free")
    }
    return total
  }

  private func tooLarge(_ cause: String) -> LunaraError {
    LunaraError(
      "backup.tooLarge",
      "\(reader.source) was not unpacked, as no backup is so large. Nothing was changed; use a backup that `lunara backup` wrote.",
      cause: cause)
  }

  /// Returns the path of a member within the backup; nil for one of another folder.
  private static func place(_ member: TarReader.Member) -> String? {
    let name = member.name.hasPrefix("./") ? member.name.dropFirst(2) : member.name[...]
    let folder = "\(BackupManifest.folder)/"
    return name.hasPrefix(folder) ? String(name.dropFirst(folder.count)) : nil
  }

  private func content(of tar: inout TarReader) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while case let more = try tar.content(upTo: 1 << 18), !more.isEmpty { bytes += more }
    return bytes
  }

  /// Writes the current member to a new file. The manifest may only list known names, so the path stays inside the
  /// folder.
  private func write(_ tar: inout TarReader, to path: String) throws {
    try BackupFiles.make(Files.folder(of: path))
    let file: Descriptor
    do throws(Errno) {
      file = try Descriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
    } catch .fileExists {
      throw reader.damaged("it holds \(Files.name(of: path)) twice")
    } catch { throw BackupFiles.failure(path, error) }
    while case let more = try tar.content(upTo: 1 << 18), !more.isEmpty {
      do throws(Errno) { try file.write(more) } catch { throw BackupFiles.failure(path, error) }
    }
  }
}
