import Bus
import Glibc
import Model
import ServiceKit
import Storage
import System

struct FolderCheck: HealthCheck, Equatable {
  var home = ""
  var isThere = true
  var owner: UInt32 = 0
  var mode: UInt32 = 0o700
  var user: UInt32 = 0
  /// True if the folder belongs to another system account, such as that of the system's services, and the user is not
  /// root.
  var belongsToAnotherUser: Bool { isThere && owner != user && user != 0 && owner != 0 && owner < 1000 }
  var homeProblem: LunaraError?
  var runProblem: LunaraError?
  /// The free bytes on the folder's disk; nil if not known.
  var free: Int64?

  private static let mebibyte: Int64 = 1 << 20

  var findings: [Finding] {
    if let homeProblem {
      .failure("home folder", homeProblem)
    } else if !isThere {
      .ok("home folder", "\(home) is made at the first start.")
    } else if belongsToAnotherUser {
      .ok("home folder", "\(home) belongs to the system's services; as root more can be seen.")
    } else if owner != user, user != 0 || owner >= 1000 {
      .warning(
        "home folder", "\(home) belongs to user \(owner), and this is user \(user).",
        "Run `lunara` as that user, or give the folder to this one: chown -R.")
    } else if mode & 0o027 != 0 {
      .warning("home folder", "Others may look into \(home), in which tokens lie.", "chmod go-rwx \(home)")
    } else {
      .ok("home folder", "\(home) can be written.")
    }
    if let runProblem { .failure("runtime folder", runProblem) }
    if let free {
      let space = "\(free / Self.mebibyte) MiB are left on the disk of \(home)."
      if free < 100 * Self.mebibyte {
        .failure(
          "disk", space, "Make room: databases cannot grow, and what is heard cannot be kept.", code: "storage.full")
      } else if free < 1024 * Self.mebibyte {
        .warning(
          "disk", space,
          "Make room, or bound what covers and tracks fetched in advance take: LUNARA_ART_SPACE, LUNARA_CACHE.")
      } else {
        .ok("disk", "\(free / Self.mebibyte / 1024) GiB are left on the disk of \(home).")
      }
    }
  }

  /// Checks the folders of these settings; creates none.
  static func observe(_ settings: Settings) -> FolderCheck {
    var check = FolderCheck(home: settings.home, user: geteuid())
    let status = Files.status(settings.home, followingLinks: true)
    check.isThere = status != nil
    if let status {
      check.owner = status.owner
      check.mode = status.mode
      if !check.belongsToAnotherUser {
        do { _ = try HomeFolder(settings.home) } catch { check.homeProblem = LunaraError(error) }
      }
      var disk = statvfs()
      if statvfs(settings.home, &disk) == 0 {
        check.free = Int64(clamping: disk.f_bavail) * Int64(clamping: disk.f_frsize)
      }
    }
    if access(settings.run, F_OK) == 0 {
      do { _ = try RuntimeDirectory(settings.run) } catch { check.runProblem = LunaraError(error) }
    }
    return check
  }
}

struct DatabaseCheck: HealthCheck, Equatable {
  struct File: Sendable, Equatable {
    var name: String
    var damage: String?
    var problem: LunaraError?
    var isTooLarge = false
  }

  var files: [File] = []
  /// The size, in bytes, of the largest file that is checked.
  static let limit: Int64 = 1 << 30

  var findings: [Finding] {
    for file in files {
      if let damage = file.damage {
        .failure(
          "databases", "\(file.name) is damaged: \(damage).",
          "Put a backup back with `lunara restore FILE`. Without one, start its service again: it sets the file aside, keeps what can be read, and says in its log what is lost.",
          code: "storage.corrupt")
      } else if let problem = file.problem {
        .failure("databases", problem)
      } else if file.isTooLarge {
        .ok("databases", "\(file.name) is large and was not read through.")
      }
    }
    let well = files.count { $0.damage == nil && $0.problem == nil && !$0.isTooLarge }
    if well > 0 { .ok("databases", "\(well) of \(files.count) were read through and are whole.") }
  }

  /// Checks the databases of a home folder; services may use them meanwhile. Returns no files for a folder that this
  /// user cannot write.
  static func observe(home: String) -> DatabaseCheck {
    guard Files.allows(W_OK, home) else { return DatabaseCheck() }
    return DatabaseCheck(
      files: BackupFiles.names(in: home).filter { $0.hasSuffix(".sqlite") }.map { name in
        var file = File(name: name)
        file.isTooLarge = Files.status("\(home)/\(name)", followingLinks: true).map { $0.size > limit } ?? false
        guard !file.isTooLarge else { return file }
        do { file.damage = try DatabaseFile.problem(of: "\(home)/\(name)") } catch { file.problem = LunaraError(error) }
        return file
      })
  }
}
