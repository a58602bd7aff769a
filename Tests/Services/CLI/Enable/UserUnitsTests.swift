import System
import Model
import Testing

@testable import lunara

/// The systemd units and settings that `lunara enable` writes.
struct UserUnitsTests {
  private func units(_ line: String, _ variables: [String: String] = [:], keepsRun: Bool = false) throws -> UserUnits {
    let words = line.split(separator: " ").map(String.init)
    let arguments = try Parser(root: .lunara).parse(words).arguments
    let plan = try UpPlan(arguments, environment: Environment(variables), folder: "/home/anna")
    return UserUnits(
      plan, room: RoomName(from: plan.environment["LUNARA_ROOM"] ?? "attic"), programs: "/opt/lu nara/bin",
      keepsRun: keepsRun)
  }

  private static let paths = ["media", "resolver", "discovery", "providers"].map { "lunara-\($0).path" }

  @Test func aRoomIsAnInstanceAndTheOthersAreCalledLikeTheirPrograms() throws {
    #expect(
      try units("enable --room Kitchen --services playback,web").names
        == ["lunara-playback@kitchen.service", "lunara-web.service"])
    let names = try units("enable").names
    #expect(names.count == ServiceProgram.all.count - 1)
    #expect(names.suffix(4) == Self.paths)
  }

  @Test func theServiceForMPDClientsIsEnabledOnlyWhereItsAddressIsSet() throws {
    #expect(try !units("enable").names.contains("lunara-mpd.service"))
    #expect(try units("enable", ["LUNARA_MPD": "6600"]).names.contains("lunara-mpd.service"))
  }

  @Test func eachRoomIsAnInstanceAndItsOutputIsAmongTheSettings() throws {
    let units = try units("enable --services playback --room kitchen --room bath=alsa/hdmi")
    #expect(units.names == ["lunara-playback@kitchen.service", "lunara-playback@bath.service"])
    #expect(units.environmentFile.contains("LUNARA_ROOMS=\"bath=alsa/hdmi\"\n"))
  }

  @Test(arguments: [
    ("media", "media"), ("resolver", "plugins"), ("discovery", "discovery"), ("providers", "providers"),
  ])
  func aServiceThatFewUseIsStartedByItsFolderInTheHomeFolder(name: String, folder: String) throws {
    let path = try #require(try units("enable --home /da%ta").files.first { $0.name == "lunara-\(name).path" })
    #expect(path.text.contains("PathExists=/da%%ta/\(folder)\n"))
    #expect(ServiceProgram.awaited.first { $0.name == name }?.folder == folder)
  }

  @Test func installedUnitsAreUsedButThoseThatWaitForFoldersInAnotherHomeFolder() throws {
    #expect(try units("enable", ["HOME": "/home/anna"]).filesBesideInstalled.isEmpty)
    let own = try units("enable --home /data", ["HOME": "/home/anna"]).filesBesideInstalled
    #expect(own.map(\.name) == Self.paths)
    #expect(own.allSatisfy { $0.text.contains("PathExists=/data/") })
  }

  @Test func everyServiceHasAUnitWithTheProgramWhereItLies() throws {
    let files = try units("enable").files
    for service in ServiceProgram.all {
      let name = service.name == "playback" ? "lunara-playback@.service" : "\(service.program).service"
      let text = files.first { $0.name == name }?.text ?? ""
      #expect(text.hasPrefix(UserUnits.mark), "\(name)")
      #expect(text.contains("ExecStart=/opt/lu\\x20nara/bin/\(service.program)"), "\(name)")
      #expect(text.contains("Type=notify\n") && text.contains("WatchdogSec=") && !text.contains("@BIN@"), "\(name)")
    }
    #expect(files.contains { $0.name == UserUnits.target })
  }

  @Test func optionsAndSettingsOfTheShellAreKeptAndNothingElse() throws {
    let text = try units(
      "enable --music Mu$ic --room den",
      ["LUNARA_PLEX_TOKEN": "a\"b\\c", "LUNARA_TAKE_OVER": "1", "PATH": "/bin", "HOME": "/h", "LUNARA_RUN": "/r"]
    ).environmentFile
    #expect(text.hasPrefix(UserUnits.mark))
    #expect(text.contains("LUNARA_MUSIC=\"/home/anna/Mu\\$ic\"\n"))
    #expect(text.contains(#"LUNARA_PLEX_TOKEN="a\"b\\c""# + "\n"))
    // Without a library on this machine its now-playing service is named after the room.
    #expect(text.contains("LUNARA_ROOM=\"den\"\n"))
    for absent in ["TAKE_OVER", "PATH", "LUNARA_RUN"] { #expect(!text.contains(absent), "\(absent)") }
  }

  @Test func aRuntimeFolderIsKeptOnlyWhereItWasNamed() throws {
    #expect(try units("enable --run /r", keepsRun: true).environmentFile.contains("LUNARA_RUN=\"/r\""))
  }
}
