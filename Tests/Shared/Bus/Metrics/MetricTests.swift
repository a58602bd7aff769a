import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import Bus

/// The metrics that a process provides.
@Suite struct MetricRegistryTests {
  @Test func namesAreCompletedAndWhatCannotBeReadIsLeftOut() async {
    let registry = MetricRegistry()
    let told = Mutex<[String]>([])
    registry.gauge("room_size", "Size.", labels: ["room": "den"]) { 3 }
    registry.counter("steps", "Steps.") { 4 }
    let falls = registry.counter("falls", "Falls.", labels: ["room": "den"])
    falls.increment()
    falls.increment(by: 2)
    registry.gauge("absent", "Absent.") { nil }
    registry.gauge("infinite", "Infinite.") { .infinity }
    registry.gauge("broken", "Broken.") { throw LunaraError("test.broken", "It is broken.") }
    registry.family("doors", "Doors.", .gauge) { [.init(1, ["side": "left"]), .init(2, ["side": "right"])] }
    let metrics = await registry.read { error in told.withLock { $0.append(error.code) } }
    #expect(
      metrics == [
        Metric("lunara_room_size", "Size.", .gauge, labels: ["room": "den"], value: 3),
        Metric("lunara_steps_total", "Steps.", .counter, value: 4),
        Metric("lunara_falls_total", "Falls.", .counter, labels: ["room": "den"], value: 3),
        Metric("lunara_doors", "Doors.", .gauge, labels: ["side": "left"], value: 1),
        Metric("lunara_doors", "Doors.", .gauge, labels: ["side": "right"], value: 2),
      ])
    #expect(told.withLock { $0 } == ["test.broken"])
  }

  @Test func thereAreNotMoreThanFitIntoAFrame() async throws {
    let registry = MetricRegistry()
    let help = String(repeating: "h", count: 200)
    registry.family("many", help, .gauge) { (0..<10_000).map { .init(Double($0), ["number": "\($0)"]) } }
    let metrics = await registry.read { _ in }
    #expect(metrics.count == MetricRegistry.limit)
    #expect(try MessageCoding.encode(ReadMetrics.Answer(metrics: metrics)).count < Frame.payloadLimit - 16_384)
  }
}

extension Nodes {
  @Suite struct MetricTests {
    @Test func framesAreCountedOnBothSides() async throws {
      let bus = try TestBus()
      let journal = try await Journal(try bus.database("meter"))
      let meter = try await bus.node("meter@a", tuning: .init(), journal: journal)
      let reader = try await bus.node("reader@main")
      let database = try bus.reader()
      await reader.follow("meter", as: "r", in: database, apply: see)
      await meter.serve(ReadMeter.self) { _, _ in "all is well" }
      try await journal.strike(1...5)
      await meter.publish(Level(value: 3))
      #expect(try await eventually(equals: [1, 2, 3, 4, 5]) { try await database.seen() })
      #expect(try await reader.request(ReadMeter(), to: meter.id) == "all is well")
      #expect(await eventually(equals: 5) { await reader.busMetrics().counts.factsApplied })
      #expect(await eventually(above: 0) { await reader.busMetrics().counts.received.signals.frames })
      let heard = await reader.busMetrics()
      #expect(heard.counts.asked > 0 && heard.counts.answered > 0)
      #expect(heard.counts.sent.requests.bytes > 0 && heard.counts.received.answers.bytes > 0)
      #expect(heard.counts.connections >= 1 && heard.peers == 1 && heard.journalHead == nil)
      let said = await meter.busMetrics()
      #expect(said.counts.factsPublished == 5 && said.journalHead == 5 && said.statesHeld == 1)
      #expect(said.counts.handled > 0 && said.counts.sent.answers.frames > 0)
    }

    @Test func everyNodeTellsItsFiguresWhenAsked() async throws {
      let bus = try TestBus()
      let meter = try await bus.node("meter@a")
      meter.metrics.gauge("meter_level", "How high it stands.") { 7 }
      let reader = try await bus.node("reader@main")
      let metrics = try await reader.request(ReadMetrics(), to: meter.id).metrics
      #expect(metrics.contains(Metric("lunara_meter_level", "How high it stands.", .gauge, value: 7)))
      #expect(metrics.contains { $0.name == "lunara_bus_heard_frames_total" && $0.labels == ["class": "request"] })
      #expect(metrics.filter { $0.type == .counter }.allSatisfy { $0.name.hasSuffix("_total") })
      #expect(metrics.allSatisfy { $0.name.hasPrefix("lunara_") && $0.help.hasSuffix(".") })
    }

    @Test func aTapSeesThemAsSignals() async throws {
      let bus = try TestBus()
      let meter = try await bus.node("meter@a")
      let reader = try await bus.node("tap@p1")
      let frames = await reader.tap()
      let told = try await firstEnvelope(of: BusMetrics.kind, in: frames)
      #expect(told.node == meter.id && told.delivery == .signal && told.topic == "meter.a.metrics.")
      #expect(try MessageCoding.decode(BusMetrics.self, from: told.payload).peers == 1)
    }

    @Test func aNumberThatWasPassedOverIsAGap() async throws {
      let bus = try TestBus()
      let node = try await bus.stillNode("reader@main")
      let metrics = await node.look { node in
        for (seq, epoch) in [(4, 1), (5, 1), (9, 1), (9, 1), (3, 1), (20, 2)] as [(Int64, Int64)] {
          node.meter.factGaps += node.facts.deliver(Invented.envelope(epoch: epoch, seq: seq, journal: "j"))
        }
        return node.busMetrics()
      }
      #expect(metrics.counts.factGaps == 3)
    }

    private func firstEnvelope(of kind: String, in frames: AsyncStream<Frame>) async throws -> Envelope {
      for await frame in frames {
        let envelope = try Envelope(decoding: frame.body)
        if envelope.kind == kind { return envelope }
      }
      throw LunaraError("test.ended", "The tap ended.")
    }
  }
}
