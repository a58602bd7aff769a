import Model
import ServiceKit
import Testing

@testable import lunara

/// The verdicts on what was found on one machine: folders, databases, programs, sound, systemd.
@Suite struct MachineChecksTests {
  private let problem = LunaraError("settings.homeUnusable", "The home folder /h cannot be written. The disk is full.")

  @Test func settingsThatDoNotExistAndPathsThatBeginWithATildeAreNamed() throws {
    let settings = try Settings(
      environment: [
        "HOME": "/home/ada", "LUNARA_MUSICS": "/m", "LUNARA_LAMP_COLOUR": "1", "LUNARA_MUSIC": "/a:~/Music",
        "LUNARA_KEY_FILE": "~/key", "LUNARA_WEB": "0.0.0.0:1", "LUNARA_LASTFM_URL": "http://a/~ada",
      ], readingFile: false)
    let check = SettingsCheck.observe(settings)
    #expect(check.verdicts == [.ok, .warning, .warning, .failure, .failure])
    #expect(check.findings[1].what == "There is no setting LUNARA_LAMP_COLOUR.")
    #expect(check.findings[2].remedy?.hasPrefix("If you mean LUNARA_MUSIC, ") == true)
    #expect(check.findings[3].what.hasPrefix("LUNARA_KEY_FILE is ~/key"))
    #expect(check.findings[4].remedy == "Write /a:/home/ada/Music.")
  }

  @Test func aGoodHomeIsWellAndAMissingOneIsMadeLater() {
    var check = FolderCheck(home: "/h", owner: 7, mode: 0o700, user: 7, free: 5 << 30)
    #expect(check.verdicts == [.ok, .ok])
    #expect(check.findings[1].what == "5 GiB are left on the disk of /h.")
    check.isThere = false
    #expect(check.verdicts == [.ok, .ok])
  }

