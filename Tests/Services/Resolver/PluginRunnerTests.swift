import Bus
import Foundation
import Glibc
import Messages
import Model
import Synchronization
import System
import TestSupport
import Testing

@testable import lunara_resolver

/// Calls to real processes of plugins, and their ends.
@Suite struct PluginRunnerTests {
  private final class Endings: Sendable { let errors = Mutex<[LunaraError]>([]) }

  private func runner(
    _ functions: [String: String], _ endings: Endings = Endings(), linger: Duration = .seconds(30),
    program: String = WorkerProcess.program("lunara-plugin"),
    answer: @escaping PluginRunner.Answer = { _, _ in .success(.null) }
  ) throws -> PluginRunner {
    let file: [String: Any] = ["manifest": ["id": "own"], "implementation": functions]
    let text = String(decoding: try JSONSerialization.data(withJSONObject: file), as: UTF8.self)
    var times = PluginRunner.Times()
    times.linger = linger
    return PluginRunner(
      id: "own", name: "Own", text: text, program: program, times: times, answer: answer,
      ended: { error in endings.errors.withLock { $0.append(error) } })
  }

  private func failure(_ runner: PluginRunner, _ function: String, within: Duration = .seconds(30)) async
    -> LunaraError?
  {
    do {
      _ = try await runner.call(function, [], within: within)
      return nil
    } catch { return LunaraError(error) }
  }

  @Test func callsAreAnsweredWhileOthersWait() async throws {
    let runner = try runner([
      "slow": "async () => { await new Promise((done) => setTimeout(done, 300)); return 'slow'; }",
      "quick": "async (one, two) => one + two",
    ])
    async let slow = runner.call("slow", [], within: .seconds(30))
    #expect(try await runner.call("quick", [.number(2), .number(3)], within: .seconds(30)) == .number(5))
    #expect(try await slow == .text("slow"))
    await runner.stop()
  }

  @Test func theProcessEndsWhenNobodyHasCalledItForAWhileAndStartsAgain() async throws {
    let runner = try runner(["one": "async () => 1"], linger: .milliseconds(50))
    #expect(try await runner.call("one", [], within: .seconds(30)) == .number(1))
    #expect(await eventually { await !runner.isRunning })
    #expect(try await runner.call("one", [], within: .seconds(30)) == .number(1))
    await runner.stop()
  }

  @Test func aKilledProcessFailsItsCallsAndTheNextOneStartsAnother() async throws {
    let endings = Endings()
    let runner = try runner(["hangs": "() => new Promise(() => {})", "one": "async () => 1"], endings)
    #expect(try await runner.call("one", [], within: .seconds(30)) == .number(1))
    let pid = try #require(await runner.processID)
    async let failed = failure(runner, "hangs")
    #expect(try await runner.call("one", [], within: .seconds(30)) == .number(1))
    kill(pid, SIGKILL)
    #expect(await failed?.code == "resolver.pluginEnded")
    #expect(await eventually(equals: 1) { endings.errors.withLock { $0.count } })
    #expect(try await runner.call("one", [], within: .seconds(30)) == .number(1))
    #expect(await runner.processID != pid)
    await runner.stop()
  }

  @Test func aCallThatWaitsForTheNetworkIsNoFaultAndOneThatWaitsForNothingIs() async throws {
    let endings = Endings()
    let runner = try runner(
      ["asks": "async () => { await fetch('x'); }", "hangs": "() => new Promise(() => {})"], endings,
      answer: { _, _ in
        do { try await Task.sleep(for: .seconds(60)) } catch {}
        return .success(.null)
      })
    #expect(await failure(runner, "asks", within: Duration.seconds(2))?.code == "resolver.pluginTooSlow")
    #expect(endings.errors.withLock { $0.isEmpty })
    #expect(await failure(runner, "hangs", within: .seconds(2))?.code == "resolver.pluginTooSlow")
    #expect(await eventually(equals: 1) { endings.errors.withLock { $0.count } })
    #expect(await !runner.isRunning)
  }

  @Test func aCallThatWaitsForASlowServerDoesNotEndTheOthers() async throws {
    let runner = try runner(
      [
        "asks": "async () => { await fetch('x'); }",
        "waits": "async () => { await new Promise((done) => setTimeout(done, 1500)); return 'here'; }",
      ],
      answer: { _, _ in
        do { try await Task.sleep(for: .seconds(60)) } catch {}
        return .success(.null)
      })
    async let other = runner.call("waits", [], within: .seconds(30))
    #expect(await failure(runner, "asks", within: .milliseconds(500))?.code == "resolver.pluginTooSlow")
    #expect(try await other == .text("here"))
    await runner.stop()
  }

