import Messages
import Model
import TestSupport
import Testing

@testable import Bus

extension Nodes {
  /// Tokens and signed addresses travel in requests and their answers only, so these never pass a tap.
  @Suite struct TapSecrecyTests {
    @Test func aTapSeesThatARequestWasHandledAndNothingOfWhatItSaid() async throws {
      let bus = try TestBus()
      let meter = try await bus.node("meter@a")
      await meter.serve(ReadMeter.self) { request, _ in
        guard request.words.hasSuffix("?") else { throw LunaraError("test.refused", "secret-refusal of the meter") }
        return "secret-answer"
      }
      let tap = try await bus.node("tap@p1")
      let frames = await tap.tap()
      let asker = try await bus.node("reader@main")
      #expect(await eventually { await meter.look { $0.roster.someoneWantsSignals } })
      #expect(try await asker.request(ReadMeter(words: "secret-question?"), to: meter.id) == "secret-answer")
      #expect(
        await code { try await asker.request(ReadMeter(words: "secret-question"), to: meter.id) } == "test.refused")
      var outcomes: [String] = []
      for await frame in frames {
        let text = String(decoding: frame.body, as: UTF8.self)
        #expect(!text.contains("secret"), "\(text)")
        let envelope = try Envelope(decoding: frame.body)
        #expect(envelope.delivery != .request)
        guard envelope.kind == RequestHandled.kind else { continue }
        let handled = try MessageCoding.decode(RequestHandled.self, from: envelope.payload)
        if handled.request == ReadMeter.kind { outcomes.append(handled.outcome) }
        if outcomes.count == 2 { break }
      }
      #expect(outcomes == ["done", "test.refused"])
    }
  }
}
