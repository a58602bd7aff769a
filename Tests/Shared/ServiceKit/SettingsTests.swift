import Bus
import Glibc
import Model
import TestSupport
import Testing

@testable import ServiceKit

@Suite struct SettingsTests {
  let folder = TemporaryDirectory()

  private func file(_ text: String, named name: String = "lunara.env") throws -> String {
    let path = "\(folder.path)/\(name)"
    let descriptor = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0o600)
    defer { close(descriptor) }
    #expect(write(descriptor, text, text.utf8.count) == text.utf8.count)
    return path
  }

  private func refusal(_ arguments: [String] = [], _ environment: [String: String] = [:]) -> LunaraError? {
    do {
      _ = try Settings(arguments: arguments, environment: environment)
      return nil
    } catch {
      return LunaraError(error)
    }
  }

  @Test func anOptionComesBeforeTheEnvironmentBeforeTheFileBeforeTheDefault() throws {
    let path = try file("LUNARA_WEB=1.1.1.1:1\nLUNARA_AUDIO=null\nLUNARA_LOG=debug\n")
    let environment = ["LUNARA_CONFIG": path, "LUNARA_WEB": "2.2.2.2:2", "LUNARA_AUDIO": "pcm:x"]
    let settings = try Settings(arguments: ["--web", "3.3.3.3:3"], environment: environment)
    #expect(settings.web == "3.3.3.3:3")
    #expect(settings.audio == "pcm:x")
    #expect(settings["LUNARA_LOG"] == "debug")
    #expect(try settings.media == nil)
  }

  @Test func aFlagNeedsNoValue() throws {
    #expect(try Settings(environment: [:]).isUnderTest == false)
    let settings = try Settings(arguments: ["--under-test", "--web", "3.3.3.3:3"], environment: [:])
    #expect(settings.isUnderTest && settings.web == "3.3.3.3:3")
    #expect(try Settings(arguments: ["--under-test=0"], environment: ["LUNARA_UNDER_TEST": "1"]).isUnderTest == false)
    #expect(try Settings(environment: ["LUNARA_UNDER_TEST": "yes"]).isUnderTest)
  }

  @Test(arguments: [
    ("attic", ["attic"]), ("attic,10.0.0.2:7700", ["attic", "10.0.0.2:7700"]), (" attic , den ,", ["attic", "den"]),
    ("attic den", ["attic den"]), (" , ", []),
  ])
  func seedsAreSplitAtCommasAlone(text: String, seeds: [String]) throws {
    #expect(try Settings(environment: ["LUNARA_SEEDS": text]).seeds == seeds)
  }

  @Test func discoveryIsOffUnlessItIsAskedFor() throws {
    #expect(try Settings(environment: ["LUNARA_CONFIG": "/dev/null"]).network(identity: "").finder == nil)
    let settings = try Settings(arguments: ["--discover"], environment: ["LUNARA_CONFIG": "/dev/null"])
    #expect(try settings.network(identity: "").finder != nil)
  }

  @Test func optionsAreWrittenInTwoWaysAndTheFileMayBeNamedByOne() throws {
    let path = try file("LUNARA_ROOM=den\n")
    #expect(try Settings(arguments: ["--config=\(path)"], environment: [:]).room.rawValue == "den")
    #expect(try Settings(arguments: ["--log-format", "json"], environment: [:])["LUNARA_LOG_FORMAT"] == "json")
    #expect(try Settings(arguments: ["--home=/a=b"], environment: [:]).home == "/a=b")
    #expect(Settings.option(for: "LUNARA_LOG_FORMAT") == "--log-format")
  }

  @Test(arguments: [
    ["--nonsense", "1"], ["--nonsense=1"], ["room", "den"], ["-room", "den"], ["--"], ["--room"], [""],
  ])
  func anUnknownOrIncompleteOptionIsRefusedByName(arguments: [String]) {
    let error = refusal(arguments)
    #expect(error?.code == "settings.unknownOption")
    #expect(error?.message.contains(arguments[0]) == true)
  }

  @Test func theFileTakesRemarksBlanksQuotesAndCarriageReturns() throws {
    let path = try file(
      "# a remark\n\n  \t\n  LUNARA_ROOM=\"Living Room\"\r\nLUNARA_HOME='/a b'  \nLUNARA_MUSIC=/m:/n\nLUNARA_WEB=\nLUNARA_LOG=\"half\n"
    )
    let settings = try Settings(environment: ["LUNARA_CONFIG": path])
    #expect(settings["LUNARA_ROOM"] == "Living Room")
    #expect(settings.room.rawValue == "living-room")
    #expect(settings.home == "/a b")
    #expect(settings.music == [LocalPath("/m"), LocalPath("/n")])
    #expect(settings["LUNARA_LOG"] == "\"half")
  }

  @Test(arguments: [
    "nonsense", "ROOM=den", "export LUNARA_ROOM=den", "LUNARA_ROOM = den", "LUNARA_room=den", "=x", "LUNARA_ROOM",
  ])
  func aLineThatIsNoSettingIsRefusedByNumber(line: String) throws {
    let path = try file("LUNARA_WEB=1\n\(line)\n")
    let error = refusal([], ["LUNARA_CONFIG": path])
    #expect(error?.code == "settings.badFile")
    #expect(error?.message.contains("Line 2 of \(path)") == true)
  }

  @Test func aNamedFileMustBeThereAndAFileAndTheUsualOneNeedNot() throws {
    let missing = folder.path + "/missing"
    let refusal = refusal([], ["LUNARA_CONFIG": missing])
    #expect(
      refusal?.code == "settings.badFile" && refusal?.message.contains("no configuration file \(missing)") == true)
    let without = try Settings(environment: ["LUNARA_CONFIG": missing, "LUNARA_ROOM": "den"], readingFile: false)
    #expect(without.file == missing && without.room.rawValue == "den")
    #expect(self.refusal([], ["LUNARA_CONFIG": folder.path])?.code == "settings.badFile")
    #expect(self.refusal([], ["HOME": folder.path]) == nil)
    #expect(mkdir(folder.path + "/.config", 0o700) == 0)
    #expect(mkdir(folder.path + "/.config/lunara", 0o700) == 0)
    _ = try file("LUNARA_ROOM=den\n", named: ".config/lunara/lunara.env")
    #expect(try Settings(environment: ["HOME": folder.path]).room.rawValue == "den")
    #expect(
      try Settings(environment: ["HOME": "/x", "XDG_CONFIG_HOME": folder.path + "/.config"]).room.rawValue == "den")
  }

  @Test func anEmptyVariableIsNotSet() throws {
    #expect(try Settings(environment: ["LUNARA_AUDIO": "", "HOME": "/h"]).audio == "auto")
  }

  @Test func foldersFollowTheUsualPlaces() throws {
    #expect(try Settings(environment: ["HOME": "/h"]).home == "/h/.local/share/lunara")
    #expect(try Settings(environment: ["HOME": "/h", "XDG_DATA_HOME": "/d"]).home == "/d/lunara")
    #expect(try Settings(environment: ["XDG_RUNTIME_DIR": folder.path]).run == folder.path + "/lunara")
    #expect(try Settings(environment: ["LUNARA_RUN": "/r", "XDG_RUNTIME_DIR": folder.path]).run == "/r")
  }

  @Test func addressesAreHostAndPort() throws {
    #expect(try Settings.address("127.0.0.1:80", of: "X") == ("127.0.0.1", 80))
    #expect(try Settings.address("[::1]:8787", of: "X") == ("::1", 8787))
    #expect(try Settings.address("9000", of: "X") == ("127.0.0.1", 9000))
  }

  @Test(arguments: ["", "host", "host:", ":80", "host:99999", "host:-1", "[]:80", "host:80x"])
  func anInvalidAddressIsRefusedByTheNameOfItsSetting(text: String) {
    #expect { _ = try Settings.address(text, of: "LUNARA_WEB") } throws: {
      let error = $0 as? LunaraError
      return error?.code == "settings.badAddress" && error?.message.contains("LUNARA_WEB") == true
    }
  }

  @Test func everyKnownSettingCanBeGivenAsAnOption() throws {
    for setting in Settings.known where setting.name != "LUNARA_CONFIG" {
      let option = Settings.option(for: setting.name)
      let isFlag = Settings.flags.contains(setting.name)
      let settings = try Settings(arguments: isFlag ? [option] : [option, "x"], environment: [:])
      #expect(settings[setting.name] == (isFlag ? "1" : "x"))
    }
  }
}

extension SettingsTests {
  @Test func theKeyFileLiesBesideTheSettingsUnlessItIsNamed() throws {
    func file(_ environment: [String: String]) throws -> String { try Settings(environment: environment).keyFile }
    #expect(try file(["HOME": "/nobody"]) == "/nobody/.config/lunara/household.key")
    #expect(try file(["HOME": "/nobody", "XDG_CONFIG_HOME": "/nowhere"]) == "/nowhere/lunara/household.key")
    #expect(try file(["LUNARA_CONFIG": "/dev/null"]) == "/dev/household.key")
    #expect(try file(["LUNARA_CONFIG": "/dev/null", "LUNARA_KEY_FILE": "/x/key"]) == "/x/key")
  }
}
