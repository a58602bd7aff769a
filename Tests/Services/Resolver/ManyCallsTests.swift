import Foundation
import Glibc
import Messages
import Model
import Synchronization
import System
import TestSupport
import Testing

@testable import lunara_resolver

/// Very many calls to 20 plugins, of which some crash, hang or are killed. `LUNARA_PLUGIN_CALLS` sets their number.
@Suite struct ManyCallsTests {
  private struct Tally {
    var answered = 0
    var failed: [String: Int] = [:]
    var late = 0
    var wrong = 0
  }

  /// The state that the workers share.
  private final class Shared: Sendable {
    let tally = Mutex(Tally())
    let next = Atomic(0)
  }

  private static let functions = [
    "echo": "async (number) => number",
    "wait": "async (number) => { await new Promise((done) => setTimeout(done, 20)); return number; }",
    "asks": "async (number) => (await fetch('https://x.example/' + number)).json()",
    "throws": "async (number) => { throw new Error('own ' + number); }",
    "hangs": "() => new Promise(() => {})",
    "loops": "() => { const next = () => Promise.resolve().then(next); return next(); }",
    "allocates":
      "() => { const all = []; for (;;) { const one = new Uint8Array(1 << 22); one.fill(7); all.push(one); } }",
  ]

  @Test func noCallStaysUnansweredPastItsDeadlineAndNoProcessIsLeft() async throws {
    let calls = ProcessInfo.processInfo.environment["LUNARA_PLUGIN_CALLS"].flatMap { Int($0) } ?? 10_000
    let file: [String: Any] = ["manifest": ["id": "own"], "implementation": Self.functions]
    let text = String(decoding: try JSONSerialization.data(withJSONObject: file), as: UTF8.self)
    let runners = (0..<20).map { number in
      PluginRunner(
        id: "p\(number)", name: "P\(number)", text: text, program: WorkerProcess.program("lunara-plugin"),
        answer: { _, fields in
          let number = fields["url"]?.string?.split(separator: "/").last.map(String.init) ?? ""
          return .success(.object(["status": .number(200), "text": .text(number)]))
        }, ended: { _ in })
    }
    let shared = Shared()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<40 {
        group.addTask {
          while true {
            let number = shared.next.add(1, ordering: .relaxed).oldValue
            guard number < calls else { return }
            await Self.call(number, of: runners, shared)
          }
        }
      }
    }
    let result = shared.tally.withLock { $0 }
    #expect(result.answered + result.failed.values.reduce(0, +) == calls && result.late == 0 && result.wrong == 0)
    #expect(result.answered > calls / 2 && result.failed["resolver.pluginFailed"] ?? 0 > 0, "\(result)")
    #expect(result.failed["resolver.pluginEnded"] ?? 0 > 0 && result.failed["resolver.pluginTooSlow"] ?? 0 > 0)
    var left: [Int32] = []
    for runner in runners {
      if let pid = await runner.processID { left.append(pid) }
      await runner.stop()
    }
    #expect(await eventually(equals: []) { left.filter { ProcessMemory.of("\($0)") != nil } })
  }

  private static func call(
    _ number: Int, of runners: [PluginRunner], _ shared: Shared
  ) async {
    // The number alone decides, so that each run makes the same calls.
    var random = SplitMix64(state: UInt64(number))
    let runner = runners[Int.random(in: 0..<runners.count, using: &random)]
    let draw = Int.random(in: 0..<1000, using: &random)
    let function =
      switch draw {
      case ..<3: "hangs"
      case ..<5: "loops"
      case ..<7: "allocates"
      case ..<60: "throws"
      case ..<200: "wait"
      case ..<500: "asks"
      default: "echo"
      }
    if draw == 999, let pid = await runner.processID { kill(pid, SIGKILL) }
    let deadline = Duration.seconds(function == "hangs" || function == "loops" ? 1 : 20)
    let start = ContinuousClock.now
    do {
      let value = try await runner.call(function, [.number(Double(number))], within: deadline)
      shared.tally.withLock {
        $0.answered += 1
        if value != .number(Double(number)) { $0.wrong += 1 }
      }
    } catch {
      let code = LunaraError(error).code
      shared.tally.withLock { $0.failed[code, default: 0] += 1 }
    }
    // A deadline that passes is noticed late only by as much as the machine is busy.
    if ContinuousClock.now - start > deadline + .seconds(20) { shared.tally.withLock { $0.late += 1 } }
  }
}