  @Test func aHomeThatCannotBeUsedIsAFailureWithItsReason() {
    let check = FolderCheck(
      home: "/h", homeProblem: problem, runProblem: LunaraError("bus.unsafeDirectory", "No."))
    #expect(check.verdicts == [.failure, .failure])
    #expect(
      check.findings[0].what.contains("The disk is full") && check.findings[1].code == "bus.unsafeDirectory")
  }

  @Test func aFolderOfAnotherUserOrOpenToOthersIsReported() {
    #expect(FolderCheck(home: "/h", owner: 1007, user: 1008).verdicts == [.warning])
    #expect(FolderCheck(home: "/h", owner: 1007, user: 0).verdicts == [.warning])
    #expect(FolderCheck(home: "/h", owner: 107, mode: 0o750, user: 1000).verdicts == [.ok])
    #expect(FolderCheck(home: "/h", owner: 107, mode: 0o750, user: 0).verdicts == [.ok])
    #expect(FolderCheck(home: "/h", owner: 7, mode: 0o755, user: 7).findings[0].remedy == "chmod go-rwx /h")
    #expect(FolderCheck(home: "/h", owner: 7, mode: 0o750, user: 7).verdicts == [.ok])
  }

  @Test func aFullDiskIsAFailureAndANearlyFullOneAWarning() {
    func verdict(_ mebibytes: Int64) -> Finding.Verdict? { FolderCheck(free: mebibytes << 20).verdicts.last }
    #expect(verdict(99) == .failure && verdict(100) == .warning && verdict(1023) == .warning && verdict(1024) == .ok)
  }

  @Test func aDamagedDatabaseIsNamedWithWhatSavesIt() {
    let check = DatabaseCheck(files: [
      .init(name: "library.sqlite", damage: "wrong # of entries"), .init(name: "scrobble.sqlite"),
      .init(name: "playback-den.sqlite", problem: LunaraError("storage.cannotOpen", "No.")),
      .init(name: "old.sqlite", isTooLarge: true),
    ])
    #expect(check.verdicts == [.failure, .failure, .ok, .ok])
    #expect(check.findings[0].what == "library.sqlite is damaged: wrong # of entries.")
    #expect(check.findings[0].remedy?.contains("lunara restore") == true)
    #expect(check.findings[3].what == "1 of 4 were read through and are whole.")
    #expect(DatabaseCheck().findings.isEmpty)
  }

  @Test func aMissingLibraryIsNamedWithItsPackage() {
    let words = "lunara-playback: error while loading shared libraries: libmpv.so.2: cannot open shared object file"
    let check = ProgramCheck(
      folder: "/usr/bin",
      programs: ["lunara-playback": .broken(words), "lunara-web": .missing, "lunara-router": .version("1")],
      lacksFFmpeg: true, own: "1")
    #expect(check.verdicts == [.failure, .failure, .warning])
    #expect(check.findings[0].what == "lunara-playback lacks the library libmpv.so.2.")
    #expect(check.findings[0].remedy == "apt install libmpv2" && check.findings[1].code == "cli.programMissing")
    #expect(ProgramCheck(programs: ["lunara-x": .broken("Killed")]).findings[0].what.contains("Killed"))
    #expect(ProgramCheck.library(in: "all is well") == nil)
  }

  @Test func programsThatRunOnlyWhereTheyAreUsedAreLookedForAndAnEngineThatLacksIsNoFault() {
    for name in ["lunara-resolver", "lunara-plugin", "lunara-discovery", "lunara-providers", "lunara-library"] {
      #expect(ProgramCheck.ofHousehold.contains(name))
    }
    let words = "error while loading shared libraries: libjavascriptcoregtk-4.1.so.0: cannot open shared object file"
    let check = ProgramCheck(programs: ["lunara-plugin": .broken(words), "lunara-web": .version("1")], own: "1")
    #expect(check.verdicts == [.warning])
    #expect(check.findings[0].remedy == "apt install libjavascriptcoregtk-4.1-0")
    #expect(check.findings[0].what.hasSuffix("which only plugins need."))
  }

  @Test func aRoomWithoutLibraryIsAdvisedToJoin() {
    let check = ProgramCheck(programs: ["lunara-playback": .version("1")], isLoneRoom: true, own: "1")
    #expect(check.verdicts == [.ok, .warning])
    #expect(check.findings[1].remedy?.contains("lunara join CODE") == true)
  }

  @Test func programsOfAnotherVersionAreReported() {
    #expect(ProgramCheck(programs: ["lunara-web": .version("2")], own: "1").verdicts == [.warning])
    #expect(ProgramCheck(programs: ["lunara-web": .version("1")], own: "1").verdicts == [.ok])
  }

  @Test func soundNeedsACardOneMayUseOrAServerThatAnswers() {
    func verdict(_ cards: [String], _ may: Bool, _ server: SoundCheck.Server) -> Finding {
      SoundCheck(cards: cards, mayUseCards: may, server: server).findings[0]
    }
    #expect(verdict([], false, .there("PipeWire")).verdict == .ok)
    #expect(verdict(["DAC"], true, .none).verdict == .ok && verdict(["DAC"], true, .dead("PulseAudio")).verdict == .ok)
    #expect(verdict(["DAC"], false, .none).remedy?.contains("usermod -aG audio") == true)
    #expect(verdict([], true, .none).what.contains("no sound card"))
    #expect(verdict([], false, .dead("PipeWire")).remedy?.contains("systemctl --user restart") == true)
  }

  @Test func aMachineWithoutARoomNeedsNoSoundAndASilentOutputIsTold() {
    #expect(SoundCheck(hasRoom: false).findings.isEmpty)
    #expect(SoundCheck(setting: "null").verdicts == [.warning])
    #expect(SoundCheck(setting: "pcm:/tmp/x").verdicts == [.warning])
    // A room may have been started with another setting than this command.
    let silent = SoundCheck(used: ["den": "null", "attic": "pulse/a"])
    #expect(silent.verdicts == [.ok, .warning])
    #expect(silent.findings[1].what == "den plays to the output null: nothing is heard.")
  }

  @Test func aRoomsErrorIsReportedWithItsName() {
    let error = LunaraError("playback.outputMissing", "The output is gone.")
    let check = SoundCheck(
      server: .there("PipeWire"),
      rooms: [.init(name: "den", error: error, goesOn: true), .init(name: "attic", error: error, goesOn: false)])
    #expect(check.verdicts == [.ok, .warning, .failure])
    #expect(check.findings[2].what == "attic: The output is gone." && check.findings[2].code == error.code)
  }

  @Test func cardsAreReadAsTheKernelListsThem() {
    let text = """
       0 [PCH            ]: HDA-Intel - HDA Intel PCH
                            HDA Intel PCH at 0xf7f10000 irq 32
       1 [DAC            ]: USB-Audio - Topping - E30
                            Topping E30 at usb-0000:00:14.0-2, high speed
      """
    #expect(SoundCheck.cards(in: text) == ["HDA Intel PCH", "Topping - E30"])
    #expect(SoundCheck.cards(in: "--- no soundcards ---\n").isEmpty)
  }

  @Test func failedUnitsAreReportedWithTheirJournal() {
    let units = UnitCheck.units(
      in: """
        lunara-library.service loaded active running Lunara's library
        ● lunara@den.service loaded failed failed A room
        lunara.target loaded active active Lunara
        other.service loaded failed failed Another
        """)
    #expect(units.map(\.name) == ["lunara-library.service", "lunara@den.service", "lunara.target"])
    #expect(units.map(\.state) == ["active", "failed", "active"])
    let check = UnitCheck(
      failed: [.init(name: "lunara@den.service", isSystem: false), .init(name: "lunara-web.service", isSystem: true)],
      running: 3, lingers: false, user: "ada")
    #expect(check.verdicts == [.failure, .failure, .warning])
    #expect(check.findings[0].remedy?.contains("journalctl --user -u lunara@den.service") == true)
    #expect(check.findings[1].remedy?.contains("sudo systemctl restart lunara-web.service") == true)
    #expect(check.findings[2].remedy == "sudo loginctl enable-linger ada")
    #expect(UnitCheck(running: 3, lingers: true).verdicts == [.ok] && UnitCheck().findings.isEmpty)
  }
}

extension HealthCheck {
  /// The verdict of each check.
  var verdicts: [Finding.Verdict] { findings.map(\.verdict) }
}
