import System
import Model

/// The folder into which a restore moves former data. Nothing in it is ever overwritten.
final class ReplacedFiles {
  let name: String
  let path: String
  private(set) var isUsed: Bool
  private let home: String
  private static let beginning = "before-restore-"

  /// Chooses the folder's name. `former` is the name that an interrupted restore chose; it is used again.
  init(in home: String, former: String?) {
    if let former, former.hasPrefix(Self.beginning), !former.contains("/") {
      self.home = home
      name = former
      path = "\(home)/\(former)"
      isUsed = Files.exists(path)
      return
    }
    let moment = String(Timestamp.now().local.compactMap { $0 == ":" ? nil : $0 == " " ? "-" : $0 })
    let name = Self.free(Self.beginning + moment, "-") { Files.exists("\(home)/\($0)") }
    self.home = home
    self.name = name
    path = "\(home)/\(name)"
    isUsed = false
  }

  /// Moves a database and its companion files into the folder.
  func move(database name: String) throws {
    // The `.start` file is moved first and the write-ahead log after the database, so that an interrupted restore can
    // be repeated. If the database is in the folder already, the `.start` file in the home folder is that of the
    // backup, and a log there belongs to the former database.
    let isAgain = Files.exists("\(path)/\(name)")
    try move("\(name).start", as: isAgain ? "\(name).2.start" : "\(name).start")
    for suffix in ["", "-wal", "-shm", ".damaged"] { try move(name + suffix) }
    guard isUsed else { return }
    try BackupFiles.sync(path)
    try BackupFiles.sync(home)
  }

  func move(_ entry: String) throws { try move(entry, as: entry) }

  /// Returns the path of former data: in this folder if an interrupted restore moved it here, else in the home folder.
  func formerPath(of entry: String) -> String {
    Files.exists("\(path)/\(entry)") ? "\(path)/\(entry)" : "\(home)/\(entry)"
  }

  /// Returns the path of a former database, with its log beside it.
  func formerPath(ofDatabase name: String) throws -> String {
    // The interruption may have come between the database and its log, which would be read without each other.
    if Files.exists("\(path)/\(name)"), !Files.exists("\(home)/\(name)") { try move(database: name) }
    return formerPath(of: name)
  }

  /// Moves an entry back to the home folder if an interrupted restore moved it and put nothing in its place.
  func putBack(_ entry: String) throws {
    guard Files.exists("\(path)/\(entry)"), !Files.exists("\(home)/\(entry)") else { return }
    try BackupFiles.move("\(path)/\(entry)", to: "\(home)/\(entry)")
    try BackupFiles.sync(path)
    try BackupFiles.sync(home)
  }

  private func move(_ entry: String, as kept: String) throws {
    guard Files.exists("\(home)/\(entry)") else { return }
    try use()
    try BackupFiles.move("\(home)/\(entry)", to: "\(path)/\(free(kept))")
  }

  func keep(_ bytes: [UInt8], of file: String) throws {
    try use()
    let copy = "\(path)/\(free(Files.name(of: file)))"
    try BackupFiles.write(bytes, to: copy, owner: BackupFiles.owner(around: copy))
  }

  private func free(_ entry: String) -> String {
    Self.free(entry, ".") { Files.exists("\(path)/\($0)") }
  }

  private static func free(_ wanted: String, _ separator: String, _ isThere: (String) -> Bool) -> String {
    var (name, number) = (wanted, 1)
    while isThere(name) {
      number += 1
      name = "\(wanted)\(separator)\(number)"
    }
    return name
  }

  private func use() throws {
    guard !isUsed else { return }
    try BackupFiles.make(path)
    try BackupFiles.give([path], toOwnerOf: home)
    try BackupFiles.sync(home)
    isUsed = true
  }
}
