import System
import Bus
import Messages
import Model
import TestSupport
import Testing

@testable import lunara

/// A recording is replayed in the order of time and at its recorded pace.
struct ReplayPlanTests {
  @Test func theFactsOfSeveralNodesAreBroughtIntoTheOrderOfTime() throws {
    let plan = ReplayPlan([
      try line("f1", at: 10, "a@x"), try line("f2", at: 30, "a@x"), try line("f3", at: 5, "b@x"),
      try line("f4", at: 20, "b@x"),
    ])
    #expect(plan.steps.map(\.recorded.id) == ["f3", "f1", "f4", "f2"])
    #expect(plan.steps.map(\.after) == [0, 5000, 15_000, 25_000].map { Milliseconds($0) })
  }

  @Test func theFactsOfOneNodeKeepTheirOrderWhenItsClockStepsBack() throws {
    let plan = ReplayPlan([try line("f1", at: 10), try line("f2", at: 4), try line("f3", at: 12)])
    #expect(plan.steps.map(\.recorded.id) == ["f1", "f2", "f3"])
    #expect(plan.steps.map(\.after) == [0, 0, 2000].map { Milliseconds($0) })
  }

  @Test func aStateFromLongBeforeIsNotWaitedFor() throws {
    let plan = ReplayPlan([try line("f1", at: 5000), try line("s1", at: 10, delivery: "state")])
    #expect(plan.steps.map(\.recorded.id) == ["s1", "f1"])
    #expect(plan.steps.allSatisfy { $0.after == .zero })
  }

  @Test func messagesOfTheBusItselfAreLeftOut() throws {
    let plan = ReplayPlan([
      try line("h", at: 1, delivery: "signal", kind: "bus.heartbeat"), try line("q", at: 2, delivery: "request"),
      try line("s", at: 3, delivery: "signal"), try line("f", at: 4),
    ])
    #expect(plan.steps.map(\.recorded.id) == ["s", "f"])
    #expect(plan.leftOut == 2)
    #expect(plan.count(.fact) == 1 && plan.count(.signal) == 1 && plan.count(.state) == 0)
    #expect(ReplayPlan([]).steps.isEmpty)
  }

  @Test func speedsAreNumbersAboveZeroOrMax() {
    #expect(ReplaySpeed("max") == .unpaced && ReplaySpeed("2.5") == .times(2.5))
    for wrong in ["0", "-1", "fast", "nan", "inf", ""] { #expect(ReplaySpeed(wrong) == nil, "\(wrong)") }
    #expect(ReplaySpeed.times(2).delay(Milliseconds(3000)) == .seconds(1.5))
    #expect(ReplaySpeed.unpaced.delay(Milliseconds(3000)) == .zero)
  }

  private func line(
    _ id: String, at second: Int, _ node: String = "a@x", delivery: String = "fact", kind: String = "a.b"
  ) throws -> RecordedMessage {
    let time = Timestamp(seconds: Int64(second))
    let text =
      #"{"time":"\#(time)","node":"\#(node)","class":"\#(delivery)","kind":"\#(kind)","payload":{},"id":"\#(id)"}"#
    return try #require(RecordedMessage(line: Array(text.utf8)))
  }
}

/// Files of recordings.
struct RecordingFileTests {
  private let folder = TemporaryDirectory()

  @Test func whatARecordingHoldsIsRead() throws {
    let path = folder.path + "/day.jsonl"
    let line = #"{"time":"2023-11-14T22:13:20Z","node":"a@x","class":"fact","kind":"a.b","payload":{}}"#
    try Files.replace(path, with: "\(line)\r\n\n\(line)")
    #expect(try Recording.read(path).count == 2)
  }

  @Test func anInvalidLineIsReportedByNumber() throws {
    let path = folder.path + "/day.jsonl"
    try Files.replace(path, with: "\n{}\n")
    let error = #expect(throws: LunaraError.self) { try Recording.read(path) }
    #expect(error?.code == "cli.badRecording" && error?.message.contains("Line 2") == true)
    #expect(throws: LunaraError.self) { try Recording.read(folder.path + "/absent") }
  }
}
