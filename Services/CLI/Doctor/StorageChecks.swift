import Bus
import Glibc
import Model
import ServiceKit
import Storage

/// The home folder, its disk, and the folder in which services meet.
struct FolderCheck: HealthCheck, Equatable {
  var home = ""
  var isThere = true
  var owner: UInt32 = 0
  var mode: UInt32 = 0o700
  /// The user who runs the check.
  var user: UInt32 = 0
  /// True if the folder belongs to the system's services and the user is not root.
  var isTheirs: Bool { isThere && owner != user && user != 0 && owner != 0 && owner < 1000 }
  /// Why the home folder or the runtime directory cannot be used.
  var homeProblem: LunaraError?
  var runProblem: LunaraError?
  /// Bytes that are left on its disk; nil where that is not known.
  var free: Int64?

  private static let mebibyte: Int64 = 1 << 20

  var findings: [Finding] {
    var found: [Finding] = []
    if let homeProblem {
      found.append(.failure("home folder", homeProblem))
    } else if !isThere {
      found.append(.ok("home folder", "\(home) is made at the first start."))
    } else if isTheirs {
      found.append(.ok("home folder", "\(home) belongs to the system's services; as root more can be seen."))
    } else if owner != user, user != 0 || owner >= 1000 {
      found.append(
        .warning(
          "home folder", "\(home) belongs to user \(owner), and this is user \(user).",
          "Run `lunara` as that user, or give the folder to this one: chown -R."))
    } else if mode & 0o027 != 0 {
      found.append(
        .warning("home folder", "Others may look into \(home), in which tokens lie.", "chmod go-rwx \(home)"))
    } else {
      found.append(.ok("home folder", "\(home) can be written."))
    }
    if let runProblem { found.append(.failure("runtime folder", runProblem)) }
    if let free {
      let space = "\(free / Self.mebibyte) MiB are left on the disk of \(home)."
      if free < 100 * Self.mebibyte {
        found.append(
          .failure(
            "disk", space, "Make room: databases cannot grow, and what is heard cannot be kept.", code: "storage.full"))
      } else if free < 1024 * Self.mebibyte {
        found.append(
          .warning(
            "disk", space,
            "Make room, or bound what covers and tracks fetched in advance take: LUNARA_ART_SPACE, LUNARA_CACHE."))
      } else {
        found.append(.ok("disk", "\(free / Self.mebibyte / 1024) GiB are left on the disk of \(home)."))
      }
    }
    return found
  }

  /// Looks at the folders of these settings; makes none.
  static func gather(_ settings: Settings) -> FolderCheck {
    var evidence = FolderCheck(home: settings.home, user: geteuid())
    var status = stat()
    evidence.isThere = stat(settings.home, &status) == 0
    if evidence.isThere {
      (evidence.owner, evidence.mode) = (status.st_uid, status.st_mode & 0o7777)
      if !evidence.isTheirs {
        do { _ = try HomeFolder(settings.home) } catch { evidence.homeProblem = LunaraError(error) }
      }
      var disk = statvfs()
      if statvfs(settings.home, &disk) == 0 {
        evidence.free = Int64(clamping: disk.f_bavail) * Int64(clamping: disk.f_frsize)
      }
    }
    if access(settings.run, F_OK) == 0 {
      do { _ = try RuntimeDirectory(settings.run) } catch { evidence.runProblem = LunaraError(error) }
    }
    return evidence
  }
}

/// The databases of the home folder.
struct DatabaseCheck: HealthCheck, Equatable {
  /// One file.
  struct File: Sendable, Equatable {
    var name: String
    /// The message of SQLite about the damage.
    var damage: String?
    /// Why it could not be looked at.
    var problem: LunaraError?
    /// True if the file is too large for a complete check.
    var isPassedOver = false
  }

  var files: [File] = []
  /// The largest file, in bytes, that is checked completely.
  static let limit: Int64 = 1 << 30

  var findings: [Finding] {
    let bad = files.compactMap { file -> Finding? in
      if let damage = file.damage {
        return .failure(
          "databases", "\(file.name) is damaged: \(damage).",
          "Put a backup back with `lunara restore FILE`. Without one, start its service again: it sets the file aside, keeps what can be read, and says in its log what is lost.",
          code: "storage.corrupt")
      }
      if let problem = file.problem { return .failure("databases", problem) }
      guard file.isPassedOver else { return nil }
      return .ok("databases", "\(file.name) is large and was not read through.")
    }
    let well = files.count { $0.damage == nil && $0.problem == nil && !$0.isPassedOver }
    return bad + (well > 0 ? [.ok("databases", "\(well) of \(files.count) were read through and are whole.")] : [])
  }

  /// Reads the databases of a home folder through, while their services go on.
  static func gather(home: String) -> DatabaseCheck {
    guard access(home, W_OK) == 0, let folder = opendir(home) else { return DatabaseCheck() }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name.hasSuffix(".sqlite") { names.append(name) }
    }
    return DatabaseCheck(
      files: names.sorted().map { name in
        var status = stat()
        var file = File(name: name)
        file.isPassedOver = stat("\(home)/\(name)", &status) == 0 && status.st_size > limit
        guard !file.isPassedOver else { return file }
        do { file.damage = try DatabaseFile.problem(of: "\(home)/\(name)") } catch { file.problem = LunaraError(error) }
        return file
      })
  }
}
