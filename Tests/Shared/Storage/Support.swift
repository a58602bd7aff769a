import FoundationEssentials
import Glibc
import Model
@testable import Storage
import System
import TestSupport
import Testing

/// A database with one table, `word(id, text)`.
func wordDatabase(_ folder: Folder, limits: Database.Limits = .init()) throws -> Database {
  try Database(at: folder.file(), migrations: wordTables, readers: 2, limits: limits)
}

let wordTables = [Migration("words", "CREATE TABLE word (id INTEGER PRIMARY KEY, text)")]

extension Database {
  func add(_ text: (any SQLBindable & Sendable)?, _ survival: Durability = .process) async throws {
    try await write(survival) { transaction in
      _ = try transaction.execute("INSERT INTO word (text) VALUES (?)", text)
    }
  }

  func words() async throws -> [String] {
    try await read { try $0.words() }
  }
}

extension ReadTransaction {
  func words() throws -> [String] { try rows("SELECT text FROM word ORDER BY id") { try $0.value(0) } }
}

/// Returns the code of the `LunaraError` that a closure throws; nil where it throws none.
func code(_ body: () async throws -> Void) async -> String? {
  do { try await body() } catch { return LunaraError(error).code }
  return nil
}

/// Keeps the writer busy while a closure adds further writes.
func withBusyWriter(_ database: Database, _ survival: Durability = .process, _ body: () async throws -> Void)
  async throws
{
  let isBusy = Monitor(false)
  let mayGo = Monitor(false)
  async let held: Void = database.write(survival) { _ in
    isBusy.change { $0 = true }
    _ = mayGo.wait { $0 ? true : nil }
  }
  defer { mayGo.change { $0 = true } }
  #expect(await eventually { isBusy.change { $0 } })
  try await body()
  mayGo.change { $0 = true }
  try await held
}

/// A temporary folder that is removed with this value.
final class Folder: Sendable {
  let path: String

  init() throws {
    path = "/tmp/lunara-st-\(UInt32.random(in: 0...UInt32.max))"
    try #require(mkdir(path, 0o700) == 0)
  }

  deinit {
    do { try FileManager.default.removeItem(atPath: path) } catch { Issue.record(error, "\(path) stays behind") }
  }

  /// The path of a file in it.
  func file(_ name: String = "test.sqlite") -> String { "\(path)/\(name)" }

  /// The number of its files that this process has open.
  func openFiles() throws -> Int { try descriptors(of: path).count }

  /// The number of times that this process has the write-ahead log open.
  func openLogs() throws -> Int { try descriptors(of: file("test.sqlite-wal")).count }

  /// Replaces every descriptor of a file by one that can be written but not synced.
  func spoil(_ name: String) throws {
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(null) }
    let spoiled = try descriptors(of: file(name)).map { dup2(null, $0) }
    try #require(!spoiled.isEmpty && spoiled.allSatisfy { $0 >= 0 })
  }

  private func descriptors(of path: String) throws -> [Int32] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init).filter { descriptor in
      var target = [CChar](repeating: 0, count: 4096)
      let length = readlink("/proc/self/fd/\(descriptor)", &target, 4096)
      return length > 0
        && String(decoding: target[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self).hasPrefix(path)
    }
  }

  /// The mode of a file in it.
  func mode(_ name: String) throws -> UInt32 {
    var status = stat()
    try #require(stat(file(name), &status) == 0)
    return status.st_mode & 0o777
  }
}

/// A small file system in memory, mounted on a temporary folder for as long as the test runs. Needs root.
final class Mount: Sendable {
  let folder: Folder

  init(options: String) throws {
    folder = try Folder()
    try #require(Self.run(["/bin/mount", "-t", "tmpfs", "-o", options, "tmpfs", folder.path]) == 0)
  }

  deinit {
    if Self.run(["/bin/umount", folder.path]) != 0 { Issue.record("\(folder.path) stays mounted") }
  }

  /// Mounts it again with further options.
  func again(_ options: String) throws {
    try #require(Self.run(["/bin/mount", "-o", "remount,\(options)", folder.path]) == 0)
  }

  private static func run(_ words: [String]) -> Int32 {
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    var child = pid_t()
    guard posix_spawn(&child, words[0], nil, nil, arguments, nil) == 0 else { return -1 }
    var status: Int32 = 0
    guard waitpid(child, &status, 0) == child else { return -1 }
    return status
  }
}
