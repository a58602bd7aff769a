import Glibc
import Model
import Testing
import TestSupport

@testable import ServiceKit

/// The interface between systemd and a service.
@Suite struct SystemdTests {
  private let folder = TemporaryDirectory()

  private func write(_ text: String, _ name: String) {
    let file = fopen("\(folder.path)/\(name)", "w")
    #expect(file != nil)
    if let file {
      fputs(text, file)
      fclose(file)
    }
  }

  @Test func theFoldersOfAUnitAreThoseOfItsServices() throws {
    let settings = try Settings(environment: [
      "HOME": "/h", "XDG_CONFIG_HOME": "/c", "STATE_DIRECTORY": "/var/lib/lunara:/other",
      "RUNTIME_DIRECTORY": "/run/lunara",
      "CONFIGURATION_DIRECTORY": folder.path,
    ])
    #expect(settings.home == "/var/lib/lunara" && settings.run == "/run/lunara")
    #expect(settings.keyFile == folder.path + "/household.key")
  }

  @Test func settingsOfAPersonComeBeforeTheUnitsFolders() throws {
    write("LUNARA_ROOM=den\nLUNARA_HOME=/mine\n", "lunara.env")
    let settings = try Settings(environment: [
      "CONFIGURATION_DIRECTORY": folder.path, "STATE_DIRECTORY": "/var/lib/lunara", "RUNTIME_DIRECTORY": "/run/lunara",
      "LUNARA_RUN": "/r",
    ])
    #expect(settings.room.rawValue == "den" && settings.home == "/mine" && settings.run == "/r")
  }

  @Test func aSecretComesAsACredentialUnlessItIsSetOtherwise() throws {
    write("from a file\n", "lunara.plex-token")
    write("pem", "lunara.web-key")
    let given = try Settings(environment: ["CREDENTIALS_DIRECTORY": folder.path])
    #expect(given["LUNARA_PLEX_TOKEN"] == "from a file")
    #expect(given["LUNARA_WEB_KEY"] == folder.path + "/lunara.web-key")
    #expect(given["LUNARA_LASTFM_SECRET"] == nil && given["LUNARA_WEB_CERT"] == nil)
    let set = try Settings(environment: ["CREDENTIALS_DIRECTORY": folder.path, "LUNARA_PLEX_TOKEN": "set"])
    #expect(set["LUNARA_PLEX_TOKEN"] == "set")
  }

  @Test func theKeyIsACredentialWhereNoFileOfTheNameCanBeRead() throws {
    let usual = "\(folder.path)/etc/household.key"
    #expect(mkdir("\(folder.path)/etc", 0o700) == 0)
    write("key", "lunara.household-key")
    let environment = ["CREDENTIALS_DIRECTORY": folder.path, "CONFIGURATION_DIRECTORY": "\(folder.path)/etc"]
    #expect(try Settings(environment: environment).keyFile == folder.path + "/lunara.household-key")
    write("key", "etc/household.key")
    #expect(try Settings(environment: environment).keyFile == usual)
  }

  @Test func everyCredentialStandsForASetting() {
    for (name, variable) in Settings.credentials {
      #expect(Settings.known.contains { $0.name == variable }, "\(name)")
    }
  }

  @Test func aKeyIsAFieldOfTheJournalThatCanPretendToBeNoOther() {
    #expect(JournalLog.fieldName("code") == "LUNARA_CODE")
    #expect(JournalLog.fieldName("waitedSeconds") == "LUNARA_WAITED_SECONDS")
    #expect(JournalLog.fieldName("_PID=1\n") == "LUNARA__PID_1_")
    #expect(JournalLog.fieldName(String(repeating: "x", count: 100)).count == 64)
  }

  @Test func anEntryNamesServiceNodeAndRoom() {
    let room = JournalLog.fields(service: "playback", name: "kitchen").map { "\($0.name)=\($0.value)" }
    #expect(room == ["LUNARA_SERVICE=playback", "LUNARA_NODE=playback@kitchen", "LUNARA_ROOM=kitchen"])
    #expect(JournalLog.fields(service: "web", name: "main").map(\.name) == ["LUNARA_SERVICE", "LUNARA_NODE"])
  }

  @Test func withoutSystemdNothingIsSentToTheJournal() {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    #expect(JournalLog(service: "web", name: "main", descriptor: ends[1]) == nil)
  }
}
