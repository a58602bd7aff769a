import Client
import System
import Glibc
import Model
import TestSupport
import Testing

@testable import lunara

/// `lunara doctor` as a whole.
@Suite(.timeLimit(.minutes(2)))
struct DoctorCommandTests {
  private let diagnosis = Diagnosis(findings: [
    .ok("disk", "5 GiB are left."), .warning("clocks", "It is late.", "Set it."),
    .failure("sound", "There is none.\u{1B}", "Plug one in.", code: "x.y"), .failure("sound", "Nor here.", "Either."),
  ])

  @Test func eachFindingHasItsMarkAndItsRemedy() {
    let printed = Printed()
    diagnosis.print(to: printed.console(width: 80))
    #expect(
      printed.output == """
        ✓ disk    5 GiB are left.
        ! clocks  It is late.
                  → Set it.
        ✗ sound   There is none.\u{FFFD} (x.y)
                  → Plug one in.
        ✗         Nor here.
                  → Either.

        """)
  }

  @Test func onlyFailuresFail() {
    #expect(
      !diagnosis.isWell && diagnosis.failure?.message.hasPrefix("2 things are wrong, and 1 is to be looked at.") == true
    )
    let well = Diagnosis(findings: [.ok("a", "b"), .warning("c", "d", "e")])
    #expect(well.isWell && well.failure == nil)
    #expect(
      well.json.description
        == #"{"isWell":true,"findings":[{"area":"a","verdict":"ok","what":"b","remedy":null,"code":null},"#
        + #"{"area":"c","verdict":"warning","what":"d","remedy":"e","code":null}]}"#)
  }

  @Test func withoutServicesItReportsWhatItFinds() async throws {
    let household = try FakeHousehold([])
    chmod(household.home, 0o700)
    let doctor = try household.lunara("doctor", "--json")
    // The folder of the test holds none of the services' programs.
    #expect(await doctor.ended() == .exited(1), "\(doctor.printed)")
    for text in [#""area":"home folder","verdict":"ok""#, "cli.programMissing", "cli.noHousehold", "cli.notWell"] {
      #expect(doctor.printed.contains(text), "\(text) in \(doctor.printed)")
    }
  }

  @Test func aDamagedDatabaseAndABadSettingAreFound() async throws {
    let household = try FakeHousehold([])
    try Files.replace("\(household.home)/library.sqlite", with: String(repeating: "no database ", count: 500))
    let doctor = try household.lunara("doctor", "--json")
    #expect(await doctor.ended() == .exited(1))
    #expect(doctor.printed.contains("library.sqlite is damaged"), "\(doctor.printed)")
    try Files.makeFolder("\(household.folder.path)/.config/lunara")
    try Files.replace("\(household.folder.path)/.config/lunara/lunara.env", with: "music=/m\n")
    let second = try household.lunara("doctor", "--json")
    #expect(await second.ended() == .exited(1) && second.printed.contains("settings.badFile"), "\(second.printed)")
  }

  @Test func aMissingFileOfSettingsIsNamedAndTheOtherChecksAreMade() async throws {
    let (fixture, home) = (try CommandFixture(), TemporaryDirectory())
    _ = try await fixture.library()
    let environment = ["HOME": home.path, "LUNARA_CONFIG": "\(home.path)/gone.env"]
    let (status, printed) = await fixture.run("doctor", "--json", environment: environment)
    #expect(status == .failed)
    for text in [
      #""area":"settings","verdict":"failure","what":"There is no configuration file \#(home.path)/gone.env"#,
      #""area":"services","verdict":"ok","what":"1 answer."#,
    ] {
      #expect(printed.output.contains(text), "\(text) in \(printed.output)")
    }
    // A command that needs no settings runs, and one that does says which file is missing.
    for words in [["help"], ["explain", "settings.badFile"], ["--version"]] {
      let status = Program(root: .lunara).run(words, environment: Environment(environment)) {
        Printed().console(isJSON: $0)
      }
      #expect(status == .done)
    }
    let (refused, errors) = await fixture.run("albums", environment: environment)
    #expect(refused == .failed && errors.errors.contains("\(home.path)/gone.env"), "\(errors.errors)")
    await fixture.close()
  }

  @Test func theOutputOfARoomThatPlaysCountsMoreThanTheSettingsOfThisCommand() async throws {
    let (fixture, home) = (try CommandFixture(), TemporaryDirectory())
    try await fixture.room("den")
    let (_, printed) = await fixture.run("doctor", "--json", environment: ["HOME": home.path])
    #expect(
      printed.output.contains(#""area":"sound","verdict":"ok","what":"den plays to alsa/dac.""#), "\(printed.output)")
    await fixture.close()
  }

  @Test func servicesThatRunAreAsked() async throws {
    let (fixture, home) = (try CommandFixture(), TemporaryDirectory())
    _ = try await fixture.library()
    try await fixture.room("den")
    let (status, printed) = await fixture.run(
      "doctor", "--json", environment: ["HOME": home.path, "LUNARA_MUSIC": "\(home.path)/none", "LUNARA_ROOM": "den"])
    // None of the services' programs lies beside the test program.
    #expect(status == .failed)
    for text in [
      #""area":"services","verdict":"ok","what":"2 answer.""#, "files is ready, with 20 tracks",
      "files has 1 problem",
      "library.folderMissing",
    ] {
      #expect(printed.output.contains(text), "\(text) in \(printed.output)")
    }
    #expect(!printed.output.contains("cli.noHousehold"))
    await fixture.close()
  }
}
