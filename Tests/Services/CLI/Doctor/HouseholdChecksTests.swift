import Messages
import Model
import TestSupport
import Testing

@testable import lunara

/// The verdicts on what other machines and the services report: key, seeds, ports, versions, clocks, sources, accounts.
@Suite struct HouseholdChecksTests {
  @Test func aKeyIsNeededOnlyWhereOthersAreMet() {
    #expect(KeyCheck(path: "/k").verdicts == [.ok])
    let needed = KeyCheck(path: "/k", usesNetwork: true).findings[0]
    #expect(needed.verdict == .failure && needed.remedy?.contains("lunara join") == true)
    #expect(KeyCheck(path: "/k", ids: ["12"], usesNetwork: true).verdicts == [.ok])
    #expect(KeyCheck(problem: LunaraError("bus.unsafeKeyFile", "No.")).findings[0].code == "bus.unsafeKeyFile")
  }

  @Test func refusedFramesAndARotationAreReported() {
    let check = KeyCheck(ids: ["1", "2"], rotation: "Promote.", refused: ["library@main": 4, "web@main": 0])
    #expect(check.verdicts == [.ok, .warning, .warning])
    #expect(check.findings[1].remedy == "Promote." && check.findings[2].what.contains("library@main received 4"))
  }

  @Test func eachUnreachableSeedIsReportedWithItsReason() {
    let check = SeedCheck(seeds: ["a": .answering, "b": .silent, "c": .notUnderstood, "d": .unknownName])
    #expect(check.verdicts == [.ok, .failure, .failure, .failure])
    #expect(check.findings[1].remedy?.contains("firewall") == true)
    #expect(check.findings[2].remedy?.contains("lunara key show") == true)
    #expect(check.findings[3].remedy?.contains("getent hosts d") == true)
  }

  @Test func aTakenPortIsReportedWithItsSetting() {
    let check = PortCheck(taken: [.init(address: "127.0.0.1:8787", setting: "LUNARA_WEB")], free: ["[::]:8788"])
    #expect(check.verdicts == [.failure, .ok] && check.findings[0].remedy?.contains("LUNARA_WEB") == true)
    #expect(PortCheck().findings.isEmpty)
  }

  @Test func withoutAnyNodeThereIsNoFailure() {
    #expect(NodeCheck().verdicts == [.warning])
    #expect(NodeCheck(isSynchronised: true).verdicts == [.warning, .ok])
  }

  @Test func aNodeThatDoesNotAnswerIsAFailure() {
    let check = NodeCheck(
      nodes: [
        .init(name: "library@main", version: "1"), .init(name: "playback@den"),
        .init(name: "playback@attic", version: "1", isAway: true),
      ], own: "1")
    #expect(check.verdicts == [.failure, .ok])
    #expect(check.findings[0].what == "playback@den, playback@attic do not answer.")
  }

  @Test func aProblemThatANodeReportsIsAWarningAsInStatus() {
    let problem = LunaraError("storage.full", "The disk is full. Make room.")
    let check = NodeCheck(nodes: [.init(name: "library@main", version: "1", problem: problem)], own: "1")
    #expect(check.verdicts == [.ok, .warning, .ok])
    #expect(check.findings[1].what == "library@main: The disk is full. Make room.")
    #expect(check.findings[1].code == "storage.full")
  }

  @Test func anErrorOfARoomOnAnotherMachineIsReported() {
    let error = LunaraError("playback.noSound", "No sound came.")
    let check = SoundCheck(hasRoom: false, rooms: [.init(name: "den", error: error, goesOn: false)])
    #expect(check.verdicts == [.failure] && check.findings[0].what == "den: No sound came.")
  }

  @Test func differentVersionsAreReportedTogether() {
    let nodes = [("library@main", "1"), ("playback@den", "2"), ("playback@attic", "2")]
    let check = NodeCheck(nodes: nodes.map { .init(name: $0.0, version: $0.1) }, own: "1")
    #expect(check.verdicts == [.ok, .warning])
    #expect(check.findings[1].what == "playback@den, playback@attic are of version 2, this program of 1.")
  }

  @Test func clockDifferencesAreReported() {
    func clocks(_ skew: Double, _ set: Bool?) -> [Finding] {
      NodeCheck(nodes: [.init(name: "playback@den", version: "1", skew: skew)], own: "1", isSynchronised: set)
        .findings.filter { $0.area == "clocks" }
    }
    #expect(clocks(0, true).map(\.verdict) == [.ok] && clocks(4.9, nil).isEmpty)
    #expect(clocks(0, false).map(\.verdict) == [.warning])
    #expect(clocks(90, true).map(\.what) == ["The clock of playback@den is 90 s ahead."])
    #expect(clocks(-31_536_000, nil).first?.what.contains("31536000 s behind") == true)
  }

