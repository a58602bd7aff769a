import System
import Bus
import Glibc
import TestSupport
import Testing

@testable import lunara

/// `lunara key` and the key file.
@Suite struct KeyCommandTests {
  private let folder = TemporaryDirectory()
  private var path: String { "\(folder.path)/config/lunara/household.key" }

  private func run(_ line: String, _ more: [String: String] = [:]) -> (status: lunara.ExitStatus, printed: Printed) {
    let printed = Printed()
    let environment = Environment(
      ["HOME": folder.path, "XDG_CONFIG_HOME": "\(folder.path)/config"].merging(more) { $1 })
    let status = Program(root: .lunara).run(line.split(separator: " ").map(String.init), environment: environment) {
      printed.console(isJSON: $0)
    }
    return (status, printed)
  }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  private func ids() throws -> [String] { try KeyFile(at: path).entries.map(\.key.id.description) }

  @Test func aNewKeyLiesBesideTheSettingsAndIsItsOwnersOnly() throws {
    let (status, printed) = run("key new")
    #expect(status == .done && printed.errors.contains("Copy \(path) to every machine"))
    #expect(mode(path) == 0o600 && mode("\(folder.path)/config/lunara") == 0o700)
    #expect(try ids().count == 1 && printed.output.contains(try ids()[0]))
    #expect(try KeyRing(file: path).ids.count == 1)
  }

  @Test func aFileThatIsThereIsNeverOverwritten() throws {
    #expect(run("key new").status == .done)
    let before = try ids()
    let (status, printed) = run("key new --json")
    #expect(status == .failed && printed.errors.contains(#"{"error":{"code":"bus.keyFileThere""#))
    #expect(try ids() == before)
    #expect(symlink("/nowhere", "\(folder.path)/link") == 0)
    #expect(run("key new --file \(folder.path)/link").status == .failed)
  }

  @Test func theOptionComesBeforeTheSettingAndThatBeforeTheDefault() {
    let (one, two) = ("\(folder.path)/one", "\(folder.path)/two")
    #expect(run("key new", ["LUNARA_KEY_FILE": one]).status == .done)
    #expect(run("key new --file \(two)", ["LUNARA_KEY_FILE": one]).status == .done)
    #expect(mode(one) == 0o600 && mode(two) == 0o600 && mode(path) == 0)
  }

  @Test func showTellsTheKeysNamesAndTheKeysOnlyWhereAsked() throws {
    _ = run("key new")
    let secret = try #require(Files.text(of: path)?.split(separator: " ").last).prefix(64)
    let plain = run("key show").printed
    let json = run("key show --json").printed
    #expect(!plain.output.contains(secret) && !json.output.contains(secret) && plain.output.contains("0600"))
    let id = try ids()[0]
    #expect(
      json.output
        == #"{"path":"\#(path)","mode":"0600","stage":"settled","keys":[{"id":"\#(id)","seals":true,"mark":null}]}"#
        + "\n")
    #expect(run("key show --secret").printed.output.contains(secret))
    #expect(run("key show --secret --json").printed.output.contains(#""secret":"\#(secret)""#))
  }

  @Test func aMissingOrUnsafeFileIsAnErrorThatSaysWhatToDo() {
    #expect(run("key show --json").printed.errors.contains("bus.noKeyFile"))
    _ = run("key new")
    chmod(path, 0o644)
    for line in ["key show", "key rotate"] {
      let (status, printed) = run(line)
      #expect(status == .failed && printed.errors.contains("bus.unsafeKeyFile"))
    }
  }

  @Test func aRotationGoesStepByStep() throws {
    _ = run("key new")
    let old = try ids()
    for line in ["key rotate --promote", "key rotate --finish"] {
      #expect(run(line).printed.errors.contains("bus.keyRotation"))
    }
    #expect(run("key rotate").printed.errors.contains("lunara key rotate --promote"))
    let both = try ids()
    #expect(both.count == 2 && both.first == old[0])
    for line in ["key rotate", "key rotate --finish"] { #expect(run(line).status == .failed) }
    #expect(run("key rotate --promote --finish").status == .wrongUsage)
    #expect(run("key show --json").printed.output.contains(#""stage":"announced""#))
    #expect(run("key rotate --promote").printed.errors.contains("lunara key rotate --finish"))
    #expect(try ids() == both.reversed())
    for line in ["key rotate", "key rotate --promote"] { #expect(run(line).status == .failed) }
    #expect(run("key rotate --finish").status == .done)
    #expect(try ids() == [both[1]])
    #expect(Files.text(of: path)?.hasPrefix(KeyFile.headerComment) == true && mode(path) == 0o600)
  }

  @Test func aRotationKeepsTheGroupsRightToRead() {
    _ = run("key new")
    // As root, the file may belong to a service's group and be readable by it; otherwise the file must stay private.
    let mode: mode_t = geteuid() == 0 ? 0o640 : 0o400
    if geteuid() == 0 { chown(path, 0, 7) }
    chmod(path, mode)
    #expect(run("key rotate").status == .done)
    var status = stat()
    #expect(lstat(path, &status) == 0 && status.st_mode & 0o7777 == mode)
    #expect(status.st_gid == (geteuid() == 0 ? 7 : getegid()))
  }

  @Test func withoutAHouseholdNobodyIsToldToReload() {
    #expect(run("key reload --run \(folder.path)/none").status == .nothingReachable)
  }
}
