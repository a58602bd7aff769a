import Glibc
import Model
import TestSupport
import Testing

@testable import ServiceKit

@Suite struct CredentialStoreTests {
  private struct Secret: Codable, Equatable { var token: String }

  private let home = TemporaryDirectory()
  private var store: CredentialStore { CredentialStore(home: home.path) }
  private var file: String { "\(home.path)/credentials/plex.json" }

  private func mode(_ path: String) -> mode_t? {
    var state = stat()
    return lstat(path, &state) == 0 ? state.st_mode & 0o777 : nil
  }

  private func code(_ body: () throws -> Void) -> String? {
    do { try body() } catch { return LunaraError(error).code }
    return nil
  }

  @Test func whatWasWrittenIsReadAndReplacedAndForgotten() throws {
    #expect(try store.read(Secret.self, "plex") == nil)
    try store.write(Secret(token: "one"), "plex")
    try store.write(Secret(token: "two"), "plex")
    #expect(try store.read(Secret.self, "plex") == Secret(token: "two"))
    #expect(try store.read(Secret.self, "lastfm") == nil)
    try store.remove("plex")
    try store.remove("plex")
    #expect(try store.read(Secret.self, "plex") == nil)
  }

  @Test func onlyItsOwnerMayReadAndNothingIsLeftBeside() throws {
    let before = umask(0)
    defer { umask(before) }
    try store.write(Secret(token: "x"), "plex")
    #expect(mode(file) == 0o600)
    #expect(mode("\(home.path)/credentials") == 0o700)
    #expect(try names() == ["plex.json"])
  }

  private func names() throws -> [String] {
    let folder = try #require(opendir("\(home.path)/credentials"))
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  @Test(arguments: [0o640, 0o604, 0o660] as [mode_t])
  func aFileThatOthersMayReadIsRefused(_ mode: mode_t) throws {
    try store.write(Secret(token: "known"), "plex")
    #expect(chmod(file, mode) == 0)
    #expect(code { _ = try store.read(Secret.self, "plex") } == "settings.credentialsUnsafe")
  }

  @Test func aFolderThatOthersMayEnterIsRefused() throws {
    try store.write(Secret(token: "known"), "plex")
    #expect(chmod("\(home.path)/credentials", 0o750) == 0)
    #expect(code { _ = try store.read(Secret.self, "plex") } == "settings.credentialsUnsafe")
    #expect(code { try store.write(Secret(token: "new"), "plex") } == "settings.credentialsUnsafe")
  }

  @Test func aLinkIsRefused() throws {
    try store.write(Secret(token: "known"), "other")
    #expect(symlink("\(home.path)/credentials/other.json", file) == 0)
    #expect(code { _ = try store.read(Secret.self, "plex") } == "settings.credentialsUnsafe")
    // Writing replaces the link by a file, and leaves the link's target alone.
    try store.write(Secret(token: "new"), "plex")
    #expect(try store.read(Secret.self, "other") == Secret(token: "known"))
    #expect(try store.read(Secret.self, "plex") == Secret(token: "new"))
  }

  @Test func aDamagedFileIsAnErrorThatQuotesNothing() throws {
    try store.write(["token": ["very-secret"]], "plex")
    do {
      _ = try store.read(Secret.self, "plex")
      Issue.record("it was read")
    } catch {
      #expect(LunaraError(error).code == "settings.credentialsDamaged")
      #expect(!LunaraError(error).description.contains("very-secret"))
    }
  }

  @Test(arguments: ["", "../x", "A", "a/b", "a.b"])
  func onlyNamesOfOurOwnAreTaken(_ name: String) {
    #expect(code { try store.write(Secret(token: "x"), name) } == "settings.credentialsUnwritable")
  }
}
