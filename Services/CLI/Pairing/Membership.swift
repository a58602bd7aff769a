import Bus
import Client
import Glibc
import Model
import ServiceKit
import System

/// The key file and the settings that make a machine part of a household.
struct MachineMembership {
  let keyFile: String
  let configuration: String
  let seeds: [String]
  /// True if this machine may leave its present household for another.
  let replaces: Bool
  let room: String?

  struct Change {
    let keys: [HouseholdKeyID]
    let settings: [(name: String, value: String)]
    /// The file to which the former keys of this machine were copied; nil if no former key was dropped.
    let keptAside: String?
  }

  /// Returns the ids of this machine's keys; empty if there is no key file.
  ///
  /// - Throws: `bus.badKeyFile`, `bus.unsafeKeyFile`, `bus.noSodium`.
  func keys() throws -> [HouseholdKeyID] { try file()?.entries.map(\.key.id) ?? [] }

  /// Stores a household that this machine joins: first its keys, then the settings.
  ///
  /// - Throws: `bus.pairOtherKey`, the errors of key files, `settings.fileUnwritable`, `settings.badFile`.
  func keep(_ household: PairedHousehold) throws -> Change {
    let ids = household.keys.entries.map(\.key.id)
    var keptAside: String?
    var isOther = false
    let file = KeyFile(household.keys.entries, comments: [KeyFile.headerComment])
    if let old = try self.file() {
      isOther = !old.entries.contains { ids.contains($0.key.id) }
      if isOther, !replaces {
        throw LunaraError(
          "bus.pairOtherKey",
          "This machine has the key of another household in \(keyFile). With --replace it leaves that one.")
      }
      // This also happens in the same household, if this machine was ahead of the other one in a rotation.
      if let only = old.entries.first(where: { !ids.contains($0.key.id) }) {
        keptAside = try keepAside(old, named: "\(keyFile).\(only.key.id)")
      }
      try file.replace(at: keyFile)
    } else {
      try file.create(at: keyFile)
    }
    Self.share(keyFile)
    var seeds = household.seeds
    if !isOther { seeds += self.seeds.filter { !seeds.contains($0) } }
    var settings = [(name: "LUNARA_SEEDS", value: seeds.joined(separator: ","))]
    if let room { settings.append((name: "LUNARA_ROOM", value: room)) }
    try Settings.change(configuration, settings)
    return Change(keys: ids, settings: settings, keptAside: keptAside)
  }

  /// Writes keys to a file of this name, with a number after it if the name is taken, and returns its path. If a file
  /// of this name already has these keys, returns its path.
  private func keepAside(_ file: KeyFile, named name: String) throws -> String {
    let ids = Set(file.entries.map(\.key.id))
    var (place, number) = (name, 1)
    while true {
      do {
        try file.create(at: place)
        return place
      } catch  where LunaraError(error).code == "bus.keyFileThere" {
        do {
          if ids.isSubset(of: try KeyFile(at: place).entries.map(\.key.id)) { return place }
        } catch {
          // That file is not a readable key file: it stays, and the keys go to a file with the next number.
        }
        number += 1
        place = "\(name).\(number)"
      }
    }
  }

  private func file() throws -> KeyFile? {
    do {
      return try KeyFile(at: keyFile)
    } catch  where LunaraError(error).code == "bus.noKeyFile" {
      return nil
    }
  }
}

extension MachineMembership {
  /// Makes a key file in /etc/lunara readable for the system's services; systemd-tmpfiles does the same at each boot.
  private static func share(_ path: String) {
    guard path.hasPrefix("/etc/lunara/"), geteuid() == 0, let group = getgrnam("lunara") else { return }
    // If this fails, the services report that they cannot read the file; its former mode is stricter.
    if chown(path, 0, group.pointee.gr_gid) == 0 { chmod(path, 0o640) }
  }

  init(_ context: Context, _ settings: Settings) {
    keyFile = settings.keyFile
    configuration = settings.file
    seeds = settings.seeds
    replaces = context.arguments.has(.replace)
    room = context.arguments.value(.joinedRoom).map { RoomName(from: $0).rawValue }
  }

  /// Returns the household's keys; creates the key file if there is none. Throws the errors of key files.
  static func keys(at path: String, _ console: Console) throws -> KeyFile {
    do { return try KeyFile(at: path) } catch  where LunaraError(error).code == "bus.noKeyFile" {
      let file = KeyFile([.init(try .random())], comments: [KeyFile.headerComment])
      try file.create(at: path)
      share(path)
      console.remark("The household's key was made: \(path)")
      return file
    }
  }
}

extension Settings {
  var hasServices: Bool {
    do {
      _ = try Client.directory(self)
      return true
    } catch {
      // Any error means that no services can be used.
      return false
    }
  }
}

extension Context {
  func pairPort() throws -> UInt16 {
    UInt16(clamping: try arguments.integer(.pairPort, in: 0...65_535) ?? Int(PairingSearch.port))
  }
}

enum HostName {
  /// The host name of the kernel; empty if it cannot be read.
  static var full: String { String((Files.text(of: "/proc/sys/kernel/hostname") ?? "").prefix { !$0.isNewline }) }
  static var short: String { String(full.prefix { $0 != "." }) }
}