  @Test func foldersOfMusicAreSeenBeforeAnythingRuns() {
    let check = SourceCheck(folders: ["/a": .there, "/b": .missing, "/c": .unreadable, "/d": .empty])
    #expect(check.verdicts == [.failure, .failure, .warning])
    #expect(check.findings[0].code == "library.folderMissing")
  }

  @Test func aSourceThatRefusesItsSignInLeadsToTheSignIn() {
    func finding(_ kind: String, _ health: String, _ problem: LunaraError? = nil) -> Finding {
      SourceCheck(
        sources: [.init(name: kind, kind: kind, health: health, tracks: 3, problem: problem)],
        kinds: Sample.sourceKinds
      ).findings[0]
    }
    #expect(finding("plex", "signed-out").remedy == "lunara login plex")
    #expect(finding("tape", "signed-out").remedy == "lunara sources add tape ADDRESS, with its key.")
    #expect(finding("other", "signed-out").remedy == "lunara sources add other ADDRESS, with its password or token.")
    #expect(
      finding("subsonic", "unreachable", LunaraError("library.serverSilent", "It is off.")).what.contains("It is off."))
    #expect(finding("files", "ready").verdict == .ok && finding("files", "empty").verdict == .warning)
    #expect(finding("files", "unreachable").verdict == .failure)
  }

  @Test func problemsOfAReadySourceAreCounted() {
    let check = SourceCheck(sources: [
      .init(
        name: "files", kind: "files", health: "ready", tracks: 9, problemCount: 2,
        problem: LunaraError("library.unreadable", "/m/x.flac cannot be read."))
    ])
    #expect(check.verdicts == [.ok, .warning] && check.findings[1].what.contains("/m/x.flac"))
    #expect(SourceCheck(isKnown: true).verdicts == [.warning] && SourceCheck().findings.isEmpty)
    let none = SourceCheck(kinds: Sample.sourceKinds, isKnown: true).findings[0]
    #expect(none.remedy == "lunara sources add DIR, or lunara login plex.")
  }

  @Test func whatCannotBeReadIsCountedApartFromWhatHasNoTagsAndFromWatches() {
    let watches = LunaraError("library.watchLimit", "3 of 9 folders cannot be watched.")
    let check = SourceCheck(
      sources: [
        .init(
          name: "files", kind: "files", health: "ready", tracks: 9, problemCount: 6,
          problem: LunaraError("library.unreadable", "/m/x.flac cannot be read."))
      ],
      counts: [
        .init(kind: .untagged, code: "library.noTags", count: 4), .init(kind: .damaged, code: "library.a", count: 1),
        .init(kind: .folder, code: "library.watchLimit", count: 1), .init(kind: .unused, code: "library.b", count: 7),
      ], ofFolders: [watches])
    let found = check.findings.dropFirst().map(\.what)
    #expect(
      found == [
        "3 of 9 folders cannot be watched.", "1 file: damaged and cannot be read.",
        "4 files: without tags, listed by name.",
      ])
    #expect(check.findings.last?.remedy == "`lunara problems --kind untagged` lists them.")
  }

  @Test func heldDeletionsAreNoUnreadFiles() throws {
    let held = LunaraError("library.deletionsHeld", "40 tracks are no longer found.")
    let check = SourceCheck(sources: [
      .init(name: "files", kind: "files", health: "ready", tracks: 9, problemCount: 1, problem: held)
    ])
    let finding = try #require(check.findings.last)
    #expect(finding.verdict == .warning && finding.what == held.message && finding.code == held.code)
  }

  @Test func pausedAccountsAreReported() {
    func account(_ state: String, _ error: LunaraError? = nil) -> Scrobble.Account {
      .init(
        service: "lastfm", account: "ada", address: "", isOn: true, state: state, pending: 4, failed: 0, error: error)
    }
    #expect(ScrobbleCheck().findings.isEmpty && ScrobbleCheck(accounts: []).findings.isEmpty)
    #expect(ScrobbleCheck(accounts: [account("ready"), account("off")]).verdicts == [.ok])
    #expect(ScrobbleCheck(accounts: [account("waiting")]).verdicts == [.warning])
    #expect(ScrobbleCheck(accounts: [account("signed-out")]).findings[0].remedy == "lunara login lastfm")
    let refused = ScrobbleCheck(
      accounts: [account("refused", LunaraError("scrobble.refused", "No key."))], failed: 2)
    #expect(refused.verdicts == [.failure, .warning] && refused.findings[0].what == "lastfm/ada: No key.")
  }
}