  @Test func aCancelledCallIsGivenUpAndTheProcessGoesOn() async throws {
    let runner = try runner(["hangs": "() => new Promise(() => {})", "one": "async () => 1"])
    let task = Task { try await runner.call("hangs", [], within: .seconds(30)) }
    #expect(try await runner.call("one", [], within: .seconds(30)) == .number(1))
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    #expect(try await runner.call("one", [], within: .seconds(30)) == .number(1))
    await runner.stop()
  }

  @Test func aProgramThatIsMissingAndAFileThatCannotBeLoadedAreErrors() async throws {
    #expect(await failure(try runner([:], program: "/nowhere/lunara-plugin"), "one")?.code == "resolver.pluginEnded")
    let broken = PluginRunner(
      id: "own", name: "Own", text: "{", program: WorkerProcess.program("lunara-plugin"),
      answer: { _, _ in .success(.null) }, ended: { _ in })
    #expect(await failure(broken, "one")?.code == "resolver.pluginNotLoaded")
  }

  @Test(.timeLimit(.minutes(1))) func aProcessThatWritesMoreThanIsHandledIsEnded() async throws {
    let folder = TemporaryDirectory()
    let program = "\(folder.path)/flood"
    try TestProgram.install("#!/bin/sh\nwhile :; do echo '{\"log\":\"x\"}'; done", at: program)
    var limits = PluginProcess.Limits()
    limits.unhandledLines = 500
    let lines = Atomic(0)
    let (endings, continuation) = AsyncStream.makeStream(of: PluginProcess.Ending.self)
    let process = try PluginProcess(program, limits: limits) { event in
      switch event {
      case .line: lines.add(1, ordering: .relaxed)
      case .ended(let ending): continuation.yield(ending)
      }
    }
    var endingsSeen = endings.makeAsyncIterator()
    #expect(await endingsSeen.next() == .flooded)
    #expect(lines.load(ordering: .relaxed) == 500)
    withExtendedLifetime((process, folder)) {}
  }

  @Test(.timeLimit(.minutes(1))) func longLinesAreReadOnlyAsTheyAreHandled() async throws {
    let folder = TemporaryDirectory()
    let program = "\(folder.path)/talk"
    try TestProgram.install(
      "#!/bin/sh\nfor i in 1 2 3 4 5 6 7 8; do printf '{\"log\":\"%01000d\"}\\n' 0; done", at: program)
    var limits = PluginProcess.Limits()
    limits.unhandledBytes = 1500
    let (events, continuation) = AsyncStream.makeStream(of: PluginProcess.Event.self)
    let process = try PluginProcess(program, limits: limits) { continuation.yield($0) }
    var lines = 0
    for await event in events {
      guard case .line(_, let bytes) = event else { break }
      lines += 1
      process.handled(bytes)
    }
    #expect(lines == 8)
    withExtendedLifetime(folder) {}
  }

  @Test func threeFaultsWithinAnHourAreTooMany() {
    var counter = FaultCounter()
    // At the third one the first is an hour ago.
    let times: [Int64] = [0, 1000, 3_600_000, 3_600_001, 3_600_002]
    let isOver = times.map { counter.recordFault(at: Milliseconds($0)) }
    #expect(isOver == [false, false, false, true, false])
  }

  @Test func aPluginThatHadToBeEndedThriceIsSwitchedOffAndTold() async throws {
    let resolver = try await TestResolver()
    try await resolver.install("bad", ["resolve": "() => { for (;;) {} }"])
    for number in 0..<3 {
      let wanted = DescribedTrack(title: "T\(number)", artist: "A")
      let list = try await resolver.ask(Resolver.FindSources(described: wanted))
      // It is ended after two seconds of processor time, or by the deadline where others leave it too little of that.
      let code = list.failures.first?.error.code ?? ""
      #expect(["resolver.pluginEnded", "resolver.pluginTooSlow"].contains(code))
    }
    #expect(
      try await eventually {
        let plugin = try await resolver.ask(Resolver.ListPlugins()).plugins.first
        return plugin?.isEnabled == false && plugin?.lastError?.code == "resolver.pluginDisabled"
      })
    #expect(
      try await eventually {
        let state = try await resolver.client.state(
          Resolver.PluginState.self, of: .resolver, within: .seconds(10))?.value
        return state?.problem?.code == "resolver.pluginDisabled" && state?.enabled == 0
      })
    await resolver.close()
  }
}
